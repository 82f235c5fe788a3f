"""sekmet-fhir, a FHIR server not written by this project, over SQLite."""

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SignIn"))
from delivery import LIMIT, ROOT
from ports import free_port

SEKMET = ROOT / ".venv-fhir-server/bin/sekmet"
SETTINGS = """\
base_url: http://127.0.0.1:{port}/fhir
host: 127.0.0.1
port: {port}
data_dir: {folder}/data
server_auth:
  types: [{kind}]
  tokens: [{token}]
validation:
  inbound: strict
simulator:
  enabled: false
"""


class RealServer:
    """`with RealServer(folder) as server: … server.base …`"""

    def __init__(self, folder, token=None):
        self.token = token
        self.headers = {"Content-Type": "application/fhir+json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self.port = free_port()
        self.folder = folder
        self.base = f"http://127.0.0.1:{self.port}/fhir"

    def __enter__(self):
        settings = self.folder / "settings.yaml"
        kind = "bearer" if self.token else "none"
        settings.write_text(SETTINGS.format(port=self.port, folder=self.folder, kind=kind, token=self.token or ""))
        self.log = open(self.folder / "server.log", "wb")
        self.process = subprocess.Popen(
            [SEKMET, "serve", "-c", settings], stdout=self.log, stderr=self.log, cwd=self.folder
        )
        end = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{self.base}/metadata", timeout=5).read()
                return self
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the FHIR server does not start: " + (self.folder / "server.log").read_text()[-2000:])

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def get(self, path):
        url = path if path.startswith("http") else f"{self.base}/{path}"
        with urllib.request.urlopen(urllib.request.Request(url, headers=self.headers), timeout=60) as answer:
            return json.load(answer)

    def put(self, path, resource):
        request = urllib.request.Request(
            f"{self.base}/{path}", json.dumps(resource).encode(), self.headers, method="PUT"
        )
        urllib.request.urlopen(request, timeout=60).read()

    def delete(self, path):
        urllib.request.urlopen(urllib.request.Request(f"{self.base}/{path}", method="DELETE"), timeout=60).read()

    def count(self, query):
        return self.get(f"{query}{'&' if '?' in query else '?'}_summary=count")["total"]

    def all(self, kind):
        """Every resource of a type, page by page."""
        page = self.get(f"{kind}?_count=500")
        while True:
            for entry in page.get("entry", []):
                yield entry["resource"]
            following = [link["url"] for link in page.get("link", []) if link["relation"] == "next"]
            if not following:
                return
            page = self.get(following[0])
