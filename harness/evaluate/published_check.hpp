#pragma once
#include <string>
#include <vector>

#include "build/builder.hpp"
#include "evaluate/evaluator.hpp"
#include "wire/keeper_messages.hpp"

namespace mskb {

// An output that the keeper writes in a candidate's place.
struct PublishedColumn {
  wire::Damage damage;
  bool honest;  // right, or as near as FP32 sums in another order come
  const char* name;
};
inline constexpr PublishedColumn published_columns[] = {{wire::Damage::zeros, false, "zeros"},
                                                        {wire::Damage::constant, false, "mean"},
                                                        {wire::Damage::first_only, false, "first"},
                                                        {wire::Damage::unwritten, false, "unwritten"},
                                                        {wire::Damage::stale, false, "stale"},
                                                        {wire::Damage::none, true, "exact"},
                                                        {wire::Damage::forward_fp32, true, "ascending"},
                                                        {wire::Damage::blocked_fp32, true, "blocks"},
                                                        {wire::Damage::strided_fp32, true, "lanes"}};

struct PublishedAnswer {
  bool applies = false;
  bool published = false, ours = false;  // whether it is accepted
};

// A problem at the largest published size whose oracle takes at most affordable_terms for one look at all outputs, else at the one that
// takes fewest.
struct PublishedRow {
  Problem problem;
  std::string size;
  std::vector<PublishedAnswer> answers;  // in the order of published_columns
};
inline constexpr double affordable_terms = 1 << 26;

// Runs the reference and asks both rules about outputs that the keeper writes on the same contents, whose key is fixed. Throws HarnessError
// where the reference does not pass.
PublishedRow check_published_rule(const EvaluatorOptions& options, const Builder& builder, const Problem& problem);

}  // namespace mskb
