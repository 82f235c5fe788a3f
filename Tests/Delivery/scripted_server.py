"""A FHIR server that misbehaves on request: tests check what it stores down to the last resource.

It knows transactions of PUT and of POST with ifNoneExist, conditional updates, reads and searches
by identifier. `faults` is a list of dictionaries; each POST of a Bundle takes the first one, which
says what is to go wrong before or after the Bundle is stored.
"""

import gzip
import hashlib
import http.server
import itertools
import json
import re
import socket
import struct
import threading
import time
import urllib.parse

from delivery import named

FOREIGN = {
    "resourceType": "Observation", "status": "final", "subject": {"reference": "Patient/other"},
    "code": {"text": "of somebody else"}, "identifier": [{"system": "urn:oid:1.2.3", "value": "7"}],
}


class Store:
    """Resources by type and id, and how often each was created or changed."""

    def __init__(self):
        self.resources = {}
        self.versions = {}
        self.names = {}  # (type, system, value) → names; with the system None, the names of all systems
        self.next_id = 1

    def put(self, name, resource):
        old = self.resources.get(name)
        resource = dict(resource, id=name.split("/")[1])
        if old == resource:
            return 200
        self.resources[name] = resource
        for identifier in resource.get("identifier", []):
            for system in identifier.get("system"), None:
                names = self.names.setdefault((name.split("/")[0], system, identifier.get("value")), [])
                if name not in names:
                    names.append(name)
        self.versions[name] = self.versions.get(name, 0) + 1
        return 201 if old is None else 200

    def find(self, kind, query):
        token = urllib.parse.parse_qs(query).get("identifier", [""])[0]
        system, _, value = token.rpartition("|")
        return [name for name in self.names.get((kind, system or None, value), []) if name in self.resources]

    def new_name(self, kind):
        self.next_id += 1
        return f"{kind}/{self.next_id}"


class Refusal(Exception):
    def __init__(self, status):
        self.status = status


