#pragma once
#include <optional>

#include "evaluate/contents.hpp"
#include "evaluate/keeper_client.hpp"
#include "model/case.hpp"

namespace mskb {

bool is_output(const CaseArgument& argument);
bool is_f32_input(const CaseArgument& argument);

// Outputs that the keeper itself writes, damaged or honest, checked as a worker's would be. Nothing is run.
class DamageBench {
 public:
  // `arena` is used for nothing else.
  DamageBench(KeeperClient& keeper, const RunKey& key, std::uint32_t arena) : keeper_(keeper), key_(key), arena_(arena) {}

  // The case is the keeper's open one. Throws DoesNotFit where the device has no room for the arena.
  void use(const Case& test_case);
  // What the keeper finds of outputs with this damage, made of these contents; by the published rule too where it kept the reference's
  // outputs of the same contents. Nothing where the damage cannot apply or changes no element.
  std::optional<wire::Findings> findings(wire::Damage damage, std::uint64_t contents = 0);

 private:
  KeeperClient& keeper_;
  const RunKey& key_;
  const std::uint32_t arena_;
  const Case* case_ = nullptr;
};

}  // namespace mskb
