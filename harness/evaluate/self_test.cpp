#include "evaluate/self_test.hpp"

#include "model/task_file.hpp"

namespace mskb {

namespace {
constexpr const char* prefix = "selftest:";
constexpr const char* slower_origin = "selftest:slower";
}

Candidate identity_self_test(const Problem& problem) {
  Candidate candidate = reference_candidate(problem);
  candidate.origin = "selftest:identity";
  return candidate;
}

Candidate slower_self_test(const Problem& problem) {
  Candidate candidate = reference_candidate(problem);
  candidate.origin = slower_origin;
  return candidate;
}

bool is_self_test(const Candidate& candidate) { return candidate.origin.starts_with(prefix); }

bool is_slower_self_test(const std::string& origin) { return origin == slower_origin; }

}  // namespace mskb
