#!/usr/bin/env bash
# Evaluates hundreds of candidates in a row, a fifth of which crash or hang, and watches what the harness holds meanwhile.
#   scripts/endurance.sh FOLDER [OPTIONS OF mskb optimize]...      called again, it goes on where it was cut off
# Writes FOLDER (the run; relative to the repository) and FOLDER.resources.csv (a sample every 5 s and one after the end: seconds since this call,
# evaluations, processes of this machine called mskb*, descriptors and memory of mskb itself, files in the temporary folder, memory of the GPU), and
# prints both ends of it with the verdicts. Needs build/bin (or MSKB_BUILD) and python3.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?folder for the run}
shift
PATH=$PWD/${MSKB_BUILD:-build}/bin:$PATH
samples=$folder.resources.csv
mkdir -p "$(dirname "$folder")"
[ -f "$samples" ] || echo "seconds,evaluations,processes,descriptors,resident_kib,temporary_files,gpu_mib" >"$samples"

mskb optimize --optimizer scripts/endurance --out "$folder" --evaluations 100000 --session-time 12h $([ -f "$folder/run.yaml" ] && echo --resume) "$@" &
mskb=$!
trap 'kill "$mskb" 2>/dev/null || true' EXIT
began=$(date +%s)
sample() {
  local evaluations gpu resident
  evaluations=$(cat "$folder"/transcripts/*/*.jsonl 2>/dev/null | grep -c '"type":"evaluation"' || true)
  gpu=$(nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2>/dev/null | head -n 1 || true)
  resident=$(awk '/VmRSS/ {print $2}' "/proc/$mskb/status" || true)
  echo "$(($(date +%s) - began)),$evaluations,$(pgrep -c '^mskb' || true),$(ls "/proc/$mskb/fd" | wc -l),${resident:-0},$(find "${TMPDIR:-/tmp}" -maxdepth 1 | wc -l),$gpu" >>"$samples"
}
while kill -0 "$mskb" 2>/dev/null; do
  sample 2>/dev/null || true
  sleep "${SAMPLE_S:-5}"
done
trap - EXIT
status=0
wait "$mskb" || status=$?
sample 2>/dev/null || true  # what is left
python3 - "$folder" <<'P'
import collections, glob, json, sys

counts, lost = collections.Counter(), 0
for file in sorted(glob.glob(sys.argv[1] + "/transcripts/*/*.jsonl")):
    numbers = []
    for line in open(file, encoding="utf-8"):
        message = json.loads(line).get("message") or {}
        if message.get("type") == "evaluation":
            numbers.append(message["number"])
            counts["faulty" if message["number"] % 5 == 0 else "right", message["verdict"]] += 1
    lost += numbers != list(range(1, len(numbers) + 1))
for (kind, verdict), count in sorted(counts.items()):
    print(f"{kind} candidates, {verdict}: {count}")
print(f"evaluations: {sum(counts.values())}; sessions with lost or doubled records: {lost}")
P
echo "resources, first and last samples:"
sed -n '1,2p' "$samples"
tail -n 1 "$samples"
exit "$status"
