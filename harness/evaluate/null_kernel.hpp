#pragma once
#include "evaluate/bench.hpp"

namespace mskb {

// Measures a null kernel in every seat's worker with the steps' own treatment (fresh contents, flush), once for the life of the seat: the
// lead and tail that any call has, which `span` subtracts.
void measure_null_kernels(Bench& bench);

// span = device activity + what the host added before and after it beyond a null kernel's. The only subtraction anywhere.
double span_us(const Seat& seat, const wire::Called& called);

}  // namespace mskb
