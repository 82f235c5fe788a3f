#!/bin/sh
# make demo: the main job, each command said before it runs. Usage: demo.sh PGHD [EXPORT]
set -e
pghd=$(realpath "$1")
export_file=${2:+$(realpath "$2")}
mkdir -p demo
cd demo
say() { printf '\n$ %s\n' "$*"; }

if [ -z "$export_file" ]; then
  export_file=export.zip
  say pghd generate --days 365 -o export.zip
  "$pghd" generate --days 365 -o export.zip --force
fi
say pghd inspect "$export_file"
"$pghd" inspect "$export_file"
say pghd convert "$export_file" --patient demo -o bundles.ndjson --report report.json
status=0
"$pghd" convert "$export_file" --patient demo -o bundles.ndjson --report report.json --force || status=$?
[ "$status" -le 1 ] || exit "$status"
say "head -c 700 bundles.ndjson"
head -c 700 bundles.ndjson
printf '…\n\nThe Bundles are in demo/bundles.ndjson, one a line; the numbers are in demo/report.json.\n'
