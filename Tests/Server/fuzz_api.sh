#!/bin/sh
# Lets schemathesis make requests of every kind from the published OpenAPI description: none may get a 5xx.
# Usage: fuzz_api.sh COMMAND [EXAMPLES]; needs requirements-acceptance.txt in .venv-server.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
command=$1
examples=${2:-200}
work=$(mktemp -d)
cd "$work"
"$command" serve --memory --auto-approve --port 0 --json >addresses &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
while ! [ -s addresses ]; do sleep 0.1; done
token=$("$root/.venv-server/bin/python" - "$root" <<'PYTHON'
import json, sys, types

sys.path.insert(0, sys.argv[1] + "/Tests/Server")
from server import sign_in

addresses = json.load(open("addresses"))
server = types.SimpleNamespace(issuer=addresses["issuer"], fhir=addresses["fhirBase"])
print(sign_in(server, "user/*.cruds observations.write").token["access_token"])
PYTHON
)
url=$(sed 's/.*"fhirBase": "\([^"]*\)\/fhir".*/\1/' addresses)
"$root/.venv-server/bin/schemathesis" run "$url/openapi.json" --header "Authorization: Bearer $token" \
  --checks not_a_server_error --max-examples "$examples" --seed 7 --suppress-health-check all
curl -sf "$url/health" >/dev/null && echo "the server lives on"
