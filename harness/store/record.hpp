#pragma once
#include <string>
#include <string_view>

#include "model/evaluation.hpp"

namespace mskb {

// One line of evaluations.jsonl, without the newline. A number that is not finite is written as null and named in "not_finite", by its path
// inside the record: {"errors/0/worst_ratio": "inf"}. Bytes that are not UTF-8 become U+FFFD.
std::string record_line(const Evaluation& evaluation);

// The inverse. Fields that this program does not know are ignored. Throws InputError that names the field (a missing one, a wrong type, a bare
// nan or inf, a stray comma) but not the file.
Evaluation parse_record(std::string_view line);

// Why the store refuses it: a timing without a pass, a missing device, ...; empty when it does not.
std::string record_fault(const Evaluation& evaluation);

// What of a record contradicts its verdict: "it passed, but elements of out were refused"; empty when nothing does. Every failure says what happened and
// where, a pass says nothing; a mismatch refused something, and what ended before it could be compared did not.
std::string verdict_fault(const Evaluation& evaluation);

}  // namespace mskb
