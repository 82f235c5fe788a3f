#!/bin/sh
# Runs `swift test` with the given arguments and repeats at the end what failed, which would otherwise be somewhere
# among a thousand lines. Lines are cut: an argument of a test may have megabytes.
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
{ swift test "$@" 2>&1; echo "swift test ended with $?"; } | cut -b1-2000 | tee "$log"
tail -n 1 "$log" | grep -qx 'swift test ended with 0' && exit 0
echo "what failed, once more:"
grep -E '^✘|: error: |Fatal error|^\*\*\* ' "$log"
exit 1
