#pragma once
#include "optimize/campaign.hpp"

namespace mskb {

// Asks an optimizer that says `checks: true`, once for each problem whose session has not ended, whether it can work with the options and the files
// that these name: nothing has been made or asked of a device then. Throws InputError with its fault, or where it does not answer.
void check_optimizer(const OptimizeOptions& options);

}  // namespace mskb
