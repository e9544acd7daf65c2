#!/usr/bin/env bash
# Set-up and all tests that need no GPU, with `mskb check` of every task on the CPU backend. Ends with a line "N passed, N failed".
#   --all   also the expert's kernels on the CPU backend, and the CUDA task modules and vendor baselines of all tasks; otherwise those of a third,
#           chosen by the commit
set -uo pipefail
cd "$(dirname "$0")/.."
MSKB_WITH_BROWSER=1
. scripts/packages.sh || exit 2
build=${MSKB_BUILD:-build}
export CTEST_OUTPUT_ON_FAILURE=1
all=${1:-}
passed=0
failed=0
skipped=0
if [ "$all" != "--all" ]; then
  commit=$(git rev-parse HEAD 2>/dev/null | cut -c1-7)
  export MSKB_SHARD=$((0x${commit:-0} % 3 + 1))/3
fi

step() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}

# Adds the figures of a CTest run to the count.
run_ctest() {
  local log
  log=$(mktemp)
  ctest --test-dir "$build" --label-exclude device --parallel "$(nproc)" --no-tests=error --timeout 900 2>&1 | tee "$log" | grep -vE '^ *(Start|[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed)' || true
  local total bad
  total=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)$/\2/p' "$log")
  bad=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)$/\1/p' "$log")
  local left_out
  left_out=$(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*Skipped' "$log")
  rm -f "$log"
  if [ -z "$total" ]; then
    failed=$((failed + 1))
    echo "FAILED: ctest gave no figures"
  else
    passed=$((passed + total - bad - left_out))
    failed=$((failed + bad))
    skipped=$((skipped + left_out))
  fi
}

step configure cmake -S . -B "$build" -G Ninja
step build cmake --build "$build" --parallel "$(nproc)"
if [ "$failed" -eq 0 ]; then
  echo "== tests"
  run_ctest
  step "mskb check" "$build/bin/mskb" check
  if [ "$all" = "--all" ]; then
    step "mskb run" "$build/bin/mskb" run --device cpu --optimizer expert --out "$(mktemp -d)/run"
  fi
  # A tree without a CUDA toolkit must configure and build as well.
  step "configure without CUDA" cmake -S . -B "$build/no-cuda" -G Ninja -DMSKB_CUDA=OFF -DMSKB_TESTS=OFF
  step "build without CUDA" cmake --build "$build/no-cuda" --parallel "$(nproc)"
fi
echo
echo "$skipped tests skipped, each with its reason above"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
