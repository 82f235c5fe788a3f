#!/usr/bin/env python3
"""Signs the real command in to real identity servers, and makes one thing go wrong at a time.

    .venv-sign-in/bin/python Tests/SignIn/test_sign_in.py
"""

import base64
import json
import os
import socket
import threading
import time
import unittest
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import requests

from browser import Browser
from command import PASSPHRASE, Home
from common import until
from front import Front
from rigs import CLIENT, PASSWORD, PATIENCE, SCOPES, DjangoOAuthToolkit, Glewlwyd


def query(url):
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def with_query(url, **changes):
    """The address with some fields changed, or removed where they are None."""
    fields = {name: value for name, value in (query(url) | changes).items() if value is not None}
    return urlsplit(url)._replace(query=urlencode(fields)).geturl()


class SignIn(unittest.TestCase):
    """A rig for the class; a front, a home and a browser for each test."""

    kind = Glewlwyd
    token_seconds = 60

    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(cls.kind(cls.token_seconds))
        cls.front = cls.enterClassContext(Front(cls.rig))

    def setUp(self):
        self.front.reset()
        self.home = Home(self, self.front)
        self.browser = Browser(self.rig)

    def refused(self, login, message, status=4):
        """The command ends with one line of output and has stored no token."""
        outcome = login.end()
        self.assertEqual(outcome.stderr.strip().splitlines()[-1], f"pghd: {message}")
        self.assertEqual((outcome.returncode, outcome.stdout), (status, ""))
        self.assertEqual(self.home.run("status", "--server", self.front.server).returncode, 4)

    def is_active(self, token):
        return self.rig.is_active(token)


