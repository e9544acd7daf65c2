#!/bin/sh
# Prints what one request of a session costs beside the language model, the compiler and the device, and how memory grows over 1,000 requests.
#
#   scripts/measure_loop.sh [BUILD]
set -e
build=${1:-build}
cmake --build "$build" --target loop_overhead > /dev/null
"$build/bin/loop_overhead"
