#!/bin/sh
# Makes the Python environment that the identity servers and their browser run in:
# .venv-sign-in/ at the root of the repository. Quiet, and quick, when nothing is to do.
# Needs python3 (3.11 or newer) with venv; glewlwyd, rnbyc and sqlite3 come by `make setup`.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=$here/../../.venv-sign-in
python=${PYTHON:-python3}

fail() {
    echo "Tests/SignIn/setup.sh: $*" >&2
    exit 1
}

wanted=$(cat "$here/requirements.txt" "$here/setup.sh" | sha256sum | cut -d' ' -f1)
stamp=$venv/sign-in.stamp
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
echo "installing an identity provider for the tests" >&2
try "make $venv (apt-get install python3-venv)" "$python" -m venv --clear "$venv"
try "install the identity provider (is there a network?)" \
    "$venv/bin/python" -m pip --quiet --disable-pip-version-check --no-input install -r "$here/requirements.txt"
echo "$wanted" >"$stamp"