class Rules(SignIn):
    """What must hold at both servers."""

    def test_S6_code_and_PKCE_sign_in_and_the_sign_in_is_kept(self):
        login = self.home.login("--no-browser")
        request = query(login.url)
        answer = self.browser.sign_in(login.url)
        outcome = login.end()
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        report = json.loads(outcome.stdout)
        self.assertTrue(report["signedIn"])
        self.assertEqual(report["issuer"], self.rig.issuer)
        self.assertEqual(sorted(report["scopes"]["granted"]), sorted(SCOPES))
        self.assertEqual(report["scopes"]["notGranted"], [])
        # What was sent: S6, S7, S10, S15, S17.
        self.assertEqual(request["response_type"], "code")
        self.assertEqual(request["code_challenge_method"], "S256")
        self.assertEqual(request["aud"], self.front.server)
        self.assertRegex(request["redirect_uri"], r"^http://(127\.0\.0\.1|\[::1\]):\d+/callback$")
        for name in ["state", "nonce"]:
            self.assertGreaterEqual(len(base64.urlsafe_b64decode(request[name] + "==")), 16)
        (form,) = self.front.forms("token")
        self.assertEqual(form["grant_type"], "authorization_code")
        self.assertRegex(form["code_verifier"], r"^[A-Za-z0-9_-]{43,128}$")
        # S12: the page that the person sees at the end.
        self.assertEqual(answer.status_code, 200)
        self.assertIn("no-store", answer.headers["Cache-Control"])
        self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
        # The token works, and another process knows it.
        self.assertTrue(self.is_active(self.front.tokens()[0]["access_token"]))
        status = self.home.run("status", "--server", self.front.server, "--json")
        self.assertEqual(status.returncode, 0)
        self.assertTrue(json.loads(status.stdout)[0]["signedIn"])
        self.assertEqual(self.home.keystore.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.home.keystore.parent.stat().st_mode & 0o777, 0o700)

    def test_S6_each_sign_in_has_a_verifier_a_state_and_a_nonce_of_its_own(self):
        requests_ = []
        for _ in range(2):
            login = self.home.login("--no-browser")
            requests_.append(query(login.url))
            self.browser.sign_in(login.url)
            self.assertEqual(login.end().returncode, 0)
        for name in ["state", "nonce", "code_challenge"]:
            self.assertNotEqual(requests_[0][name], requests_[1][name])

    def test_S24_a_refused_token_is_renewed_and_the_new_refresh_token_is_kept(self):
        self.home.sign_in(self.browser)
        first = self.front.tokens()[-1]
        for _ in range(2):
            before = self.front.tokens()[-1]
            outcome = self.home.renewed(rejecting=True)
            after = self.front.tokens()[-1]
            self.assertEqual(outcome, {"authorization": f"Bearer {after['access_token']}"})
            self.assertNotEqual(after["access_token"], before["access_token"])
            self.assertNotEqual(after["refresh_token"], before["refresh_token"])
            self.assertTrue(self.is_active(after["access_token"]))
        self.assertEqual(len(self.front.forms("token", grant_type="refresh_token")), 2)
        self.assertNotIn(first["refresh_token"], [form["refresh_token"] for form in
                                                  self.front.forms("token", grant_type="refresh_token")[1:]])

    def test_S25_signing_in_again_revokes_nothing_that_may_end_the_new_sign_in(self):
        self.home.sign_in(self.browser)
        login = self.home.login("--no-browser")
        self.browser.sign_in(login.url)
        outcome = login.end()
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        # A server may take both to be one (RFC 7009, section 2.1).
        self.assertEqual([exchange for exchange in self.front.exchanges if exchange["endpoint"] == "revoke"], [])
        self.assertIn("authorization", self.home.renewed(rejecting=True))

    def test_S23_the_reuse_of_an_old_refresh_token_ends_the_sign_in_and_says_so(self):
        self.home.sign_in(self.browser)
        stolen = self.front.tokens()[-1]["refresh_token"]
        self.home.renewed(rejecting=True)
        thief = {"grant_type": "refresh_token", "refresh_token": stolen, "client_id": CLIENT}
        self.assertGreaterEqual(requests.post(self.front.targets["token"], data=thief, timeout=PATIENCE).status_code, 400)
        # The server has ended the whole family.
        error = self.home.renewed(rejecting=True)["error"]
        is_said = b"invalid_grant" in self.front.exchanges[-1]["body"]
        self.assertEqual(is_said, self.kind is DjangoOAuthToolkit)
        again = f"run 'pghd login --server {self.front.server}' again"
        status = self.front.exchanges[-1]["status"]
        self.assertEqual(
            error,
            f"{self.front.server}: the sign-in is over: {again}" if is_said else
            f"{self.front.origin}/token: refused a renewal without a reason (HTTP {status}): perhaps a gateway in front: "
            f"the next run tries again; if it happens twice, {again}",
        )
        # Nor does any output still say that somebody is signed in, if the server has said why.
        status = self.home.run("status", "--server", self.front.server, "--json")
        expected = (4, False) if is_said else (0, True)
        self.assertEqual((status.returncode, json.loads(status.stdout)[0]["signedIn"]), expected)

    def test_S23_a_gateway_that_refuses_a_renewal_does_not_end_the_sign_in(self):
        self.home.sign_in(self.browser)
        self.front.instead["token"] = lambda form: (403, {"Content-Type": "text/html"}, b"<html>blocked</html>")
        self.assertEqual(self.home.renewed(rejecting=True), {
            "error": f"{self.front.origin}/token: refused a renewal without a reason (HTTP 403): perhaps a gateway in "
                     "front: the next run tries again; if it happens twice, "
                     f"run 'pghd login --server {self.front.server}' again"
        })
        del self.front.instead["token"]
        self.assertIn("authorization", self.home.renewed(rejecting=True))

    def test_S22_twenty_processes_that_renew_at_once_end_with_one_renewal_and_one_good_token(self):
        self.home.sign_in(self.browser)
        old = self.front.tokens()[-1]
        # By the server's own clock the token has expired; the processes have to notice.
        self.expire_now()
        processes = [self.home.renew() for _ in range(20)]
        outcomes = [self.home.outcome(*process) for process in processes]
        new = self.front.tokens()[-1]
        self.assertEqual(outcomes, [{"authorization": f"Bearer {new['access_token']}"}] * 20)
        self.assertEqual(len(self.front.forms("token", grant_type="refresh_token")), 1)
        self.assertNotEqual(new["access_token"], old["access_token"])
        self.assertTrue(self.is_active(new["access_token"]))

    def expire_now(self):
        """Signs in once more with a token that expires at once, as the front states it."""

        def short_lived(form):
            reply = requests.post(self.front.targets["token"], data=form, timeout=PATIENCE)
            return 200, {"Content-Type": "application/json"}, json.dumps(reply.json() | {"expires_in": 1}).encode()

        self.front.instead["token"] = short_lived
        self.home.sign_in(self.browser)
        del self.front.instead["token"]
        time.sleep(1.5)

    def test_S25_signing_out_revokes_the_refresh_token_then_the_access_token_and_wipes_both(self):
        self.home.sign_in(self.browser)
        tokens = self.front.tokens()[-1]
        outcome = self.home.run("logout", "--server", self.front.server, "--json")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        report = json.loads(outcome.stdout)
        self.assertEqual((report["refreshToken"], report["accessToken"]), ("revoked", "revoked"))
        revoked = [exchange["form"]["token"] for exchange in self.front.exchanges
                   if exchange["endpoint"] == "revoke" and exchange["status"] == 200]
        self.assertEqual(revoked, [tokens["refresh_token"], tokens["access_token"]])
        self.assertFalse(self.is_active(tokens["access_token"]))
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": CLIENT}
        self.assertGreaterEqual(requests.post(self.front.targets["token"], data=form, timeout=PATIENCE).status_code, 400)
        self.assertEqual(self.home.run("status", "--server", self.front.server).returncode, 4)

    def test_S25_tokens_that_the_server_fails_to_revoke_are_wiped_here_all_the_same(self):
        self.home.sign_in(self.browser)
        self.front.instead["revoke"] = lambda form: (503, {}, b"")
        outcome = self.home.run("logout", "--server", self.front.server, "--json")
        self.assertEqual(outcome.returncode, 3)
        report = json.loads(outcome.stdout)
        self.assertEqual((report["refreshToken"], report["accessToken"]), ("failed", "failed"))
        self.assertEqual(self.home.renewed(), {
            "error": f"{self.front.server}: not signed in: run 'pghd login --server {self.front.server}'"
        })

    def test_S1_metadata_of_another_issuer_is_refused(self):
        other = f"{self.front.origin}/issuer"
        del self.front.smart["issuer"]
        self.refused(
            self.home.login("--no-browser", "--issuer", other),
            f"the sign-in server calls itself '{self.rig.issuer}' (expected '{other}', letter for letter): "
            "check --issuer; if it is right, tell the server's operator",
        )

    def test_S5_a_server_without_S256_is_refused_before_a_browser_opens(self):
        for methods, options, words in [
            (None, [], "does not list PKCE with S256 "), ([], [], "no PKCE with S256 "),
            (["plain"], ["--assume-pkce"], "no PKCE with S256 "),
        ]:
            self.front.smart["code_challenge_methods_supported"] = methods
            login = self.home.login("--no-browser", *options)
            outcome = login.end()
            self.assertRegex(outcome.stderr, rf"^pghd: \S+: {words}")
            self.assertEqual((outcome.returncode, outcome.stdout), (4, ""))

    def test_S5_the_user_may_vouch_for_PKCE_and_each_such_sign_in_says_so(self):
        del self.front.smart["code_challenge_methods_supported"]
        for options in [["--assume-pkce"], []]:
            login = self.home.login("--no-browser", *options)
            self.assertEqual(query(login.url)["code_challenge_method"], "S256")
            self.browser.sign_in(login.url)
            outcome = login.end()
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            self.assertEqual(
                outcome.stderr.splitlines()[-1],
                f"pghd: {self.front.server}: its sign-in server does not list PKCE, and --assume-pkce says that it "
                "requires it: if it does not, anyone who intercepts the browser's answer can use it",
            )

    def test_S7_another_state_is_refused_and_no_code_is_sent(self):
        for state in ["x" * 43, "", None]:
            login = self.home.login("--no-browser")
            location = self.browser.authorize(login.url)
            requests.get(with_query(location, state=state), timeout=PATIENCE)
            self.refused(
                login, "the browser's answer belongs to another sign-in (expected the state we sent): sign in again"
            )
        self.assertEqual(self.front.forms("token"), [])

    def test_S7_what_the_server_adds_to_its_answer_is_ignored_however_it_is_written(self):
        login = self.home.login("--no-browser")
        location = self.browser.authorize(login.url)
        requests.get(location + "&user=M%FCller&session_state=a&session_state=a", timeout=PATIENCE)
        outcome = login.end()
        self.assertEqual(outcome.returncode, 0, outcome.stderr)

    def test_S8_an_ID_token_with_another_nonce_is_refused(self):
        login = self.home.login("--no-browser")
        self.browser.sign_in(with_query(login.url, nonce="another"))
        outcome = login.end()
        self.assertRegex(outcome.stderr, r"pghd: the ID token can't be trusted: .*nonce.*: sign in again\n$")
        self.assertEqual((outcome.returncode, outcome.stdout), (4, ""))
        self.assertEqual(self.home.run("status", "--server", self.front.server).returncode, 4)

    def test_S9_an_answer_from_another_issuer_is_refused_and_no_code_is_sent(self):
        login = self.home.login("--no-browser")
        location = self.browser.authorize(login.url)
        requests.get(with_query(location, iss="https://evil.example.org"), timeout=PATIENCE)
        self.refused(
            login,
            f"the browser's answer does not come from '{self.rig.issuer}' (expected its iss): sign in again; "
            "if it happens twice, tell the server's operator",
        )
        self.assertEqual(self.front.forms("token"), [])

    def test_S11_a_second_callback_is_not_answered(self):
        login = self.home.login("--no-browser")
        location = self.browser.authorize(login.url)
        # Both are sent at the same time; one gets the page as its answer.
        answers = []

        def call():
            try:
                answers.append(requests.get(location, timeout=PATIENCE).status_code)
            except requests.ConnectionError:
                answers.append("closed")

        threads = [threading.Thread(target=call) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers.count(200), 1, answers)
        self.assertEqual(login.end().returncode, 0)
        self.assertEqual(len(self.front.forms("token")), 1)
        with self.assertRaises(requests.ConnectionError):
            requests.get(location, timeout=PATIENCE)

    def test_S10_the_listener_is_on_loopback_alone_and_accepts_no_other_request(self):
        login = self.home.login("--no-browser")
        redirect = urlsplit(query(login.url)["redirect_uri"])
        # Another address of this machine, where it has one.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))
                address = probe.getsockname()[0]
            except OSError:
                address = None
        if address and not address.startswith("127."):
            with self.assertRaises(OSError):
                socket.create_connection((address, redirect.port), timeout=5)
        base = f"http://127.0.0.1:{redirect.port}"
        for method, path, headers in [
            ("GET", "/", {}), ("GET", "/callback/x?code=1", {}), ("POST", "/callback?code=1&state=1", {}),
            ("GET", "/callback?code=1&state=1", {"Host": "evil.example.org"}),
        ]:
            answer = requests.request(method, base + path, headers=headers, timeout=PATIENCE)
            self.assertIn(answer.status_code, range(400, 500))
        self.browser.sign_in(login.url)
        self.assertEqual(login.end().returncode, 0)

    def test_S4_an_answer_without_a_body_is_an_error(self):
        self.front.instead["token"] = lambda form: (200, {"Content-Type": "application/json"}, b"")
        self.failed_exchange("no JSON (expected an object): check the address, or tell the server's operator", 4)

    def test_S4_a_refusal_without_a_body_is_still_a_refusal(self):
        self.front.instead["token"] = lambda form: (400, {}, b"")
        login = self.home.login("--no-browser")
        self.browser.sign_in(login.url)
        self.refused(login, "the server refused (HTTP 400): sign in again, or ask the server's operator")

    def test_a_refusal_is_shown_with_the_servers_own_words(self):
        self.front.instead["token"] = lambda form: (
            400, {"Content-Type": "application/json"},
            b'{"error":"unauthorized_client","error_description":"Only for \\"web\\"\\r\\nTrace: 7"}',
        )
        login = self.home.login("--no-browser")
        self.browser.sign_in(login.url)
        self.refused(
            login,
            "the server refused: unauthorized_client (HTTP 400, 'Only for \"web\" Trace: 7'): sign in again, or ask the "
            "server's operator",
        )

    def test_S4_a_server_that_does_not_answer_is_given_up_on(self):
        done = threading.Event()
        self.addCleanup(done.set)
        self.front.instead["token"] = lambda form: (done.wait(100), (200, {}, b""))[1]
        login = self.home.login("--no-browser")
        self.browser.sign_in(login.url)
        self.refused(login, f"{self.front.origin}: no answer in time: try again later", status=3)

    def test_S4_an_answer_that_is_too_large_is_refused(self):
        self.front.instead["token"] = lambda form: (200, {"Content-Type": "application/json"}, b" " * (2 << 20))
        login = self.home.login("--no-browser")
        self.browser.sign_in(login.url)
        self.refused(
            login,
            f"{self.front.origin}: the answer is too large (expected at most 1048576 bytes): "
            "check that the address is right",
            status=3,
        )

    def test_S3_a_redirect_is_not_followed_with_a_code(self):
        for status in [301, 302, 303, 307, 308]:
            self.front.reset()
            elsewhere = {"Location": f"{self.front.origin}/elsewhere"}
            self.front.instead["token"] = lambda form: (status, elsewhere, b"")
            login = self.home.login("--no-browser")
            self.browser.sign_in(login.url)
            self.refused(
                login,
                f"{self.front.origin}/token: the server redirects elsewhere (expected an answer): "
                "tell the server's operator",
                status=4,
            )
            self.assertEqual(self.front.forms("elsewhere"), [])

    def failed_exchange(self, fault, status):
        login = self.home.login("--no-browser")
        self.browser.sign_in(login.url)
        self.refused(login, f"{self.front.origin}/token: {fault}", status)

    def test_S14_the_device_flow_waits_for_the_person_and_signs_in(self):
        login = self.home.login("--device", client=self.rig.device_client, scopes=self.rig.device_scopes)
        code = login.user_code
        time.sleep(2.5)
        self.browser.approve_device(code, " ".join(self.rig.device_scopes))
        outcome = login.end()
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertTrue(json.loads(outcome.stdout)["signedIn"])
        polls = [exchange for exchange in self.front.exchanges if exchange["endpoint"] == "token"]
        answers = [json.loads(exchange["body"]).get("error") for exchange in polls]
        self.assertEqual(set(answers[:-1]), {"authorization_pending"})
        self.assertIsNone(answers[-1])
        token = self.front.tokens()[-1]
        self.assertEqual(self.home.renewed(), {"authorization": f"Bearer {token['access_token']}"})
        self.assertIn("authorization", self.home.renewed(rejecting=True))
        self.assertNotEqual(self.front.tokens()[-1]["refresh_token"], token["refresh_token"])


