#!/bin/sh
# Makes the Python environment of the clients that the embedded server is tested with:
# .venv-server/ at the root of the repository. Quiet, and quick, when nothing is to do.
# Usage: setup.sh [requirements-acceptance.txt]; needs python3 (3.11 or newer) with venv.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=$here/../../.venv-server
python=${PYTHON:-python3}
list=${1:-requirements.txt}

fail() {
    echo "Tests/Server/setup.sh: $*" >&2
    exit 1
}

wanted=$(cat "$here/$list" "$here/setup.sh" | sha256sum | cut -d' ' -f1)
stamp=$venv/$list.stamp
[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && "$venv/bin/python" -c '' 2>/dev/null && exit 0

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# Runs a command; when it fails, says in one line what was being done and why not.
try() {
    what=$1
    shift
    "$@" >"$log" 2>&1 || fail "could not $what: $(grep -v '^$' "$log" | tail -n 1 | cut -c 1-200)"
}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "needs Python 3.11 or newer"
echo "installing clients for the embedded server" >&2
"$venv/bin/python" -c '' 2>/dev/null ||
    try "make $venv (apt-get install python3-venv)" "$python" -m venv --clear "$venv"
try "install the clients (is there a network?)" \
    "$venv/bin/python" -m pip --quiet --disable-pip-version-check --no-input install -r "$here/$list"
echo "$wanted" >"$stamp"
