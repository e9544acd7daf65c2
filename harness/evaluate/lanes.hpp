#pragma once
#include <cstddef>
#include <functional>

namespace mskb {

// Does one item after the other with what it holds, such as a process; made and used in a thread of its own.
using Lane = std::function<void(std::size_t item)>;

// Spreads the items 0 .. count - 1 over that many lanes. done(item) is called on this thread, in the order of the items. After the first
// exception no further item begins; it is thrown once all lanes have ended.
void run_lanes(std::size_t count, int lanes, const std::function<Lane()>& make,
               const std::function<void(std::size_t item)>& done);

}  // namespace mskb
