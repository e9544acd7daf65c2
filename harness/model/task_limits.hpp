#pragma once

namespace mskb {

// Of one task: the messages between processes hold no more.
inline constexpr int max_arguments = 16;
inline constexpr int max_dims = 8;  // stated and derived

}  // namespace mskb
