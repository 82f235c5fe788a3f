"""A person with a browser, in a few lines: opens an address, signs in, agrees, follows the redirect."""

import html
import re
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

from rigs import CLIENT, PASSWORD, PATIENCE, USER, Glewlwyd


class Browser:
    """Signed in at one rig."""

    def __init__(self, rig):
        self.rig = rig
        self.session = requests.Session()

    def authorize(self, url):
        """Opens the authorization request and returns where the server sends the browser with the result."""
        query = parse_qs(urlsplit(url).query)
        redirect_uri = query["redirect_uri"][0]
        self.rig.allow_redirect(redirect_uri)
        if isinstance(self.rig, Glewlwyd):
            self.sign_in_to_glewlwyd(query["scope"][0])
            # What its login page adds once the person has agreed.
            url += "&g_continue"
        answer = self.session.get(url, allow_redirects=False, timeout=PATIENCE)
        for _ in range(12):
            location = answer.headers.get("Location")
            if location:
                location = urljoin(answer.url, location)
                if location.startswith(redirect_uri):
                    return location
                answer = self.session.get(location, allow_redirects=False, timeout=PATIENCE)
            else:
                answer = self.submit(answer)
        raise AssertionError(f"no redirect, but {answer.status_code} from {answer.url}")

    def sign_in(self, url):
        """The whole sign-in: returns the listener's answer to the redirect."""
        return self.session.get(self.authorize(url), allow_redirects=False, timeout=PATIENCE)

    def sign_in_to_glewlwyd(self, scope):
        # Two calls of its login page's API.
        body = {"username": USER, "password": PASSWORD}
        self.session.post(f"{self.rig.api}/auth", json=body, timeout=PATIENCE).raise_for_status()
        grant = f"{self.rig.api}/auth/grant/{CLIENT}"
        self.session.put(grant, json={"scope": scope}, timeout=PATIENCE).raise_for_status()

    def submit(self, page, follows=False, **more):
        """Fills in a form: a login form, or one with the given fields."""
        form = re.search(r"<form[^>]*>(.*?)</form>", page.text, re.S)
        if not form:
            raise AssertionError(f"no form, but {page.status_code}: {page.text[:200]}")
        fields = {}
        for field in re.findall(r"<input[^>]*>", form[1]):
            name = re.search(r"name=[\"']([^\"']+)", field)
            value = re.search(r"value=[\"']([^\"']*)", field)
            if name:
                fields[name[1]] = html.unescape(value[1]) if value else ""
        fields.update(more or {"username": USER, "password": PASSWORD})
        return self.session.post(
            page.url, data=fields, headers={"Referer": page.url}, allow_redirects=follows, timeout=PATIENCE
        )

    def approve_device(self, user_code, scope):
        """Enters the device flow's code and agrees."""
        if isinstance(self.rig, Glewlwyd):
            self.sign_in_to_glewlwyd(scope)
            url = f"{self.rig.issuer}/device"
            query = {"code": user_code, "g_continue": ""}
            answer = self.session.get(url, params=query, allow_redirects=False, timeout=PATIENCE)
            assert "error" not in answer.headers.get("Location", ""), answer.headers
            return
        page = self.session.get(f"{self.rig.issuer}/device/", timeout=PATIENCE)
        for fields in [{}, {"user_code": user_code}, {"action": "accept"}]:
            # The server's login page, its form for the code, its question.
            page = self.submit(page, follows=True, **fields)
        assert page.url.rstrip("/").endswith(user_code) and "authorized" in page.text.lower(), page.text[:2000]
