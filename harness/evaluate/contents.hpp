#pragma once
#include <cstdint>
#include <string>

#include "model/case.hpp"
#include "wire/keeper_messages.hpp"

namespace mskb {

// A run's 128-bit key. Contents = f(key, case, step); no worker ever sees it.
struct RunKey {
  std::string hex;  // 32 hexadecimal digits

  static RunKey draw();                               // from the system's random source
  static bool is_key(const std::string& text);
  static RunKey parse(const std::string& hex);        // throws InputError
};

// Keys of one step's contents, one stream per argument, by the argument's name.
wire::Generate generate_request(const RunKey& key, const Case& test_case, std::uint64_t step);

// A 64-bit key for something else of a step: "layout", "poison", "sample", "order".
std::uint64_t step_key(const RunKey& key, const Case& test_case, std::uint64_t step, const std::string& purpose,
                       std::uint64_t salt = 0);

}  // namespace mskb
