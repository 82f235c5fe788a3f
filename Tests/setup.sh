#!/bin/sh
# Makes a Python environment for tests and installs what a list names: setup.sh FOLDER LIST
# Quiet and quick when there is nothing to do; several lists may be installed into one folder.
# Needs python3 (3.11 or newer, or $PYTHON) with venv: `apt-get install python3 python3-venv`.
set -eu

fail() {
    echo "Tests/setup.sh: $*" >&2
    exit 1
}

[ $# = 2 ] || fail "usage: setup.sh FOLDER LIST"
list=$2
python=${PYTHON:-python3}
[ -r "$list" ] || fail "there is no list $list"
# Programs in an environment contain its path: one that was moved or copied has to be made again.
case $1 in
/*) venv=$1 ;;
*) venv=$(pwd)/$1 ;;
esac

wanted=$(cat "$list" "$0" | sha256sum | cut -d' ' -f1)
stamp=$venv/$(echo "$list" | tr -c 'A-Za-z0-9.\n' -).stamp
if [ "$(cat "$venv/place" 2>/dev/null)" = "$venv" ] && "$venv/bin/python" -c '' 2>/dev/null; then
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0
    fresh=
else
    # A folder that is not an environment belongs to somebody.
    if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ] && [ -n "$(ls -A "$venv")" ]; then
        fail "$venv is there, but is not a Python environment"
    fi
    fresh=yes
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# Runs a command; if it fails, says in one line what was being done and why it failed.
try() {
    what=$1
    shift
    "$@" >"$log" 2>&1 || fail "could not $what: $(grep -v '^$' "$log" | tail -n 1 | cut -c 1-200)"
}

echo "installing $list" >&2
if [ -n "$fresh" ]; then
    command -v "$python" >/dev/null 2>&1 || fail "there is no $python (apt-get install python3 python3-venv)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "needs Python 3.11 or newer"
    "$python" -c 'import ensurepip' 2>/dev/null || fail "python3 lacks venv (apt-get install python3-venv)"
    try "make $venv" "$python" -m venv --clear "$venv"
    echo "$venv" >"$venv/place"
fi
rm -f "$stamp"
try "install $list (is there a network?)" \
    "$venv/bin/python" -m pip --quiet --disable-pip-version-check --no-input install -r "$list"
echo "$wanted" >"$stamp"
