#pragma once
#include <cstddef>
#include <string>

#include "mskb/optimizer.hpp"

// What came of a candidate, in words for a prompt.
namespace mskb::agents {

// True where nothing failed. On a device a case that does not fit it is skipped without being the candidate's fault; on
// the CPU backend a skipped case means that the candidate uses what cannot be judged there.
bool is_correct(const optimizer::Report& report, const optimizer::Device& device);

// One line: the verdict, and the score with its interval where there are times; says so where nothing is timed (an empty clock).
std::string outcome_text(const optimizer::Report& report, const std::string& clock);

// Whether any case was timed on the clock.
bool has_times(const optimizer::Report& report, const std::string& clock);

// What the compiler says of each kernel's registers, shared memory and spills.
std::string resources_text(const optimizer::Report& report);

// The cases that failed, and an excerpt of the compiler's log of at most `log_limit` bytes where the build failed.
std::string failure_text(const optimizer::Report& report, std::size_t log_limit = 6000);

// A case as records name it within its problem, with its size: "check/3 (size 37x13)".
std::string case_text(const optimizer::CaseReport& each);

// Head and tail of a text that is longer than the limit, cut between lines, else sentences, else words.
std::string excerpt_of(const std::string& text, std::size_t limit);

// A plan's first paragraphs and steps up to about the limit, or whole sentences of a single long one; all of it where it is not more than
// half as long again.
std::string plan_excerpt(const std::string& plan, std::size_t limit);

}  // namespace mskb::agents
