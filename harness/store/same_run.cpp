#include "store/same_run.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace mskb {

void refuse_resume(const std::filesystem::path& directory, const std::string& what) {
  throw InputError(fmt::format("--resume: the run in {} {}; repeat its command (it stands in run.yaml), or choose another --out",
                               directory.string(), what));
}

void require_same_head(const std::filesystem::path& directory, const Run& then, const Run& now) {
  const auto require_same = [&](const char* what, const std::string& of_then, const std::string& of_now) {
    if (of_then != of_now) {
      refuse_resume(directory, fmt::format("has the {} '{}', this one has '{}'", what, of_then, of_now));
    }
  };
  require_same("device", then.environment.device, now.environment.device);
  require_same("driver", then.environment.driver, now.environment.driver);
  require_same("toolkit", then.environment.toolkit, now.environment.toolkit);
  require_same("compiler", then.environment.compiler, now.environment.compiler);
  require_same("protocol", then.protocol, now.protocol);
  require_same("sandbox", then.sandbox, now.sandbox);
  for (const auto& [name, what] : {std::pair("planned_problems", "problems"), {"planned_cases", "cases"}}) {
    const auto of_then = then.figures.find(name), of_now = now.figures.find(name);
    if (of_then != then.figures.end() && of_now != now.figures.end() && of_then->second != of_now->second) {
      refuse_resume(directory, fmt::format("compares {} {}, this one {}", of_then->second, what, of_now->second));
    }
  }
}

}  // namespace mskb
