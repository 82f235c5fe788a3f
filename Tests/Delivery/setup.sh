#!/bin/sh
# A FHIR server that nobody here wrote, in an environment of its own.
set -e
cd "$(dirname "$0")/../.."
environment=.venv-fhir-server
if [ ! -x "$environment/bin/sekmet" ] || [ Tests/Delivery/requirements.txt -nt "$environment/ready" ]; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r Tests/Delivery/requirements.txt
  touch "$environment/ready"
fi
