#!/usr/bin/env bash
# Gathers the built programs and the shared libraries that a GPU machine may lack into one folder inside the checkout, to be copied there with
# the tree:   bash scripts/bundle.sh BUILD FOLDER     then there:   LD_LIBRARY_PATH=FOLDER/lib FOLDER/bin/mskb run ...
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?build directory}
folder=${2:?folder inside the checkout}
mkdir -p "$folder/bin" "$folder/lib"
cp -u "$build"/bin/mskb "$build"/bin/mskb-* "$folder/bin/"
for program in "$folder"/bin/*; do
  ldd "$program" | awk '$3 ~ /lib(fmt|yaml-cpp|benchmark|crypto|zstd|boost_context)[.]?/ {print $3}'
done | sort -u | while read -r library; do
  cp -uL "$library" "$folder/lib/"
done
du -sh "$folder"
