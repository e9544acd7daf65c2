#pragma once
#include <nlohmann/json.hpp>

#include "profile/bottleneck.hpp"

namespace mskb {

enum class ProfileKind { none, filtered, full };

// "none", "filtered", "full". Throws InputError, which begins with `where`, for any other word.
ProfileKind parse_profile_kind(const std::string& word, const std::string& where);

// Every metric that the profiler printed of each kernel's longest launch. docs/profiles.md shows the members.
nlohmann::ordered_json full_profile(const Profile& profile);
// The class of the call and of each kernel, and of each only the metrics of its class.
nlohmann::ordered_json filtered_profile(const Profile& profile, const Thresholds& thresholds);

// A full profile as it was stored. Throws InputError when it is none.
Profile read_full_profile(const nlohmann::ordered_json& json);

}  // namespace mskb
