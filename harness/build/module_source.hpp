#pragma once
#include <string>

#include "model/backend.hpp"
#include "model/case.hpp"

namespace mskb {

// The translation unit of a task module: the case as the oracle sees it, around the task's oracle.hpp
// (truth/module_body.hpp says what is expected). Scalars have the value that a candidate receives, rounded to the
// argument's element type; where no scalar is rounded otherwise, both precisions have one text and so one module.
std::string make_module_source(const Problem& problem, Backend backend);

}  // namespace mskb
