#!/usr/bin/env bash
# Writes report.md, and page.html where there are times, beside every run in results/, from its records alone. Needs a build and no device.
set -euo pipefail
cd "$(dirname "$0")/.."
mskb=${MSKB_BUILD:-build}/bin/mskb
export MSKB_HOME=$PWD
find results -name run.yaml | sort | while read -r file; do
  run=${file%/run.yaml}
  "$mskb" report "$run" --format markdown --cases --out "$run/report.md"
  if ! grep -qE -- '--(no-timing|sanitize)"' "$file"; then
    "$mskb" report "$run" --format html --out "$run/page.html"
  fi
  if [ -f "$run/device_times.md" ]; then
    python3 scripts/device_times.py "$run" >"$run/device_times.md"
  fi
  echo "$run"
done