class Secrets(SignIn):
    """Nothing that must stay secret is shown to anybody."""

    def test_S13_the_browser_is_started_without_a_shell_and_gets_no_secret(self):
        folder = self.home.folder / "bin"
        folder.mkdir()
        opener = folder / "xdg-open"
        opener.write_text(
            "#!/bin/sh\n"
            f"tr '\\0' '\\n' </proc/$$/environ >'{self.home.folder}/opened-environment'\n"
            f"printf '%s\\n' \"$@\" >'{self.home.folder}/opened-part'\n"
            f"ls -l /proc/$$/fd >'{self.home.folder}/opened-descriptors'\n"
            f"mv '{self.home.folder}/opened-part' '{self.home.folder}/opened-arguments'\n"
        )
        opener.chmod(0o755)
        self.home.environment["PATH"] = f"{folder}:/usr/bin:/bin"
        self.home.environment["CANARY"] = "canary-of-the-environment"
        login = self.home.login()
        url = login.url
        arguments = self.home.folder / "opened-arguments"
        until(lambda: arguments.exists())
        self.browser.sign_in(url)
        self.assertEqual(login.end().returncode, 0)
        self.assertEqual(arguments.read_text(), url + "\n")
        environment = (self.home.folder / "opened-environment").read_text()
        self.assertNotIn("canary", environment)
        self.assertNotIn("PGHD_", environment)
        for secret in self.front.secrets() | {PASSPHRASE}:
            self.assertNotIn(secret, arguments.read_text() + environment)
        # Standard streams, and the script that the shell reads.
        descriptors = (self.home.folder / "opened-descriptors").read_text()
        self.assertNotIn("socket", descriptors)
        self.assertNotIn("keystore", descriptors)

    def test_S21_no_token_is_in_the_arguments_or_the_environment_of_the_command(self):
        login = self.home.login("--no-browser")
        process = Path(f"/proc/{login.process.pid}")
        login.url
        seen = (process / "cmdline").read_bytes()
        # Only root may read the environment of a process that may not be dumped.
        if os.geteuid() == 0:
            seen += (process / "environ").read_bytes()
        children = (process / f"task/{login.process.pid}/children").read_text()
        self.browser.sign_in(login.url)
        self.assertEqual(login.end().returncode, 0)
        self.assertEqual(children, "")
        for secret in self.front.secrets() | {PASSPHRASE}:
            self.assertNotIn(secret.encode(), seen)

    def test_S21_no_message_no_report_and_no_file_holds_a_secret(self):
        self.home.sign_in(self.browser)
        talk = [self.home.run(*arguments) for arguments in [
            ["status"], ["status", "--verbose"], ["status", "--json"], ["status", "--verbose", "--server", self.front.server],
            ["status", "--server", "https://unknown.example.org"],
        ]]
        # Each kind of failure that involves a token, a code or a passphrase.
        for answer in [
            (200, b'{"access_token":"canary-access","token_type":"mac","refresh_token":"canary-refresh"}'),
            (200, b'{"access_token":["canary-access"],"token_type":"Bearer"}'),
            (200, b'{"access_token":"canary-access'),
            (200, b'{"access_token":"canary-access","token_type":"Bearer","id_token":"canary.canary.canary"}'),
            (400, b'{"error":"invalid_grant","error_description":"The code CODE was used"}'),
            (500, b"canary-body"), (302, b"canary-body"),
        ]:
            self.front.instead["token"] = lambda form: (
                answer[0], {"Content-Type": "application/json", "Location": "http://127.0.0.1:9/canary-location"},
                answer[1].replace(b"CODE", form["code"].encode()),
            )
            login = self.home.login("--no-browser")
            self.browser.sign_in(login.url)
            talk.append(login.end())
            self.assertNotEqual(talk[-1].returncode, 0, answer)
        login = self.home.login("--no-browser")
        location = self.browser.authorize(login.url)
        requests.get(with_query(location, state="canary-state"), timeout=PATIENCE)
        talk.append(login.end())
        self.front.instead.clear()
        self.home.passphrase.write_text("canary-wrong-passphrase")
        talk.append(self.home.run("status"))
        self.home.passphrase.write_text(PASSPHRASE)
        talk.append(self.home.run("logout", "--server", self.front.server, "--json"))
        text = "\n".join(outcome.stdout + outcome.stderr for outcome in talk).encode()
        # The person's own address bar shows state, nonce and challenge; nothing else may be shown.
        files = b"".join(path.read_bytes() for path in self.home.folder.rglob("*")
                         if path.is_file() and path != self.home.passphrase)
        for secret in self.front.secrets() | {PASSPHRASE, PASSWORD, "canary"}:
            for form in self.disguises(secret):
                self.assertNotIn(form, text, secret)
                self.assertNotIn(form, files, secret)

    @staticmethod
    def disguises(secret):
        raw = secret.encode()
        yield raw
        yield quote(secret, safe="").encode()
        yield json.dumps(secret)[1:-1].encode()
        if len(raw) > 11:
            # In base64 at each of three offsets; the first and last characters depend on the neighbours.
            for shift in range(3):
                yield base64.b64encode(b"\0" * shift + raw)[4:-4]

    def test_S38_http_to_another_machine_is_refused(self):
        outcome = self.home.run("login", "--server", "http://fhir.example.org/r4", "--client-id", CLIENT)
        self.assertEqual(
            outcome.stderr,
            "pghd: --server: http is not safe here (expected https; http for this machine alone): "
            "use the https address\n",
        )
        self.assertEqual(outcome.returncode, 64)


