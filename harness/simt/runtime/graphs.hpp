// Stream capture: while a stream is captured, work on it is kept as a list of actions instead of being done.
#pragma once

#include <functional>

namespace mskb::simt {

// True when `stream` is being captured: `action` was kept for the graph and must not be done now.
bool capture(void* stream, std::function<void()> action);
bool capturing(void* stream);
// Work on `to` belongs to the capture of `from` from now on (an event of `from` was waited for on `to`).
void fork_capture(void* from, void* to);

}  // namespace mskb::simt
