"""What a gateway in front of the server requires: its own key, or another program's token or password.

    python3 Tests/Delivery/test_header_file.py
"""

import os
import subprocess
import unittest

import exports
from delivery import PGHD, DeliveryTestCase, key_options
from scripted_server import ScriptedServer, outcome

KEY = "CANARY-key-8f1c"
TOKEN = "CANARY-token-1"


class Gateway(ScriptedServer):
    """Answers 401 to every request that lacks one of `wanted`; `heard` holds the headers of all requests."""

    def __init__(self, **wanted):
        super().__init__()
        self.wanted = {name.replace("_", "-"): value for name, value in wanted.items()}
        self.heard = []

    def lets_in(self, request):
        self.heard.append({"path": request.path} | dict(request.headers.items()))
        return all(request.headers.get_all(name) == [value] for name, value in self.wanted.items())

    def answer_post(self, request, body, fault):
        if self.lets_in(request):
            return super().answer_post(request, body, fault)
        self.send(request, 401, outcome("login"), {"WWW-Authenticate": "Bearer"})

    def handle_get(self, request):
        if self.lets_in(request):
            return super().handle_get(request)
        self.send(request, 401, outcome("login"), {"WWW-Authenticate": "Bearer"})


class HeaderFile(DeliveryTestCase):
    def test_every_request_names_pghd_unless_the_file_gives_another_user_agent(self):
        version = subprocess.run([PGHD, "--version"], capture_output=True, text=True).stdout.strip()
        for name, more in (f"pghd/{version}", ()), ("clinic", self.write("User-Agent: clinic\n")):
            with self.subTest(name), Gateway() as server:
                self.assertEqual(self.said(server, *more, "--ledger", str(self.folder / name.replace("/", "")))[0], 0)
                self.assertEqual({heard["User-Agent"] for heard in server.heard}, {name})

    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(30))
        self.count = len([kind for kind, _ in self.resources(self.export) if kind == "Observation"])
        self.path = self.folder / "headers"

    def write(self, text, mode=0o600):
        """A function that writes the file with this text."""
        # As another program does that keeps its token there.
        part = self.path.with_name("headers.part")
        part.write_bytes(text.encode())
        part.chmod(mode)
        part.rename(self.path)
        return "--header-file", str(self.path)

    def said(self, server, *more, name="sync", path=None):
        """The exit code and what was printed on standard error, which holds no secret."""
        code, _, said = self.run_pghd(name, path or self.export, server, *more)
        self.assertNotIn("CANARY", said)
        return code, said

    def test_a_gateways_key_is_sent_with_every_request_of_every_command(self):
        with Gateway(X_Api_Key=KEY, X_Tenant="clinic\ta") as server:
            options = self.write(f"X-Api-Key: {KEY}\r\n\n  X-Tenant:\tclinic\ta  \n")
            bundles = self.convert(self.export)
            for name, path in ("sync", self.export), ("verify", self.export), ("send", bundles):
                self.assertEqual(self.run_pghd(name, path, server, *options)[::2], (0, ""), name)
            self.assertEqual(len(server.ids()), self.count)
            # It is in no header but its own.
            others = [value for heard in server.heard for name, value in heard.items() if name != "X-Api-Key"]
            self.assertFalse([value for value in others if "CANARY" in value])
            environment = self.environment() | {"PGHD_HEADER_FILE": str(self.path)}
            result = subprocess.run(self.arguments("verify", self.export, server), env=environment, capture_output=True)
            self.assertEqual((result.returncode, result.stderr), (0, b""))

    def test_a_gateways_key_is_not_sent_to_the_identity_server(self):
        elsewhere = Gateway()
        with Gateway(X_Api_Key=KEY) as server, elsewhere:
            options = self.write(f"X-Api-Key: {KEY}\n")
            issuer = elsewhere.base.removesuffix("/fhir")
            login = [PGHD, "login", "--server", server.base, "--issuer", issuer, "--client-id", "x"]
            login += [*key_options(self.folder)[2:], *options]
            result = subprocess.run(login, env=self.environment(), capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertTrue(elsewhere.heard)
            self.assertFalse([heard for heard in elsewhere.heard if "X-Api-Key" in heard])

    def test_another_programs_token_takes_the_place_of_a_sign_in(self):
        with Gateway(Authorization=f"Bearer {TOKEN}") as server:
            options = self.write(f"authorization: Bearer {TOKEN}\n")
            self.assertEqual(self.said(server, *options), (0, ""))
            self.assertEqual(self.said(server, *options, name="verify"), (0, ""))
            self.assertEqual(self.said(server, *options, name="send", path=self.convert(self.export)), (0, ""))
            self.assertFalse((self.folder / "home/.local/share/pghd").exists())

    def test_a_password_in_the_file_is_sent_unchanged(self):
        with Gateway(Authorization="Basic Z3Vlc3Q6Z3Vlc3Q=") as server:
            options = self.write("Authorization: Basic Z3Vlc3Q6Z3Vlc3Q=\n")
            self.assertEqual(self.said(server, *options), (0, ""))

    def test_a_token_that_is_replaced_during_a_run_is_read_again(self):
        with Gateway(Authorization=f"Bearer {TOKEN}") as server:
            server.delay = 0.05
            options = self.write(f"Authorization: Bearer {TOKEN}\n")
            run = subprocess.Popen(
                self.arguments("sync", self.export, server, *options, "--max-entries", "2", "--concurrency", "1"),
                env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )
            self.until(lambda: server.posts)
            self.write("Authorization: Bearer CANARY-token-2\n")
            server.wanted["Authorization"] = "Bearer CANARY-token-2"
            self.assertEqual((run.communicate(timeout=60)[1], run.returncode), ("", 0))
            self.assertEqual(len(server.ids()), self.count)
            # The old one is not used again.
            heard = [heard["Authorization"] for heard in server.heard if heard["path"] != "/fhir/metadata"]
            self.assertEqual(heard, sorted(heard))
            self.assertEqual(set(server.ids().values()), {1})

    def test_a_token_that_the_server_does_not_take_is_reported(self):
        with Gateway(Authorization="Bearer another") as server:
            options = self.write(f"Authorization: Bearer {TOKEN}\n")
            self.assertEqual(self.said(server, *options), (4, (
                f"pghd: --header-file: the server does not take the Authorization in '{self.path}' (401 from {server.base}): "
                "put one there that is still good, and run the command again\n"
            )))
            self.assertEqual(server.posts, [])

    def test_login_and_logout_refuse_a_file_with_an_authorization(self):
        options = self.write(f"Authorization: Bearer {TOKEN}\n")
        for name in "login", "logout":
            arguments = [PGHD, name, "--server", "http://127.0.0.1:9", *key_options(self.folder)[2:], *options]
            if name == "login":
                arguments += ["--client-id", "x"]
            result = subprocess.run(arguments, env=self.environment(), capture_output=True, text=True, timeout=60)
            self.assertEqual((result.returncode, result.stderr), (4, (
                f"pghd: --header-file: '{self.path}' holds Authorization (expected none next to a sign-in, which has its own): "
                "leave it out\n"
            )))

    def test_a_header_file_set_in_the_environment_does_not_prevent_signing_out(self):
        with Gateway() as server:
            keys = key_options(self.folder)[2:]
            self.assertEqual(self.run_pghd("sync", self.export, server)[::2], (0, ""))
            self.write(f"Authorization: Bearer {TOKEN}\n")
            ledgers = self.folder / "ledger"
            self.assertTrue(list(ledgers.glob("*.ledger")))
            result = subprocess.run(
                [PGHD, "logout", "--forget", "--server", server.base, "--ledger", str(ledgers), *keys],
                env=self.environment() | {"PGHD_HEADER_FILE": str(self.path)}, capture_output=True, text=True, timeout=60,
            )
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertFalse(list(ledgers.glob("*.ledger")))

    def test_a_fault_in_the_header_file_is_reported_by_file_and_line(self):
        name = f"'{self.path}'"
        no_header = "is not a header (expected 'Name: value' in ASCII): correct it"
        own = "(expected a header that pghd does not send itself): leave it out"
        cases = [
            ("", f"{name} holds no header (expected lines such as 'X-Api-Key: …'): write them there"),
            ("CANARY\n", f"line 1 of {name} {no_header}"),
            ("\nX-Api-Key: CANARY\nX Y: CANARY\n", f"line 3 of {name} {no_header}"),
            ("X-Api-Key:\n", f"line 1 of {name} {no_header}"),
            ("X-Api-Key: CANARY\x7f\n", f"line 1 of {name} {no_header}"),
            ("Authorization: Bearer\tCANARY\n", f"line 1 of {name} {no_header}"),
            ("X-Api-Key: CANARÝ\n", f"line 1 of {name} {no_header}"),
            ("X-A: CANARY\r\n x-a: CANARY\n", f"line 2 of {name} is x-a once more (expected each once): leave one out"),
            ("Host: CANARY\n", f"line 1 of {name} is Host {own}"),
            ("idempotency-key: CANARY\n", f"line 1 of {name} is idempotency-key {own}"),
            ("X-A: " + 65536 * "C", f"{name} can't be read (it has more than 64 KiB): check the path and its permissions"),
        ]
        for text, expected in cases:
            with self.subTest(text[:30]):
                options = self.write(text)
                self.assertEqual(self.said("http://127.0.0.1:9", *options), (4, f"pghd: --header-file: {expected}\n"))

    def test_a_header_file_that_is_missing_or_readable_by_others_is_not_used(self):
        options = self.write(f"X-Api-Key: {KEY}\n", mode=0o640)
        said = f"pghd: --header-file: '{self.path}' "
        self.assertEqual(self.said("http://127.0.0.1:9", *options), (
            4, said + "is open to others (expected a file for its owner alone): chmod 600 it\n"
        ))
        for change, reason in (self.path.unlink, "No such file or directory"), (self.path.mkdir, "it is not a file"):
            change()
            self.assertEqual(self.said("http://127.0.0.1:9", *options), (
                4, f"{said}can't be read ({reason}): check the path and its permissions\n"
            ))
        self.path.rmdir()
        os.mkfifo(self.path)
        self.assertEqual(self.said("http://127.0.0.1:9", *options)[0], 4)

    def test_a_header_file_does_not_name_the_patient(self):
        with Gateway(Authorization=f"Bearer {TOKEN}") as server:
            options = self.write(f"Authorization: Bearer {TOKEN}\n")
            arguments = self.arguments("sync", self.export, server, *options)
            place = arguments.index("--patient")
            result = subprocess.run(
                arguments[:place] + arguments[place + 2:], env=self.environment(), capture_output=True, text=True
            )
            self.assertEqual(result.returncode, 64)
            self.assertIn("--patient is missing", result.stderr)


if __name__ == "__main__":
    unittest.main()
