#!/usr/bin/env python3
"""Checks the identity servers with a plain flow of a few lines, without pghd.

What fails here is the rig's fault, not the command's.
"""

import base64
import hashlib
import secrets
import time
import unittest
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests

from browser import Browser
from ports import free_port
from rigs import CLIENT, PATIENCE, SCOPES, DjangoOAuthToolkit, Glewlwyd


def unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Flow:
    """Code and PKCE by hand."""

    def __init__(self, rig):
        self.rig = rig
        self.metadata = rig.discovery
        self.redirect_uri = f"http://127.0.0.1:{free_port()}/callback"

    def request(self, verifier, method="S256"):
        fields = {
            "response_type": "code", "client_id": CLIENT, "redirect_uri": self.redirect_uri,
            "scope": " ".join(SCOPES), "state": "s", "nonce": "n",
        }
        if verifier:
            challenge = unpadded(hashlib.sha256(verifier.encode()).digest()) if method == "S256" else verifier
            fields |= {"code_challenge": challenge, "code_challenge_method": method}
        return f"{self.metadata['authorization_endpoint']}?{urlencode(fields)}"

    def answer(self, verifier, method="S256"):
        location = Browser(self.rig).authorize(self.request(verifier, method))
        return dict(parse_qsl(urlsplit(location).query))

    def token(self, **fields):
        return requests.post(self.metadata["token_endpoint"], data={"client_id": CLIENT} | fields, timeout=PATIENCE)

    def exchange(self, code, **fields):
        return self.token(grant_type="authorization_code", code=code, redirect_uri=self.redirect_uri, **fields)

    def refresh(self, token):
        return self.token(grant_type="refresh_token", refresh_token=token)

    def sign_in(self):
        verifier = unpadded(secrets.token_bytes(32))
        return self.exchange(self.answer(verifier)["code"], code_verifier=verifier)


class Rules:
    """What both servers must do, so that a test against them is meaningful."""

    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(cls.kind())
        cls.flow = Flow(cls.rig)

    def test_the_metadata_names_the_rigs_own_issuer_and_S256(self):
        self.assertEqual(self.flow.metadata["issuer"], self.rig.issuer)
        self.assertIn("S256", self.flow.metadata["code_challenge_methods_supported"])

    def test_code_and_PKCE_give_tokens(self):
        tokens = self.flow.sign_in().json()
        self.assertEqual(tokens["token_type"].lower(), "bearer")
        self.assertIn("id_token", tokens)
        self.assertTrue(self.rig.is_active(tokens["access_token"]))

    def test_a_wrong_or_missing_verifier_is_refused(self):
        for fields in [{"code_verifier": unpadded(secrets.token_bytes(32))}, {}]:
            code = self.flow.answer(unpadded(secrets.token_bytes(32)))["code"]
            self.assertGreaterEqual(self.flow.exchange(code, **fields).status_code, 400)

    def test_a_code_can_be_used_once(self):
        verifier = unpadded(secrets.token_bytes(32))
        code = self.flow.answer(verifier)["code"]
        self.assertEqual(self.flow.exchange(code, code_verifier=verifier).status_code, 200)
        self.assertGreaterEqual(self.flow.exchange(code, code_verifier=verifier).status_code, 400)

    def test_a_refresh_token_rotates_and_its_reuse_ends_the_family(self):
        first = self.flow.sign_in().json()["refresh_token"]
        second = self.flow.refresh(first).json()["refresh_token"]
        self.assertNotEqual(first, second)
        self.assertGreaterEqual(self.flow.refresh(first).status_code, 400)
        self.assertGreaterEqual(self.flow.refresh(second).status_code, 400)

    def test_the_device_flow_waits_for_the_person(self):
        scope = " ".join(SCOPES)
        fields = {"client_id": self.rig.device_client, "scope": scope}
        device = requests.post(self.rig.device_endpoint, data=fields, timeout=PATIENCE).json()
        grant = {
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device["device_code"],
            "client_id": self.rig.device_client,
        }
        self.assertEqual(self.flow.token(**grant).json()["error"], "authorization_pending")
        Browser(self.rig).approve_device(device["user_code"], scope)
        time.sleep(1.2)
        self.assertIn("access_token", self.flow.token(**grant).json())


class GlewlwydTests(Rules, unittest.TestCase):
    kind = Glewlwyd

    def test_the_method_plain_and_a_missing_challenge_are_refused(self):
        self.assertIn("error", self.flow.answer("v" * 43, "plain"))
        self.assertIn("error", self.flow.answer(None))

    def test_the_response_names_the_issuer(self):
        self.assertEqual(self.flow.answer("v" * 43)["iss"], self.rig.issuer)

    def test_a_refused_refresh_has_an_empty_body(self):
        answer = self.flow.refresh("no such token")
        self.assertEqual((answer.status_code, answer.text), (400, ""))


class DjangoOAuthToolkitTests(Rules, unittest.TestCase):
    kind = DjangoOAuthToolkit

    def test_the_client_id_alone_is_enough_to_revoke_a_token(self):
        tokens = self.flow.sign_in().json()
        data = {"token": tokens["access_token"], "client_id": CLIENT}
        requests.post(self.rig.issuer + "/revoke_token/", data=data, timeout=PATIENCE).raise_for_status()
        self.assertFalse(self.rig.is_active(tokens["access_token"]))


if __name__ == "__main__":
    unittest.main()
