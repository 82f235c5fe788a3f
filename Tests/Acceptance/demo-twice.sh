#!/bin/sh
# The demo works, works again over its own output, and writes the same bytes both times.
set -e
cd "$(dirname "$0")/../.."
rm -rf demo
make demo > /dev/null
first=$(sha256sum demo/bundles.ndjson)
make demo > /dev/null
[ "$first" = "$(sha256sum demo/bundles.ndjson)" ] || { echo "demo: the second run wrote other bytes"; exit 1; }
make demo EXPORT=samples/vital-signs.xml > /dev/null
echo "demo: twice the same, and a sample"
