#!/bin/sh
# Measures the loop of optimizers without a GPU and writes two logs into a folder: loop_overhead.txt, what one request of a session costs beside the
# language model, the compiler and the device, and how memory grows over 1,000 requests; campaign_kills.txt, campaigns that are killed at 100
# random moments.
#
#   scripts/measure_loop.sh FOLDER [BUILD]
set -e
folder=$1
build=${2:-build}
cmake --build "$build" --target loop_overhead campaign_kill_test mskb > /dev/null
mkdir -p "$folder"
processor=$(sed -n '/^model name/{s/^model name.*: //p;q}' /proc/cpuinfo)
head_of_log="commit $(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD || echo +changes), $(uname -sm), $(nproc) cores, $processor"
{
  echo "$head_of_log"
  "$build/bin/loop_overhead"
} > "$folder/loop_overhead.txt"
{
  echo "$head_of_log"
  MSKB_KILLS=100 "$build/bin/campaign_kill_test"
} > "$folder/campaign_kills.txt"
cat "$folder/loop_overhead.txt"
tail -n 1 "$folder/campaign_kills.txt"
