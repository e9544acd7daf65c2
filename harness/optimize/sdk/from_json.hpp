#pragma once
#include <nlohmann/json.hpp>

#include "mskb/optimizer.hpp"

namespace mskb::optimizer {

using Json = nlohmann::ordered_json;

// Messages of the harness as values; they throw nlohmann's exceptions for one that is not as docs/optimizer-protocol.md says.
Start start_from(const Json& message);
Check check_from(const Json& message);
Report report_from(const Json& message);

}  // namespace mskb::optimizer
