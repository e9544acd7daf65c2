#pragma once

namespace mskb {

// Gives this process as many descriptors as it may have. The kernel counts those that are on their way through sockets for the whole user and lets nobody
// send one who has a limit below that number: a candidate can bring it to its own limit, and must not so keep the harness from sending.
void raise_descriptor_limit();

}  // namespace mskb