class GlewlwydTests(Rules):
    def test_S9_a_server_that_says_it_names_itself_in_answers_must_do_so(self):
        self.front.smart["authorization_response_iss_parameter_supported"] = True
        login = self.home.login("--no-browser")
        location = self.browser.authorize(login.url)
        requests.get(with_query(location, iss=None), timeout=PATIENCE)
        self.refused(
            login,
            f"the browser's answer does not come from '{self.rig.issuer}' (expected its iss): sign in again; "
            "if it happens twice, tell the server's operator",
        )

    def test_S14_an_expired_code_ends_the_device_flow(self):
        self.front.instead["token"] = lambda form: (
            400, {"Content-Type": "application/json"}, b'{"error":"expired_token"}'
        )
        login = self.home.login("--device")
        self.refused(login, "the code was not used in time: sign in again")


class DjangoOAuthToolkitTests(Rules):
    kind = DjangoOAuthToolkit

    def test_S16_a_device_flow_that_lacks_the_granted_ID_token_signs_nobody_in(self):
        login = self.home.login("--device", client=self.rig.device_client)
        self.browser.approve_device(login.user_code, " ".join(SCOPES))
        outcome = login.end()
        self.assertRegex(outcome.stderr.splitlines()[-1], r"^pghd: .*ID token.*")
        self.assertEqual((outcome.returncode, outcome.stdout), (4, ""))


class ExpiryTests(SignIn):
    """Tokens that really expire, by the server's own clock."""

    token_seconds = 3

    def test_S22_a_token_that_has_expired_is_renewed_before_it_is_used(self):
        self.home.sign_in(self.browser)
        old = self.front.tokens()[-1]["access_token"]
        until(lambda: not self.is_active(old), pause=0.2)
        # Two clocks that count whole seconds may differ by one.
        time.sleep(1)
        self.home.renewed()
        self.assertEqual(len(self.front.forms("token", grant_type="refresh_token")), 1)
        self.assertNotEqual(self.front.tokens()[-1]["access_token"], old)


del SignIn, Rules

if __name__ == "__main__":
    unittest.main()
