"""Signs in on the page in a real browser (headless Chromium) and saves a screenshot of it.

Usage: browser.py COMMAND [SCREENSHOT]; needs chromium (apt-get install chromium).
"""

import http.server
import os
import shutil
import sys
import tempfile
import threading
import urllib.parse

os.environ["PGHD"] = sys.argv[1]
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from server import Server, session  # noqa: E402


class Callback(http.server.BaseHTTPRequestHandler):
    """The client's side of the redirect."""

    def do_GET(self):
        if self.path.startswith("/callback"):
            self.server.answered = self.path
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<title>Done</title>")

    def log_message(self, *_):
        pass


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        sys.exit("browser.py: there is no chromium with its driver (apt-get install chromium chromium-driver)")
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Callback)
    listener.answered = None
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    with Server("--memory") as server, tempfile.TemporaryDirectory() as profile:
        client = session(server)
        client.redirect_uri = f"http://127.0.0.1:{listener.server_address[1]}/callback"
        verifier = "b" * 64
        url, state = client.create_authorization_url(f"{server.issuer}/authorize", code_verifier=verifier)
        options = webdriver.ChromeOptions()
        for option in ["--headless=new", "--no-sandbox", "--window-size=800,900", f"--user-data-dir={profile}"]:
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.binary_location = shutil.which("chromium")
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            browser.get(url)
            if len(sys.argv) > 2:
                browser.save_screenshot(sys.argv[2])
            styled = browser.find_element(By.TAG_NAME, "main").value_of_css_property("background-color")
            assert styled == "rgba(255, 255, 255, 1)", f"the page's style was refused: {styled}"
            browser.find_element(By.NAME, "password").send_keys("wrong")
            browser.find_element(By.CSS_SELECTOR, "button[value=allow]").click()
            WebDriverWait(browser, 20).until(lambda page: page.find_elements(By.CSS_SELECTOR, "[role=alert]"))
            browser.find_element(By.NAME, "password").send_keys(server.addresses["password"])
            browser.find_element(By.CSS_SELECTOR, "button[value=allow]").click()
            WebDriverWait(browser, 20).until(lambda _: listener.answered)
            complaints = [entry["message"] for entry in browser.get_log("browser") if "Content Security" in entry["message"]]
            assert not complaints, complaints
        finally:
            browser.quit()
        assert urllib.parse.parse_qs(urllib.parse.urlsplit(listener.answered).query)["state"] == [state]
        client.fetch_token(
            f"{server.issuer}/token", authorization_response=f"http://127.0.0.1{listener.answered}", state=state,
            code_verifier=verifier,
        )
        assert client.get(f"{server.fhir}/Observation").json()["total"] == 0
    print("signed in by the page in Chromium")


if __name__ == "__main__":
    main()
