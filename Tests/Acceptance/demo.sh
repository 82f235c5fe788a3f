#!/bin/sh
# make demo: the main jobs, each command printed before it runs. Usage: demo.sh PGHD [EXPORT]
set -e
pghd=$(realpath "$1")
export_file=${2:+$(realpath "$2")}
mkdir -p demo
cd demo
say() { printf '\n$ %s\n' "$*"; }
# Prints a command and runs it; exit code 1, for a damaged export, is not a failure.
run() {
  say pghd "$@"
  status=0
  "$pghd" "$@" || status=$?
  [ "$status" -le 1 ] || exit "$status"
}

recent=$export_file
if [ -z "$export_file" ]; then
  export_file=export.zip
  recent=recent.zip
  rm -f export.zip recent.zip
  run generate --days 365 -o export.zip
fi
run inspect "$export_file"
rm -f bundles.ndjson report.json
run convert "$export_file" --patient demo -o bundles.ndjson --report report.json
say "head -c 700 bundles.ndjson"
head -c 700 bundles.ndjson
printf '…\n'

# A server for the rest, on a free port, with an empty keystore and ledger.
rm -rf private ledger server.json login.txt
mkdir -m 700 private
touch server.json login.txt
say 'pghd serve --memory --auto-approve --port 0 --json > server.json &'
"$pghd" serve --memory --auto-approve --port 0 --json >server.json &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until grep -q issuer server.json; do kill -0 $server; sleep 0.05; done
base=$(sed 's/.*"fhirBase": *"\([^"]*\)".*/\1/' server.json)
issuer=$(sed 's/.*"issuer": *"\([^"]*\)".*/\1/' server.json)

# You would sign in with a browser; here curl is the browser, and the passphrase is in a file.
umask 077
head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' >private/passphrase
export PGHD_SERVER="$base" PGHD_KEYSTORE="$PWD/private/keystore" PGHD_PASSPHRASE_FILE="$PWD/private/passphrase"
say "pghd login --server $base --client-id pghd"
"$pghd" login --client-id pghd --no-browser </dev/null 2>login.txt &
login=$!
until grep -q '^ *http' login.txt; do kill -0 $login 2>/dev/null || { cat login.txt; exit 1; }; sleep 0.05; done
curl -sLo signed-in.html "$(sed -n 's/^ *\(http[^ ]*\).*/\1/p' login.txt | head -1)"
wait $login || { cat login.txt; exit 1; }

[ "$recent" = "$export_file" ] || run generate --days 90 -o recent.zip
rm -f verified.json again.json
run sync "$recent" --patient demo --ledger ledger
run verify "$recent" --patient demo --ledger ledger --report verified.json
for finding in missing different doubled; do
  grep -q "\"$finding\": *0\b" verified.json || { echo "demo: $finding is not 0" >&2; exit 1; }
done
run sync "$recent" --patient demo --ledger ledger --report again.json
grep -q '"requests": *{ *}' again.json || { echo "demo: something was sent again" >&2; exit 1; }

# What anybody who signs in sees: a token by hand, as docs/server.md explains, and a search.
verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
back=http://127.0.0.1:1/callback
code=$(curl -s -o /dev/null -w '%{redirect_url}' -G "$issuer/authorize" -d response_type=code -d client_id=pghd \
  --data-urlencode redirect_uri=$back --data-urlencode 'scope=patient/*.rs' -d code_challenge_method=S256 \
  -d code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM | sed 's/.*code=\([^&]*\).*/\1/')
token=$(curl -s "$issuer/token" -d grant_type=authorization_code -d client_id=pghd -d code="$code" \
  --data-urlencode redirect_uri=$back -d code_verifier=$verifier | sed 's/.*"access_token": *"\([^"]*\)".*/\1/')
for query in 'Observation?_summary=count' 'Observation?code=http://loinc.org|8867-4&_count=1'; do
  say "curl -s -H \"Authorization: Bearer \$TOKEN\" \"$base/$query\""
  curl -s -H "Authorization: Bearer $token" "$base/$query"
  echo
done
printf '\nThe Bundles are in demo/bundles.ndjson, one a line; the numbers are in demo/report.json. The server is gone.\n'
