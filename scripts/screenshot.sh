#!/usr/bin/env bash
# Takes docs/page.png, the picture in README.md, of the page of a run: bash scripts/screenshot.sh [RUN]. Needs a build and chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:-results/h200/strict}
mskb=${MSKB_BUILD:-build}/bin/mskb
browser=$(command -v chromium || command -v google-chrome) || { echo "screenshot.sh: chromium is not installed; apt-get install chromium" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
MSKB_HOME=$PWD "$mskb" report "$run" --format html --out "$folder/page.html"
"$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" --window-size=1400,1500 \
  --screenshot="$folder/page.png" "file://$folder/page.html" >/dev/null 2>&1
mv "$folder/page.png" docs/page.png
echo "docs/page.png: $run, $(wc -c <docs/page.png) bytes"
