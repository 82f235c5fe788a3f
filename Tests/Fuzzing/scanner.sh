#!/bin/sh
# Fuzzes the scanner with libFuzzer under the address sanitizer: scanner.sh SECONDS
# The reading target and its tests' support are compiled as one module, so that both are instrumented.
# Without SECONDS only their types are checked, so that the fuzzer still builds when it is needed.
set -eu
cd "$(dirname "$0")/../.."
work=.build/fuzzing
mkdir -p "$work/corpus"
sed '/^import HealthExport$/d' Tests/HealthExportTests/ChunkSupport.swift >"$work/ChunkSupport.swift"

compile() {
  modules=$(for name in CLibXML2 CZip CISAL; do printf ' -Xcc -fmodule-map-file=Sources/%s/module.modulemap' $name; done)
  # shellcheck disable=SC2046,SC2086
  swiftc -swift-version 6 -parse-as-library -module-name ScannerFuzz -package-name pghd \
    -enable-upcoming-feature InternalImportsByDefault -strict-memory-safety -suppress-warnings $modules $(pkg-config --cflags libxml-2.0 | sed 's/-I/-Xcc -I/g') \
    $(find Sources/HealthExport -name '*.swift') "$work/ChunkSupport.swift" Tests/Fuzzing/ScannerFuzz.swift \
    $(pkg-config --libs libxml-2.0 libzip libisal) "$@"
}

if [ $# = 0 ]; then
  compile -typecheck
  exit
fi
if [ ! -x "$work/scanner" ] || [ -n "$(find Sources/HealthExport Tests/Fuzzing -newer "$work/scanner" -name '*.swift')" ]; then
  compile -O -sanitize=fuzzer,address -o "$work/scanner" >"$work/compiler.txt" 2>&1 || { cat "$work/compiler.txt"; exit 1; }
fi
# libxml2 keeps its dictionaries: what leaks there leaks only once.
ASAN_OPTIONS=detect_leaks=0 "$work/scanner" -max_total_time="$1" -max_len=4096 -timeout=20 -print_final_stats=1 \
  -dict=Tests/Fuzzing/scanner.dict -artifact_prefix="$work/" "$work/corpus" Tests/Fuzzing/seeds
