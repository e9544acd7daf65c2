#pragma once
#include "model/backend.hpp"
#include "model/run.hpp"
#include "wire/keeper_messages.hpp"

namespace mskb {

// The environment of a run from the keeper's facts (null: no device was found) and this host.
Environment make_environment(Backend backend, const wire::DeviceFacts* facts, const std::string& compiler);

// "13.0" from CUDA's encoding 13000; empty for 0.
std::string cuda_version(std::uint32_t encoded);

// "90a" for 9.0, "89" for 8.9: what kernels are built for, with the `a` where the architecture has one.
std::string architecture_of(const wire::DeviceFacts& facts);

}  // namespace mskb
