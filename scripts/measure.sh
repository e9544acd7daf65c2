#!/usr/bin/env bash
# Makes the runs that results/ holds, on the GPU of this machine: bash scripts/measure.sh FOLDER PART...      FOLDER: e.g. results/h200
# Parts:
#   strict     every task: reference, expert and vendor libraries at the published sizes
#   paper      the nine tasks that have an expert under the published protocol, with the reference against itself: the protocol's own noise
#   self-test  the nine tasks that have an expert, and eight of the LLM operators: the reference against itself and against a slower copy, 202 cases
#   large      every task at its large sizes: reference, expert and vendor libraries
#   verify     every task at its large sizes without timing: verdicts of references and vendor libraries
#   cheats     the test of every cheat on the GPU: which verdicts it got
#   sanitize   every reference at its `check` cases under compute-sanitizer: memcheck and initcheck, several tasks at a time
#   racecheck  the same for the references that use shared memory or memory of their own
# BUDGET (default 8m) is the time for all timing of a part; a part that was cut off goes on when it is called again. Needs build/bin or PATH.
set -uo pipefail
cd "$(dirname "$0")/.."
folder=${1:?folder for the runs}
shift
PATH=$PWD/${MSKB_BUILD:-build}/bin:$PATH
budget=${BUDGET:-8m}
failed=0

run() {
  local name=$1
  shift
  mkdir -p "$(dirname "$folder/$name")"
  echo "== $name"
  mskb run --device cuda --out "$folder/$name" --resume "$@" >"$folder/$name.txt" 2>&1 || failed=$?
  tail -n 4 "$folder/$name.txt"
  rm -f "$folder/$name.txt"
  mskb report "$folder/$name" --format markdown --cases >"$folder/$name/report.md" || failed=$?
}

# Five published sizes in each precision.
more_for_self_test="RELU
SwiGLU
elu
gelu
hinge_loss
leaky_RELU
selu
sigmoid"

experts() {
  basename -s .cu optimizers/expert/*.cu | sed 's/_bf16$//' | sort -u
}

sanitize() {
  local tool=$1 names=$2 part tasks
  for part in 1 2 3 4 5 6; do
    tasks=$(awk -v part="$part" 'NR % 6 == part % 6 {printf "--task %s ", $1}' <<<"$names")
    # A device serves one run for each cache.
    (export MSKB_CACHE=${MSKB_CACHE:-$HOME/.cache/mskb}-$part
      run "sanitize/$tool-$part" --sanitize --sanitizer-tool "$tool" --baselines none --sizes check $tasks
      exit "$failed") &
  done
  for part in 1 2 3 4 5 6; do
    wait -n || failed=$?
  done
}

# Lines of the test itself, without its progress and its times. Tests that are in the file already are left out.
cheats() {
  local file=$folder/cheats.txt name
  mkdir -p "$folder"
  [ -s "$file" ] || { nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; mskb --version; } >"$file"
  for name in $(cheats_device_test --gtest_list_tests | awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}'); do
    grep -qF "] $name" "$file" && continue
    cheats_device_test --gtest_filter="$name" >"$file.part" 2>&1 || failed=1
    grep -qE "^\[ +(OK|FAILED|SKIPPED) +\] $name" "$file.part" || { cat "$file.part" >&2; continue; }
    sed -n "/^\[ RUN /,/^\[ \+[A-Z]\+ \+\] /p" "$file.part" | sed '/^\[ RUN /d; s/ ([0-9]* ms)$//' >>"$file"
    tail -n 1 "$file"
  done
  rm -f "$file.part"
}

for part in "$@"; do
  case $part in
    strict) run strict --optimizer expert --budget "$budget" ;;
    paper) run paper --protocol paper --optimizer expert --self-test --budget "$budget" $(experts | sed 's/^/--task /') ;;
    self-test) run self-test --self-test --baselines none --budget "$budget" $( (experts; echo "$more_for_self_test") | sed 's/^/--task /') ;;
    large) run large --sizes large --optimizer expert --budget "$budget" ;;
    verify) run verify --sizes large --no-timing ;;
    cheats) cheats ;;
    sanitize) sanitize memcheck "$(ls tasks)"; sanitize initcheck "$(ls tasks)" ;;
    racecheck) sanitize racecheck "$(grep -lE '__shared__|cudaMalloc' tasks/*/reference.cu | cut -d/ -f2)" ;;
    *) echo "measure.sh: unknown part '$part'; parts are strict, paper, self-test, large, verify, cheats, sanitize, racecheck" >&2; exit 2 ;;
  esac
done
exit "$failed"
