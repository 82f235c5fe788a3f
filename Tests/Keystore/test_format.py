#!/usr/bin/env python3
"""Opens the committed keystores by following docs/formats.md alone, with another library's ciphers.

Run it with .venv-sign-in/bin/python, which has them.
"""

import hashlib
import unittest
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FOLDER = Path(__file__).resolve().parents[1] / "CredentialStoreTests/Keystores"
PASSPHRASE = b"correct horse battery staple"


def number(data):
    return int.from_bytes(data, "big")


def entries(table):
    count, at = number(table[:4]), 4

    def text():
        nonlocal at
        size = number(table[at:at + 4])
        at += 4 + size
        return table[at - size:at]

    result = {text().decode(): text() for _ in range(count)}
    assert at == len(table)
    return result


def opened(data):
    assert data[:8] == b"pghdkeys" and data[8] == 1
    derived = hashlib.scrypt(
        PASSPHRASE, salt=data[12:44], n=1 << data[9], r=data[10], p=data[11], maxmem=1 << 28, dklen=48
    )
    assert derived[32:] == data[44:60]
    return entries(AESGCM(derived[:32]).decrypt(data[68:80], data[80:], data[:80]))


class FormatTests(unittest.TestCase):
    def test_S26_another_library_opens_the_committed_keystore(self):
        data = (FOLDER / "version-1.keystore").read_bytes()
        self.assertEqual(opened(data), {
            "https://ehr.example.org/fhir": b'{"refreshToken":"canary-other"}',
            "https://fhir.example.org/r4": b'{"refreshToken":"canary-refresh"}',
        })
        self.assertEqual(number(data[60:68]), 7)


if __name__ == "__main__":
    unittest.main()
