#pragma once
#include <string_view>
#include <vector>

#include "build/builder.hpp"

namespace mskb {

// The kernels in what `ptxas -v` printed, in its order. Text between that is something else is passed over.
std::vector<KernelResources> parse_ptxas(std::string_view text);

// "void k<float>(float*, int)" for "_Z1kIfEvPT_i"; a name that is not mangled is returned as it is.
std::string demangle(const std::string& symbol);

}  // namespace mskb
