"""The issuer, used by authlib as an OAuth and OpenID client.

    .venv-server/bin/python Tests/Server/test_sign_in.py
"""

import unittest
import urllib.parse

import requests
from authlib.integrations.base_client.errors import OAuthError
from joserfc import jwt
from joserfc.jwk import KeySet

from server import REDIRECT, Server, session, sign_in


class SignInTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--memory", "--auto-approve")

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def test_code_and_pkce_give_a_token_that_reads(self):
        client = sign_in(self.server)
        self.assertEqual(client.token["token_type"], "Bearer")
        self.assertEqual(client.token["patient"], "demo")
        self.assertEqual(client.get(f"{self.server.fhir}/Observation").json()["total"], 0)

    def test_a_wrong_verifier_is_refused(self):
        client = session(self.server)
        url, state = client.create_authorization_url(f"{self.server.issuer}/authorize", code_verifier="a" * 64)
        answer = client.get(url, withhold_token=True, allow_redirects=False)
        with self.assertRaises(OAuthError) as caught:
            client.fetch_token(
                f"{self.server.issuer}/token", authorization_response=answer.headers["Location"], state=state,
                code_verifier="b" * 64,
            )
        self.assertEqual(caught.exception.error, "invalid_grant")

    def test_a_refresh_rotates_and_its_reuse_ends_the_family(self):
        client = sign_in(self.server)
        first = client.token["refresh_token"]
        second = client.refresh_token(f"{self.server.issuer}/token", refresh_token=first)["refresh_token"]
        self.assertNotEqual(first, second)
        for token in [first, second]:
            with self.assertRaises(OAuthError) as caught:
                client.refresh_token(f"{self.server.issuer}/token", refresh_token=token)
            self.assertEqual(caught.exception.error, "invalid_grant")
        self.assertEqual(client.get(f"{self.server.fhir}/Observation").status_code, 401)

    def test_revoking_the_refresh_token_ends_the_access_token_too(self):
        client = sign_in(self.server)
        answer = client.revoke_token(
            f"{self.server.issuer}/revoke", token=client.token["refresh_token"], token_type_hint="refresh_token",
        )
        self.assertEqual(answer.status_code, 200)
        self.assertEqual(client.get(f"{self.server.fhir}/Observation").status_code, 401)

    def test_the_id_token_is_signed_by_the_published_key(self):
        client = session(self.server, scope="openid fhirUser patient/*.read")
        verifier = "n" * 64
        url, state = client.create_authorization_url(
            f"{self.server.issuer}/authorize", code_verifier=verifier, nonce="once"
        )
        answer = client.get(url, withhold_token=True, allow_redirects=False)
        token = client.fetch_token(
            f"{self.server.issuer}/token", authorization_response=answer.headers["Location"], state=state,
            code_verifier=verifier,
        )
        discovered = requests.get(f"{self.server.issuer}/.well-known/openid-configuration").json()
        self.assertEqual(discovered["issuer"], self.server.issuer)
        keys = KeySet.import_key_set(requests.get(discovered["jwks_uri"]).json())
        claims = jwt.decode(token["id_token"], keys, algorithms=["ES256"]).claims
        # The token was issued after the sign-in.
        self.assertLessEqual(0, claims["iat"] - claims.pop("auth_time"))
        claims.pop("iat"), claims.pop("exp")
        self.assertEqual(
            claims,
            {
                "iss": self.server.issuer, "sub": "demo", "aud": "pghd", "nonce": "once",
                "fhirUser": f"{self.server.fhir}/Patient/demo",
            },
        )

    def test_the_authorization_response_names_the_issuer(self):
        client = session(self.server)
        url, _ = client.create_authorization_url(f"{self.server.issuer}/authorize", code_verifier="c" * 64)
        location = client.get(url, withhold_token=True, allow_redirects=False).headers["Location"]
        self.assertTrue(location.startswith(REDIRECT))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        self.assertEqual(query["iss"], self.server.issuer)


if __name__ == "__main__":
    unittest.main()
