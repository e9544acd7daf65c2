#pragma once
#include <string_view>

namespace mskb {

enum class Backend { cuda, cpu };

constexpr std::string_view to_string(Backend backend) { return backend == Backend::cuda ? "cuda" : "cpu"; }

}  // namespace mskb
