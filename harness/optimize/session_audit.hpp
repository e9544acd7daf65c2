#pragma once
#include <vector>

#include "evaluate/record_audit.hpp"
#include "store/run_reader.hpp"

namespace mskb {

// What does not hold between a campaign's sessions (transcripts/<problem>.jsonl) and its records: a submission without the session that made it or
// with another candidate than the session submitted, a session whose spent evaluations are not those of its conversation, and closing figures that count
// other endings. Nothing for other runs.
std::vector<AuditFinding> audit_sessions(const StoredRun& stored);

}  // namespace mskb
