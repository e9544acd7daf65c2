#!/usr/bin/env bash
# Set-up and the main job: builds the harness, then runs the expert's kernels against the reference on every task that has one (on the GPU if
# there is one, else verdicts on the CPU), prints the table and says where the records are. Arguments are passed on to `mskb run`; with --task
# among them it runs those tasks instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
build=${MSKB_BUILD:-build}
echo "== configure"
cmake -S . -B "$build" -G Ninja -DMSKB_TESTS=OFF >"${TMPDIR:-/tmp}/mskb-configure.log" || { cat "${TMPDIR:-/tmp}/mskb-configure.log"; exit 3; }
echo "== build (minutes the first time)"
cmake --build "$build" --parallel "$(nproc)" | awk 'NR % 20 == 0 || /FAILED|error:/ { print; fflush() }'
echo "== run (about a minute on the CPU)"
chosen=()
if [[ " $* " != *" --task "* && " $* " != *" --task="* ]]; then
  while read -r task; do
    chosen+=(--task "$task")
  done < <(basename -s .cu optimizers/expert/*.cu | sed 's/_bf16$//' | sort -u)
fi
status=0
"$build/bin/mskb" run --optimizer expert "${chosen[@]}" "$@" || status=$?
exit $status
