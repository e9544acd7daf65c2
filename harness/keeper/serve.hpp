#pragma once
#include <memory>

#include "keeper/device.hpp"

namespace mskb::keeper {

inline constexpr int socket_descriptor = 3;

// A keeper's whole life: opens the device, sends its DeviceFacts (or a Failure, and ends), answers requests on
// descriptor 3 until the other end closes it. Dies with its parent. `arguments` are the device's number and the seconds that one call of an oracle may
// take, both of which may be missing (0 and 300). Returns the process's exit code.
int serve(std::unique_ptr<Device> (*open_device)(int number), int argument_count, char** arguments);

}  // namespace mskb::keeper
