#pragma once

// The C interface between the worker and a candidate's shared object; the build's shim defines both functions around the candidate's source.
extern "C" {

struct mskb_call {
  void* const* buffers;   // by argument; null where the argument is not a buffer
  const double* values;   // by argument; dims and scalars
};

// Calls the entry point once. 0: returned; 1: threw, with its text in `error`; 2: says that it cannot do this (a baseline's Unsupported).
typedef int (*mskb_invoke_function)(const mskb_call* call, char* error, unsigned long error_size);

// The name of the symbol is "mskb_invoke".
}