class ScriptedServer:
    """`with ScriptedServer() as server: … server.base …`"""

    # A ledger belongs to one server: a server at the same port, in this test or a parallel one, would be taken for it.
    # So the ports of servers that have ended stay reserved.
    held_ports = []

    def __init__(self, token=None, honours_if_none_exist=True, delay=0.0):
        self.store = Store()
        self.faults = []
        self.token = token
        self.honours_if_none_exist = honours_if_none_exist
        self.delay = delay
        self.wrong_headers = []  # what requests with a body said instead of what they should
        self.posts = []  # (key, entry count, status answered or None)
        self.bodies = {}  # key → digest of its bytes: one key must never stand for two
        self.answers = {}  # Idempotency-Key → answer, for /api/v1/observations
        self.remembers_all_keys = False  # whether its FHIR base does the same
        self.conflicting_keys = []
        self.keeps_refusals = False  # whether what was refused under a key is refused under that key for ever
        self.can_search = True
        self.can_read = True  # else every read gets 403
        self.has_search = True  # else every search gets 501; resources can still be read by id
        self.list_status = None  # or the answer to a search with a comma
        self.announces_gzip = False  # whether /metadata says that gzip bodies are accepted
        self.gzip_refusal = None  # or the answer to a gzip body
        self.packed = 0  # gzip bodies that were accepted
        self.clock_ahead = 0  # by how many seconds its `Date` is ahead
        self.last_updated = "2024-05-01T00:00:00Z"  # of every resource; None leaves it out
        self.takes_lists = True  # else a comma is part of the value, as for a server that doesn't know lists
        self.knows_systems = True  # else `identifier=SYSTEM|` finds nothing
        self.page_size = 1000
        self.numbers = itertools.count()
        # Or where every page's link leads: "itself", "again" (the same page under another address), "more" (what was
        # never asked for), "elsewhere" (an address outside the list), "nowhere" (no link, however much is left).
        self.next_links = None
        self.ignored = ()  # search parameters that are ignored
        self.read_delay = 0.0
        self.reads = []
        self.refused_ids = set()  # entries that are refused, by their identifier's value
        self.finishes = None  # how many entries of a Bundle it can handle in its time
        self.timeout_status = 408  # for those it can't handle
        self.entry_limit = None
        # The text of a refusal for too many entries; {} stands for the limit.
        self.limit_text = "CANARY value 72 is not allowed"
        self.byte_limit = None
        self.searches = []
        self.remembered = None  # or {}: what searches found, which is returned again unless the request forbids caching
        self.lock = threading.Lock()
        self.in_flight = 0
        self.gate = None  # an Event that posts wait for before anything is done with them
        self.gate_behind = 0  # except this many, the first ones
        self.begun = itertools.count()

    # ---- life

    def __enter__(self):
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Two small writes and delayed acknowledgements would cost 40 ms each.
            disable_nagle_algorithm = True
            wbufsize = -1

            def log_message(self, *_):
                pass

            def date_time_string(self, timestamp=None):
                return super().date_time_string(timestamp or time.time() + owner.clock_ahead)

            def do_POST(self):
                owner.handle_post(self)

            def do_GET(self):
                owner.handle_get(self)

            def do_PUT(self):
                owner.handle_put(self)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass

        self.http = Server(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.http.server_address[1]}/fhir"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, kind=None, *_):
        self.http.shutdown()
        self.http.server_close()
        held = socket.socket()
        # Connections to it may still be open.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(self.http.server_address)
        self.held_ports.append(held)
        if not kind and self.wrong_headers:
            raise AssertionError(f"requests came with {self.wrong_headers[:3]}")

    # ---- contents

    def ids(self, kind="Observation"):
        """How often each sample is stored, by our identifier."""
        counts = {}
        with self.lock:
            for name, resource in self.store.resources.items():
                if name.startswith(kind + "/"):
                    value = resource["identifier"][0]["value"]
                    counts[value] = counts.get(value, 0) + 1
        return counts

    def contents(self):
        """Everything that is stored, by kind and identifier; ids chosen by the server don't count."""
        with self.lock:
            entries = []
            for name, resource in self.store.resources.items():
                resource = {key: value for key, value in resource.items() if key != "id"}
                entries.append((name.split("/")[0], json.dumps(resource, sort_keys=True)))
            return sorted(entries)

    def named_contents(self):
        """Everything that is stored, with links to what our identifiers name."""
        with self.lock:
            return named(self.store.resources)

    # ---- requests

    def note_headers(self, request, **wanted):
        """Notes a request that does not say what it brings and what it wants; the test then fails at its end."""
        wanted = {"Content-Type": "application/fhir+json", "Accept": "application/fhir+json", **wanted}
        found = {name: request.headers.get(name) for name in wanted}
        if found != wanted:
            self.wrong_headers.append(found)

    def handle_post(self, request):
        self.note_headers(request, Prefer="return=minimal")
        length = int(request.headers.get("Content-Length", 0))
        body = request.rfile.read(length)
        if len(body) < length:
            # The sender was killed: this is not a complete request.
            request.close_connection = True
            return
        if request.headers.get("Content-Encoding") == "gzip":
            if self.gzip_refusal:
                return self.send(request, self.gzip_refusal, outcome("not-supported"))
            body = gzip.decompress(body)
            with self.lock:
                self.packed += 1
        with self.lock:
            self.in_flight += 1
            fault = self.next_fault()
            number = next(self.begun)
        try:
            if self.gate and number >= self.gate_behind:
                self.gate.wait(120)
            self.answer_post(request, body, fault)
        finally:
            with self.lock:
                self.in_flight -= 1

    def next_fault(self):
        """The first of the list; one with `seconds` stays first for that long."""
        while self.faults:
            fault = self.faults[0]
            if "seconds" in fault and time.monotonic() - fault.setdefault("began", time.monotonic()) < fault["seconds"]:
                return fault
            self.faults.pop(0)
            if "seconds" not in fault:
                return fault
        return {}

    def answer_post(self, request, body, fault):
        key = request.headers.get("Idempotency-Key")
        kind = fault.get("kind")
        if self.delay:
            time.sleep(self.delay)
        if fault.get("sleep"):
            time.sleep(fault["sleep"])
        if kind == "reset-before":
            self.note(key, body, None)
            return self.reset(request)
        if kind == "status":
            self.note(key, body, fault["status"])
            headers = fault.get("headers")
            headers = headers() if callable(headers) else headers
            return self.send(request, fault["status"], fault.get("body", outcome("transient")), headers)
        if kind == "redirect":
            self.note(key, body, 307)
            return self.send(request, fault.get("status", 307), b"", {"Location": fault["to"]})
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            self.note(key, body, 401)
            return self.send(request, 401, outcome("login"), {"WWW-Authenticate": "Bearer"})
        status, answer = self.transaction(request, key, body, fault)
        self.note(key, body, status)
        if kind == "reset-after":
            return self.reset(request)
        if kind == "half":
            request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/fhir+json\r\n")
            request.wfile.write(b"Content-Length: %d\r\n\r\n" % len(answer) + answer[: len(answer) // 2])
            request.wfile.flush()
            return self.reset(request)
        if kind == "half-whole":
            # The length is that of the half: HTTP sees nothing wrong.
            return self.send(request, 200, answer[: len(answer) // 2])
        if kind == "empty":
            return self.send(request, 200, b"")
        if kind == "late":
            # Everything is stored, but a proxy has timed out meanwhile.
            return self.send(request, fault["status"], fault.get("body", outcome("timeout")))
        if kind == "type":
            return self.send(request, 200, answer, {"Content-Type": fault["type"]})
        if kind == "outcome":
            return self.send(request, 200, outcome("informational"))
        if kind == "dribble":
            request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer))
            for start in range(0, len(answer), len(answer) // 20 + 1):
                request.wfile.write(answer[start : start + len(answer) // 20 + 1])
                request.wfile.flush()
                time.sleep(0.02)
            return None
        if kind == "page":
            return self.send(request, 200, b"<html>Welcome</html>", {"Content-Type": "text/html"})
        if kind == "short":
            bundle = json.loads(answer)
            bundle["entry"].pop()
            return self.send(request, 200, json.dumps(bundle).encode())
        if kind == "huge":
            return self.send(request, 200, answer + b" " * (17 << 20))
        if kind == "long":
            bundle = json.loads(answer)
            bundle["entry"].append(bundle["entry"][0])
            return self.send(request, 200, json.dumps(bundle).encode())
        self.send(request, status, answer)

    def note(self, key, body, status):
        with self.lock:
            digest = hashlib.sha256(body).hexdigest()
            if self.bodies.setdefault(key, digest) != digest:
                self.conflicting_keys.append(key)
            try:
                count = len(json.loads(body)["entry"])
            except ValueError:
                count = -1
            self.posts.append((key, count, status))

    def transaction(self, request, key, body, fault):
        by_key = request.path.endswith("/api/v1/observations")
        with self.lock:
            by_key = by_key or self.remembers_all_keys
            if by_key and key in self.answers:
                return self.answers[key]
            if self.byte_limit and len(body) > self.byte_limit:
                return 413, outcome("too-long")
            try:
                bundle = json.loads(body)
            except ValueError:
                return 400, outcome("structure")
            entries = bundle["entry"]
            if self.finishes and len(entries) > self.finishes:
                return self.timeout_status, outcome("timeout")
            if self.entry_limit and len(entries) > self.entry_limit:
                return 400, outcome("too-costly", self.limit_text.format(self.entry_limit))
            if any(value(entry) in self.refused_ids for entry in entries):
                refusal = fault.get("refusal", 422), outcome("invalid")
                if by_key and self.keeps_refusals:
                    self.answers[key] = refusal
                return refusal
            failing = fault.get("entries", {})
            before = (dict(self.store.resources), dict(self.store.versions))
            links = {}
            answers = []
            try:
                for entry in entries:
                    match = self.match(entry)
                    if "fullUrl" in entry:
                        links[entry["fullUrl"]] = match or self.store.new_name(entry["resource"]["resourceType"])
                for number, entry in enumerate(entries):
                    if number in failing:
                        answers.append({"response": {"status": str(failing[number]), "outcome": issue("throttled")}})
                        continue
                    # As some servers do: the entry is stored, but its answer reports an error.
                    status = self.store_entry(entry, links)
                    answers.append({"response": {"status": str(fault.get("told", {}).get(number, status))}})
            except Refusal as refusal:
                self.store.resources, self.store.versions = before
                return refusal.status, outcome("conflict")
            answer = {"resourceType": "Bundle", "type": "transaction-response", "entry": answers}
            result = (200, json.dumps(answer).encode())
            if by_key:
                self.answers[key] = result
            return result

    def match(self, entry):
        request = entry["request"]
        if request["method"] == "POST" and "ifNoneExist" in request and self.honours_if_none_exist:
            found = self.store.find(request["url"], request["ifNoneExist"])
        elif request["method"] == "PUT" and "?" in request["url"]:
            found = self.store.find(*request["url"].split("?"))
        else:
            return None
        if len(found) > 1:
            raise Refusal(412)
        return found[0] if found else None

    def store_entry(self, entry, links):
        request, text = entry["request"], json.dumps(entry["resource"])
        for link, name in links.items():
            text = text.replace(f'"{link}"', f'"{name}"')
        text = re.sub(r'(?<="reference": ")(\w+)\?([^"]+)', lambda found: self.referred(*found.groups()), text)
        resource = json.loads(text)
        if request["method"] == "PUT" and "?" not in request["url"]:
            return f"{self.store.put(request['url'], resource)} OK"
        found = self.match(entry)
        if found and request["method"] == "POST":
            return "200 OK"
        name = found or links.get(entry.get("fullUrl")) or self.store.new_name(resource["resourceType"])
        return f"{self.store.put(name, resource)} OK"

    def referred(self, kind, query):
        """The resource that a conditional reference names."""
        found = self.store.find(kind, query)
        if len(found) != 1:
            raise Refusal(412)
        return found[0]

    def handle_get(self, request):
        url = urllib.parse.urlsplit(request.path)
        path = url.path.removeprefix("/fhir").strip("/")
        time.sleep(self.read_delay)
        with self.lock:
            self.reads.append(request.path)
            if not self.can_read and path != "metadata":
                return self.send(request, 403, outcome("forbidden"))
            if not self.can_search and path != "metadata":
                return self.send(request, 404, outcome("not-found"))
            if path == "metadata":
                codings = {"Accept-Encoding": "deflate;q=0.5, gzip"} if self.announces_gzip else None
                return self.send(request, 200, json.dumps(self.capabilities()).encode(), codings)
            if "/" in path:
                resource = self.store.resources.get(path)
                if resource is None:
                    return self.send(request, 404, outcome("not-found"))
                version = str(self.store.versions[path])
                return self.send(request, 200, json.dumps(self.returned(path)).encode(), {"ETag": f'W/"{version}"'})
            if not self.has_search:
                return self.send(request, 501, outcome("not-supported"))
            self.searches.append(request.path)
            if self.list_status and "," in urllib.parse.unquote(url.query):
                return self.send(request, self.list_status, outcome("exception"))
            page = json.dumps(self.search(path, urllib.parse.parse_qs(url.query))).encode()
            if self.remembered is not None and request.headers.get("Cache-Control") != "no-cache":
                page = self.remembered.setdefault(request.path, page)
            self.send(request, 200, page)

    def search(self, kind, query):
        """A page of the results of a search by `_id` or identifier (also lists and systems) and by patient."""
        query = {name: texts for name, texts in query.items() if name not in self.ignored}
        ids = query.get("_id", [""])[0]
        tokens = query.get("identifier", [""])[0]
        values = [ids or tokens] if not self.takes_lists else (ids or tokens).split(",")
        if ids:
            found = [f"{kind}/{value}" for value in values if f"{kind}/{value}" in self.store.resources]
        elif tokens.endswith("|"):
            found = [
                name for (type_, system, _), names in self.store.names.items() for name in names
                if type_ == kind and system == tokens[:-1] and name in self.store.resources and self.knows_systems
            ]
        elif tokens:
            # Ordered by id, as servers do, not in the order of the query.
            found = sorted(name for value in values for name in self.store.find(kind, f"identifier={value}"))
        else:
            found = sorted(name for name in self.store.resources if name.startswith(kind + "/"))
        if patient := query.get("patient", [""])[0]:
            found = [name for name in found if self.is_of(patient, self.store.resources[name])]
        start = int(query.get("_start", ["0"])[0])
        count = min(int(query.get("_count", ["50"])[0]), self.page_size)
        page = found[start : start + count] if query.get("_summary") != ["count"] else []
        bundle = {"resourceType": "Bundle", "type": "searchset", "total": len(found)}
        if page and start + count < len(found):
            following = {**{name: texts[0] for name, texts in query.items()}, "_start": start + count}
            url = f"{self.base}/{kind}?{urllib.parse.urlencode(following)}"
            bundle["link"] = [{"relation": "next", "url": url}]
        if self.next_links and (self.next_links not in ("more", "elsewhere") or "_elements" in query):
            following = {name: texts[0] for name, texts in query.items()}
            if self.next_links != "itself":
                following["_again"] = int(following.get("_again", 0)) + 1
            url = f"{self.base}/{kind}?{urllib.parse.urlencode(following, safe=',|:/')}"
            if self.next_links == "elsewhere":
                url = "https://elsewhere.example.org/pages/2"
            bundle["link"] = [{"relation": "next", "url": url}] if self.next_links != "nowhere" else []
        bundle["entry"] = [{"resource": self.returned(name)} for name in page]
        if self.next_links == "more" and "_elements" in query:
            for entry in bundle["entry"]:
                entry["resource"]["id"] = f"x{next(self.numbers)}"
        return bundle

    @staticmethod
    def is_of(patient, resource):
        reference = resource.get("subject", resource.get("patient", {})).get("reference")
        return reference in (None, f"Patient/{patient}")

    def returned(self, name):
        """A resource as servers return it: with their own additions, in their own form."""
        resource = self.store.resources[name]
        meta = dict(resource.get("meta", {}), versionId=str(self.store.versions[name]), source="#1")
        if self.last_updated:
            meta["lastUpdated"] = self.last_updated
        text = {"status": "generated", "div": "<div>made by the server</div>"}
        return dict(sorted(dict(resource, meta=meta, text=text).items(), reverse=True))

    def handle_put(self, request):
        self.note_headers(request)
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        path = urllib.parse.urlsplit(request.path).path.removeprefix("/fhir").strip("/")
        with self.lock:
            condition = request.headers.get("If-Match")
            version = f'W/"{self.store.versions.get(path, 0)}"'
            if condition and condition != version:
                return self.send(request, 412, outcome("conflict"))
            self.send(request, self.store.put(path, json.loads(body)), b"")

    def capabilities(self):
        kind = {"updateCreate": True, "conditionalCreate": True, "conditionalUpdate": True}
        kinds = ["Observation", "Device", "DocumentReference", "VisionPrescription", "Patient"]
        return {
            "resourceType": "CapabilityStatement",
            "fhirVersion": "4.0.1",
            "rest": [
                {
                    "mode": "server",
                    "resource": [dict(kind, type=name) for name in kinds],
                    "interaction": [{"code": "transaction"}],
                }
            ],
        }

    @staticmethod
    def send(request, status, body, headers=None):
        fields = {"Content-Type": "application/fhir+json", "Content-Length": str(len(body)), **(headers or {})}
        if "Date" in fields:
            request.send_response_only(status)
        else:
            request.send_response(status)
        for name, text in fields.items():
            request.send_header(name, text)
        request.end_headers()
        request.wfile.write(body)
        request.wfile.flush()

    @staticmethod
    def reset(request):
        request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.close_connection = True
        request.wfile.close()
        request.rfile.close()
        request.connection.close()


class OddServer(ScriptedServer):
    """A test switches on what it does oddly."""

    def __init__(self, **options):
        super().__init__(**options)
        self.ignores_identifiers = False  # a search finds what there is
        self.hidden = set()  # names for which a search for one alone finds somebody else's
        self.tells_totals = True
        self.late_searches = 0  # how many searches find nothing yet
        self.deleted = set()  # names that were deleted on purpose: 410
        self.read_status = None  # or the answer to every read of a resource
        self.sends_etag = True  # else a read gives the version in the body only
        self.between = None  # called between a read and what follows
        self.is_batch = False
        self.renames = False  # a PUT gets an id chosen by the server
        self.locates = None  # how an answer names a resource: its name → location
        self.keeps_patients = False  # honours ifNoneMatch: *
        self.says_unchanged = False  # 304 for what is there as it is
        self.crashes_at = set()  # identifiers' values: a Bundle with one of them gets 500
        self.fails_once_posted = False  # whether reads get 500 once a Bundle did
        self.maximum_count = None  # or the limit on `_count`
        self.counts = True  # else `_summary` gets 400
        self.estimates = None  # or what a total is multiplied by on each page but the last
        self.last_page = None  # or after how many of a list there is no link any more, however many are left
        self.conflicts_at = set()  # identifiers' values: a Bundle with one of them gets 409, each time
        self.moved = None  # or where every read is redirected to

    def search(self, kind, query):
        if self.ignores_identifiers:
            query = {name: texts for name, texts in query.items() if name != "identifier"}
            found = [name for name in self.store.resources if name.startswith(kind + "/")]
            entries = [{"resource": self.returned(name)} for name in found]
            return {"resourceType": "Bundle", "type": "searchset", "total": len(found), "entry": entries}
        if query.get("identifier", [""])[0].split("|")[-1] in self.hidden:
            entries = [{"resource": dict(FOREIGN, id="foreign")}]
            return {"resourceType": "Bundle", "type": "searchset", "total": 1, "entry": entries}
        if not self.tells_totals:
            query = {name: texts for name, texts in query.items() if name != "_summary"}
        page = super().search(kind, query)
        if not self.tells_totals:
            del page["total"]
        if self.estimates and page.get("link"):
            page["total"] = int(page["total"] * self.estimates)
        if self.last_page and int(query.get("_start", ["0"])[0]) + len(page["entry"]) >= self.last_page:
            page.pop("link", None)
        if self.late_searches > 0:
            self.late_searches -= 1
            page["entry"], page["total"] = [], 0
        return page

    def handle_get(self, request):
        path = request.path.removeprefix("/fhir/").split("?")[0]
        is_resource = "/" in path
        if self.fails_once_posted and any(status == 500 for _, _, status in self.posts):
            return self.send(request, 500, outcome("exception"))
        if self.moved:
            return self.send(request, 301, b"", {"Location": self.moved})
        if not self.counts and "_summary" in request.path:
            return self.send(request, 400, outcome("not-supported"))
        count = re.search("_count=([0-9]+)", request.path)
        if self.maximum_count and count and int(count[1]) > self.maximum_count:
            return self.send(request, 400, outcome("invalid"))
        if path in self.deleted:
            return self.send(request, 410, b"{}")
        if is_resource and self.read_status:
            return self.send(request, self.read_status, b"{}")
        if is_resource and not self.sends_etag and path in self.store.resources:
            self.send(request, 200, json.dumps(self.returned(path)).encode())
        else:
            super().handle_get(request)
        if is_resource and self.between:
            self.between(path)

    def send(self, request, status, body, headers=None):
        if not self.sends_etag and headers:
            headers = {name: text for name, text in headers.items() if name != "ETag"}
        ScriptedServer.send(request, status, body, headers)

    def store_entry(self, entry, links):
        name = entry["request"]["url"]
        if self.keeps_patients and entry["request"].get("ifNoneMatch") == "*" and name in self.store.resources:
            raise Refusal(412)
        if self.says_unchanged and self.store.resources.get(name) == entry["resource"]:
            return "304 Not Modified"
        if self.renames and entry["request"]["method"] == "PUT":
            name = self.store.new_name(entry["resource"]["resourceType"])
            return f"{self.store.put(name, entry['resource'])} OK"
        return super().store_entry(entry, links)

    def transaction(self, request, key, body, fault):
        if any(value.encode() in body for value in self.crashes_at):
            return 500, outcome("exception")
        if any(value.encode() in body for value in self.conflicts_at):
            return 409, outcome("conflict")
        first = self.store.next_id
        status, answer = super().transaction(request, key, body, fault)
        if status != 200:
            return status, answer
        bundle = json.loads(answer)
        if self.is_batch:
            bundle["type"] = "batch-response"
        if self.locates:
            for number, (entry, sent) in enumerate(zip(bundle["entry"], json.loads(body)["entry"])):
                name = f"{sent['resource']['resourceType']}/{first + number}" if self.renames else sent["request"]["url"]
                entry["response"]["location"] = self.locates(name)
        return status, json.dumps(bundle).encode()

    def marked(self):
        return sorted(name for name, r in self.store.resources.items() if r.get("status") == "entered-in-error")


class LateStore(Store):
    """Finds a resource only `lag` seconds after it was first stored."""

    def __init__(self, lag):
        super().__init__()
        self.lag = lag
        self.found_from = {}

    def put(self, name, resource):
        self.found_from.setdefault(name, time.monotonic() + self.lag)
        return super().put(name, resource)

    def knows(self, name):
        return self.found_from[name] < time.monotonic()

    def find(self, kind, query):
        return [name for name in super().find(kind, query) if self.knows(name)]


class LateIndex(ScriptedServer):
    """Its conditions are searches, as in R4, in an index that learns of a resource `lag` seconds after it is stored."""

    def __init__(self, lag, **options):
        super().__init__(**options)
        self.store = LateStore(lag)

    def search(self, kind, query):
        page = super().search(kind, query)
        page["entry"] = [e for e in page["entry"] if self.store.knows(f"{kind}/{e['resource']['id']}")]
        page["total"] = len(page["entry"])
        return page


def value(entry):
    identifiers = entry["resource"].get("identifier", [])
    return identifiers[0]["value"] if identifiers else None


def issue(code, text="CANARY value 72 is not allowed"):
    # As servers do: they quote what they reject.
    return {
        "resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": code, "diagnostics": text}],
    }


def outcome(code, *text):
    return json.dumps(issue(code, *text)).encode()
