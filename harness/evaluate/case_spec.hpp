#pragma once
#include "model/case.hpp"
#include "wire/case_spec.hpp"
#include "wire/keeper_messages.hpp"
#include "wire/worker_messages.hpp"

namespace mskb {

// The case as the keeper sees it. `origin_slack`: bounds are those of the task; a reference may be granted more through Check::relax.
wire::CaseSpec case_spec(const Case& test_case);

// A call of this case with the arena's offsets, all else zero.
wire::Call call_request(const Case& test_case, const wire::Prepared& prepared);

}  // namespace mskb
