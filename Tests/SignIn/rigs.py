"""Real identity servers not written by this project, each started on loopback in a folder of its own."""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import requests

from ports import free_port

HERE = Path(__file__).resolve().parent
CLIENT = "fhir-gateway-cli"
SCOPES = ["openid", "offline_access", "patient/Observation.cu"]
USER, PASSWORD = "alice", "correct horse"
# Seconds for one answer: a slow machine is not a failure.
PATIENCE = 120


class Rig:
    """A process with a folder, a port and an issuer; `with` starts and ends it."""

    # The client that asks for the device flow, and its scopes.
    device_client = CLIENT
    device_scopes = SCOPES

    def __init__(self, token_seconds=60):
        self.token_seconds = token_seconds
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        with contextlib.ExitStack() as starting:
            self.folder = Path(starting.enter_context(tempfile.TemporaryDirectory(prefix="pghd-rig-")))
            self.start(starting)
            self.stack = starting.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def run(self, starting, arguments, ready):
        """Starts the server and waits until `ready` answers at all; the exit stack ends the server."""
        log = starting.enter_context(open(self.folder / "log", "wb"))
        process = subprocess.Popen(
            arguments, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
        starting.callback(self.stop, process)
        limit = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(requests.ConnectionError):
                requests.get(ready, timeout=PATIENCE)
                return
            if process.poll() is not None or time.monotonic() > limit:
                raise RuntimeError(f"{arguments[0]} does not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    @staticmethod
    def stop(process):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    @property
    def discovery(self):
        return requests.get(self.issuer + "/.well-known/openid-configuration", timeout=PATIENCE).json()

    @property
    def device_endpoint(self):
        # One of the two servers has it but does not announce it.
        return self.discovery.get("device_authorization_endpoint") or f"{self.issuer}/device-authorization/"


class Glewlwyd(Rig):
    """glewlwyd: S256 only, exact redirects, rotation, reuse ends the family, device flow, `iss`."""

    SCHEMA = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"

    @property
    def issuer(self):
        return f"{self.origin}/api/oidc"

    @property
    def api(self):
        return f"{self.origin}/api"

    @staticmethod
    def program():
        # Debian installs it where only root's PATH looks.
        return shutil.which("glewlwyd") or "/usr/sbin/glewlwyd"

    def start(self, starting):
        database = self.folder / "glewlwyd.db"
        with open(self.SCHEMA, "rb") as schema:
            subprocess.run(["sqlite3", database], stdin=schema, check=True)
        (self.folder / "glewlwyd.conf").write_text(f"""
            port={self.port}
            bind_address="127.0.0.1"
            external_url="{self.origin}"
            login_url="login.html"
            api_prefix="api"
            log_mode="file"
            log_level="WARNING"
            log_file="{self.folder}/glewlwyd.log"
            cookie_secure=0
            session_expiration=2419200
            session_key="GLEWLWYD2_SESSION_ID"
            admin_session_authentication="cookie"
            profile_session_authentication="cookie"
            login_api_enabled=true
            admin_scope="g_admin"
            profile_scope="g_profile"
            user_module_path="/usr/lib/glewlwyd/user"
            client_module_path="/usr/lib/glewlwyd/client"
            user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
            plugin_module_path="/usr/lib/glewlwyd/plugin"
            use_secure_connection=false
            secure_connection_key_file="/nonexistent.key"
            secure_connection_pem_file="/nonexistent.pem"
            secure_connection_ca_file=""
            hash_algorithm="SHA512"
            database = {{ type="sqlite3" path="{database}" }};
        """)
        self.run(starting, [self.program(), f"--config-file={self.folder}/glewlwyd.conf"], self.origin + "/api/")
        self.log_in()
        self.configure()

    def log_in(self):
        self.admin = requests.Session()
        self.post("/auth", {"username": "admin", "password": "password"})

    def post(self, path, body):
        answer = self.admin.post(self.api + path, json=body, timeout=PATIENCE)
        if not answer.ok:
            raise RuntimeError(f"glewlwyd refuses {path}: {answer.status_code} {answer.text}")

    def configure(self):
        # rnbyc prints a title line before the JWKS.
        keys = subprocess.run(
            ["rnbyc", "-j", "-g", "rsa2048", "-k", "k1", "-a", "RS256", "-p", "/dev/null"],
            check=True, capture_output=True, text=True,
        ).stdout.split("\n", 1)[1]
        for scope in SCOPES[1:]:
            self.post("/scope", {
                "name": scope, "display_name": scope, "description": scope, "password_required": True,
                "password_max_age": 0, "scheme": {},
            })
        self.post("/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OIDC", "order_rank": 0, "readonly": False,
            "parameters": self.parameters(keys),
        })
        self.post("/user", {
            "username": USER, "password": PASSWORD, "name": "Alice", "email": "alice@example.test", "enabled": True,
            "scope": ["g_profile", *SCOPES],
        })
        self.post("/client", {
            "client_id": CLIENT, "name": "CLI", "enabled": True, "confidential": False, "scope": SCOPES,
            "redirect_uri": ["http://127.0.0.1/callback"],
            "authorization_type": ["code", "refresh_token", "device_authorization"],
            "token_endpoint_auth_method": ["none"],
        })
        self.post("/client", {
            "client_id": "resource-server", "name": "RS", "enabled": True, "confidential": True,
            "client_secret": "rs-secret", "scope": [], "redirect_uri": [],
            "authorization_type": ["client_credentials"], "token_endpoint_auth_method": ["client_secret_basic"],
        })

    def parameters(self, keys):
        no_address = {name: "" for name in ["formatted", "street_address", "locality", "region", "postal_code", "country"]}
        return {
            "iss": self.issuer, "jwks-private": keys, "jwks-public": "", "jwks-show": True, "jwt-type": "rsa",
            "jwt-key-size": "256", "default-kid": "", "access-token-duration": self.token_seconds,
            "refresh-token-duration": 3600, "code-duration": 60, "refresh-token-rolling": True,
            "refresh-token-one-use": "always", "allow-non-oidc": False, "auth-type-code-enabled": True,
            "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False, "auth-type-password-enabled": False,
            "auth-type-client-enabled": True, "auth-type-device-enabled": True, "auth-type-refresh-enabled": True,
            "device-authorization-expiration": 120, "device-authorization-interval": 1, "allowed-scope": SCOPES,
            "scope": [], "additional-parameters": [], "claims": [], "name-claim": "on-demand",
            "name-claim-scope": ["openid"], "email-claim": "on-demand", "email-claim-scope": ["openid"],
            "scope-claim": "no", "scope-claim-scope": [],
            "address-claim": {"type": "no", "mandatory": False, **no_address},
            "subject-type": "public", "pkce-allowed": True, "pkce-method-plain-allowed": False,
            "pkce-required": True, "pkce-required-public-client": True, "pkce-scopes": [],
            "introspection-revocation-allowed": True, "introspection-revocation-auth-scope": ["openid"],
            "introspection-revocation-allow-target-client": True, "register-client-allowed": False,
            "session-management-allowed": True, "session-cookie-name": "GLEWLWYD2_OIDC_SID",
            "session-cookie-expiration": 3600, "request-parameter-allow": False,
            "request-parameter-allow-encrypted": False, "request-uri-allow-https-non-secure": False,
            "request-maximum-exp": 600, "encrypt-out-token-allow": False, "oauth-dpop-allowed": False,
            "oauth-par-allowed": False, "oauth-rar-allowed": False, "oauth-ciba-allowed": False,
            "oauth-as-iss-id": True, "resource-allowed": False, "prompt-continue-client-scope": True,
        }

    def allow_redirect(self, uri):
        """glewlwyd compares redirects exactly, so the port that the client chose is added."""
        # An administrator's password is valid for ten minutes; a long test may take longer.
        self.log_in()
        client = self.admin.get(f"{self.api}/client/{CLIENT}", timeout=PATIENCE).json()
        if uri not in client["redirect_uri"]:
            client["redirect_uri"].append(uri)
            self.admin.put(f"{self.api}/client/{CLIENT}", json=client, timeout=PATIENCE).raise_for_status()

    def is_active(self, token):
        """RFC 7662, as the resource server."""
        answer = requests.post(
            self.discovery["introspection_endpoint"], data={"token": token}, auth=("resource-server", "rs-secret"),
            timeout=PATIENCE,
        )
        return answer.json()["active"]


class DjangoOAuthToolkit(Rig):
    """django-oauth-toolkit: loopback redirects on any port, revocation with the client_id alone, device flow."""

    device_client = "fhir-gateway-device"
    # It grants openid there but issues no ID token.
    device_scopes = SCOPES[1:]

    @property
    def issuer(self):
        return f"{self.origin}/o"

    def start(self, starting):
        subprocess.run(["openssl", "genrsa", "-out", self.folder / "key.pem", "2048"], check=True, capture_output=True)
        settings = {
            "folder": str(self.folder), "port": self.port, "token_seconds": self.token_seconds, "scopes": SCOPES,
            "client": CLIENT, "device_client": self.device_client, "user": USER, "password": PASSWORD,
        }
        (self.folder / "settings.json").write_text(json.dumps(settings))
        app = [sys.executable, str(HERE / "toolkit_app.py"), str(self.folder / "settings.json")]
        subprocess.run([*app, "seed"], check=True, capture_output=True, cwd=self.folder)
        self.run(starting, [*app, "run"], self.issuer + "/.well-known/openid-configuration")

    def allow_redirect(self, uri):
        """RFC 8252, section 7.3: any port is allowed."""

    def is_active(self, token):
        answer = requests.get(
            self.discovery["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE
        )
        return answer.ok


if __name__ == "__main__":
    # To try it by hand: rigs.py Glewlwyd
    with globals()[sys.argv[1]]() as rig:
        print(rig.issuer, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(1)
