#!/usr/bin/env python3
"""What stands between us and a server, and what servers are free to do: proxies, page links, statuses, versions.

    python3 Tests/Delivery/test_interoperation.py
"""

import io
import json
import re
import subprocess
import sys
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import FOREIGN, OddServer, ScriptedServer, outcome, value

FORMS = [], ["--conditional"]


class InteroperationTestCase(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.keys = key_options(self.folder)
        self.passphrase = self.keys[2:]

    def export(self, name, samples, **more):
        return packed(exports.write(self.folder / f"{name}.xml", samples, **more))

    def ledger(self, name):
        # An existing keystore is opened for any server.
        return ["--ledger", str(self.folder / name), *self.passphrase]

    def assert_once(self, server, count):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))


class Statuses(InteroperationTestCase):
    """The answer may come from a proxy, and a status may be that of one entry."""

    def test_after_a_proxys_own_5xx_the_run_goes_on_and_stores_nothing_twice(self):
        for number, status in enumerate((520, 524, 530, 507)):
            samples = exports.samples(40, seed=number)
            first, second = self.export("first", samples[:20]), self.export("second", samples, day=2)
            for form in *FORMS, self.keys:
                with self.subTest(status=status, form=form[:2]), ScriptedServer() as server:
                    server.honours_if_none_exist = form is not self.keys
                    ledger = self.ledger(f"{status}{form[:2]}")
                    self.sync(first, server, *form, *ledger)
                    server.faults = [{"kind": "late", "status": status}]
                    self.sync(second, server, *form, *ledger)
                    self.assert_once(server, 60)

    def test_a_read_is_tried_again_after_a_proxys_own_5xx(self):
        path = self.export("export", exports.samples(20))

        class Server(OddServer):
            failures = 0

            def handle_get(self, request):
                if self.failures > 0 and "metadata" not in request.path:
                    self.failures -= 1
                    return self.send(request, 520, b"")
                super().handle_get(request)

        with Server() as server:
            self.sync(path, server)
            server.failures = 2
            code, report, said = self.run_pghd("verify", path, server)
            self.assertEqual((code, report["checked"], report["missing"]), (0, 32, 0), said)

    def test_what_a_key_only_server_stored_before_a_proxy_said_404_is_not_stored_again(self):
        samples = exports.samples(40)
        paths = [self.export(str(day), samples[: 10 * day], day=day) for day in (1, 2, 3)]
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(paths[0], server, *self.keys)
            server.faults = [{"kind": "late", "status": 404}]
            self.sync(paths[1], server, *self.keys, code=6)
            self.sync(paths[2], server, *self.keys)
            self.assert_once(server, 30)

    def test_a_status_that_one_entry_causes_for_its_bundle_keeps_back_only_that_entry(self):
        path = self.export("export", exports.samples(60))

        class Server(ScriptedServer):
            status = bad = None

            def transaction(self, request, key, body, fault):
                if self.bad in [value(entry) for entry in json.loads(body)["entry"]]:
                    return self.status, outcome("not-supported")
                return super().transaction(request, key, body, fault)

        with ScriptedServer() as server:
            self.sync(path, server, *self.ledger("other"))
            ids = list(server.ids())
        for status in (404, 405, 406, 410, 415, 501):
            for form in FORMS:
                with self.subTest(status=status, form=form), Server() as server:
                    server.status, server.bad = status, ids[70]
                    report = self.sync(path, server, *form, *self.ledger(f"{status}{form}"), code=6)
                    self.assertEqual((report["refused"], len(server.ids())), (1, 89))

    def test_a_404_from_a_wrong_address_refuses_no_entries(self):
        path = self.export("export", exports.samples(20))
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 404, "body": b"<html>"}]
            code, report, said = self.run_pghd("sync", path, server)
            self.assertEqual((code, report["refused"]), (64, 0))
            self.assertIn("check --server", said)

    def test_a_post_that_a_known_server_answers_with_404_is_left_to_a_later_run(self):
        samples = exports.samples(40)
        first, second = (self.export(name, samples[:count]) for name, count in (("first", 20), ("second", 40)))
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                self.sync(first, server, *form, *self.ledger(f"known{form}"))
                server.faults = [{"kind": "status", "status": 404, "body": b"<html>"}]
                code, report, said = self.run_pghd("sync", second, server, *form, *self.ledger(f"known{form}"))
                self.assertEqual((code, report["refused"]), (6, 0), said)
                self.assertIn("answered 404 after it took Bundles", said)
                server.faults = []
                self.sync(second, server, *form, *self.ledger(f"known{form}"))
                self.assert_once(server, 40)

    def test_a_404_with_an_issue_about_the_server_itself_refuses_no_entry(self):
        path = self.export("export", exports.samples(60))
        for code in "transient", "timeout", "throttled":
            for form in FORMS:
                with self.subTest(code=code, form=form), ScriptedServer() as server:
                    ledger = self.ledger(f"{code}{form}")
                    server.faults = [{}] + [{"kind": "status", "status": 404, "body": outcome(code)}] * 99
                    report = self.sync(path, server, *form, "--concurrency", "1", *ledger, code=6)
                    self.assertEqual((report["refused"], len(server.posts)), (0, 2))
                    server.faults = []
                    self.sync(path, server, *form, *ledger)
                    self.assert_once(server, 90)

    def test_a_405_is_explained_by_a_server_that_does_not_let_clients_choose_ids(self):
        path = self.export("export", exports.samples(20))
        with ScriptedServer() as server:
            server.capabilities = lambda: {"resourceType": "CapabilityStatement", "fhirVersion": "4.0.1"}
            server.faults = [{"kind": "status", "status": 405, "body": outcome("not-supported")}] * 1000
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(code, 6)
            self.assertIn("with 405 (expected a server that lets clients choose ids): use --conditional", said)

    def test_a_missing_patient_is_named_as_the_reason_for_refusals(self):
        path = self.export("export", exports.samples(20))
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 422}] * 1000
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(code, 6)
            self.assertIn("has no Patient/p1 (expected the patient whose data this is)", said)

    def test_a_missing_patient_is_not_blamed_for_bundles_that_are_too_large(self):
        path = self.export("export", exports.samples(20))
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 413}] * 1000
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(code, 6)
            self.assertNotIn("has no Patient", said)
            self.assertIn(".quarantine for its reasons", said)

    def test_a_patient_that_an_integration_server_does_not_show_is_not_blamed(self):
        path = self.export("export", exports.samples(20))
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 422}] * 1000
            code, _, said = self.run_pghd("sync", path, server, *self.keys)
            self.assertEqual(code, 6)
            self.assertIn("quarantine for its reasons", said)

    def test_a_patient_that_exists_is_not_blamed(self):
        path = self.export("export", exports.samples(20))
        with ScriptedServer() as server:
            server.store.put("Patient/p1", {"resourceType": "Patient"})
            server.faults = [{"kind": "status", "status": 422}] * 1000
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(code, 6)
            self.assertIn(".quarantine for its reasons", said)


class Website(ScriptedServer):
    """Answers with `page` for every path that is not below a FHIR base; for every path while `is_away`, as a proxy
    may."""

    page = 404, b"<html></html>"
    is_away = False
    posted = 0

    def is_elsewhere(self, request):
        return self.is_away or not request.path.startswith("/fhir")

    def handle_get(self, request):
        if self.is_elsewhere(request):
            return self.send(request, *self.page)
        super().handle_get(request)

    def handle_post(self, request):
        if self.is_elsewhere(request):
            request.rfile.read(int(request.headers["Content-Length"]))
            self.posted += 1
            return self.send(request, *self.page)
        super().handle_post(request)


class WrongAddress(InteroperationTestCase):
    def test_an_address_that_is_not_a_fhir_base_is_reported_before_anything_is_posted(self):
        path = self.export("export", exports.samples(20))
        bundles = self.convert(path)
        for page in (404, b"<html></html>"), (200, b"<html></html>"), (404, outcome("not-found")):
            for command, file, more in [
                ("sync", path, []), ("sync", path, ["--dry-run"]), ("sync", path, ["--conditional"]), ("verify", path, []),
                ("verify", path, ["--rebuild"]), ("send", bundles, []),
            ]:
                with self.subTest(page=page, command=command, more=more), Website() as server:
                    server.page = page
                    base = server.base.removesuffix("/fhir")
                    code, _, said = self.run_pghd(command, file, base, *more)
                    what, how = "404", ""
                    if page[0] == 200:
                        what, how = "200 with something else than FHIR in JSON", " and knows application/fhir+json"
                    wanted = (
                        f"pghd: {base}/: answered {what} (expected a FHIR server that takes transactions{how}): "
                        "check --server\n"
                    )
                    self.assertEqual((code, said, server.posted), (64, wanted, 0))

    def test_a_404_from_a_server_that_was_delivered_to_is_not_called_a_wrong_address(self):
        path = self.export("export", exports.samples(20))
        with Website() as server:
            self.sync(path, server)
            server.is_away = True
            code, _, said = self.run_pghd("verify", path, server)
            self.assertEqual(code, 6, said)
            self.assertIn(f"{server.base}/", said)
            self.assertIn("answered 404 to a read", said)


class Slash(InteroperationTestCase):
    def test_a_redirect_that_only_adds_a_slash_is_followed(self):
        path = self.export("export", exports.samples(20))

        class Server(ScriptedServer):
            def handle_post(self, request):
                if request.path in ("/fhir", "/fhir/api/v1/observations"):
                    request.rfile.read(int(request.headers["Content-Length"]))
                    location = self.location.format(host=self.base.removesuffix("/fhir"), path=request.path)
                    return self.send(request, 301, b"", {"Location": location})
                request.path = request.path.rstrip("/")
                super().handle_post(request)

        for location in "{host}{path}/", "{path}/":
            for form in *FORMS, self.keys:
                with self.subTest(location=location, form=form[:2]), Server() as server:
                    server.location = location
                    self.sync(path, server, *form, *self.ledger(location[1] + str(form[:2])))
                    self.assert_once(server, 30)

    def test_a_server_that_adds_one_more_slash_each_time_is_not_followed_for_ever(self):
        path = self.export("export", exports.samples(20))

        class Server(ScriptedServer):
            redirected = 0

            def handle_post(self, request):
                request.rfile.read(int(request.headers["Content-Length"]))
                self.redirected += 1
                # A client that would follow for ever gets an answer in the end.
                status = 308 if self.redirected < 50 else 500
                self.send(request, status, b"", {"Location": request.path + "/"})

        with Server() as server:
            code, _, said = self.run_pghd("sync", path, server, "--retry-for", "1")
            self.assertEqual((code, server.redirected), (3, 2), said)

    def test_a_redirect_that_does_more_than_add_a_slash_is_not_followed(self):
        path = self.export("export", exports.samples(20))
        for location in "http://127.0.0.2:9/fhir/", "/other/", "/fhir//", "http://localhost/fhir/", "fhir/":
            with self.subTest(location), ScriptedServer() as server:
                server.faults = [{"kind": "redirect", "to": location, "status": 301}]
                code, _, said = self.run_pghd("sync", path, server)
                self.assertEqual((code, server.ids()), (3, {}))
                # The path may hold anything.
                where = " to " + "/".join(location.split("/")[:3]) if location.startswith("http") else ""
                self.assertIn(f"the server redirects{where} (expected an answer)", said)


class PagingServer(ScriptedServer):
    """Its pages are named by cursors, and its links lead to them as `link` says."""

    def __init__(self, link, **options):
        super().__init__(**options)
        self.link = link
        self.cursors = {}

    def search(self, kind, query):
        bundle = super().search(kind, query)
        for link in bundle.get("link", []):
            cursor = str(len(self.cursors))
            self.cursors[cursor] = kind, urllib.parse.parse_qs(urllib.parse.urlsplit(link["url"]).query)
            link["url"] = self.link.format(base=self.base, kind=kind, cursor=f"_getpages={cursor}")
        return bundle

    def handle_get(self, request):
        cursor = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query).get("_getpages")
        if not cursor:
            return super().handle_get(request)
        with self.lock:
            self.send(request, 200, json.dumps(self.search(*self.cursors[cursor[0]])).encode())


class Pages(InteroperationTestCase):
    """A server behind a proxy that links to its own address, or to none."""

    LINKS = (
        "{base}/{kind}?{cursor}", "{base}?{cursor}", "{kind}?{cursor}", "?{cursor}", "/fhir/{kind}?{cursor}",
        "/fhir?{cursor}", "http://hapi:8080/fhir?{cursor}", "http://hapi:8080/other?{cursor}",
        "https://inner:8443/r4/{kind}?{cursor}", "http://hapi/fhir/_page?{cursor}",
    )

    def setUp(self):
        super().setUp()
        self.samples = exports.samples(40)
        self.whole = self.export("whole", self.samples)
        self.part = self.export("part", self.samples[20:], day=2)
        self.more = self.export("more", self.samples + [exports.Sample("HeartRate", 900_000, "71", "count/min")], day=3)

    def test_a_second_machine_stores_nothing_twice_however_pages_are_linked(self):
        for number, link in enumerate(self.LINKS):
            for form in ["--conditional"], self.keys:
                with self.subTest(link=link, form=form[:2]), PagingServer(link) as server:
                    server.honours_if_none_exist = form is not self.keys
                    server.page_size, server.last_updated = 10, "2024-04-01T12:00:00Z"
                    first, second = self.ledger(f"{number}{form[:1]}first"), self.ledger(f"{number}{form[:1]}second")
                    self.sync(self.whole, server, *form, *first)
                    self.sync(self.part, server, *form, *second)
                    self.sync(self.more, server, *form, *second)
                    self.assert_once(server, 61)

    def test_what_the_export_does_not_hold_is_counted_however_pages_are_linked(self):
        for number, link in enumerate(self.LINKS):
            with self.subTest(link), PagingServer(link) as server:
                server.page_size = 10
                self.sync(self.whole, server, *self.ledger(f"extra{number}"))
                code, report, said = self.run_pghd("verify", self.part, server, *self.ledger(f"extra{number}"))
                self.assertEqual((code, report["extra"]), (1, 20), said)

    def test_a_key_only_servers_ledger_is_not_made_from_a_part_of_its_list(self):
        with PagingServer("http://inner/cursor/{cursor}") as server:
            server.honours_if_none_exist, server.page_size = False, 10
            self.sync(self.whole, server, *self.keys, *self.ledger("first"))
            code, _, said = self.run_pghd("sync", self.part, server, *self.keys, *self.ledger("second"))
            self.assertEqual(code, 6)
            self.assertIn("its list of this patient's resources can't be read to its end", said)
            code, _, said = self.run_pghd("verify", self.part, server, *self.keys, *self.ledger("first"), "--rebuild")
            self.assertEqual(code, 6)
            self.assertIn("the ledger is as it was", said)
            self.sync(self.more, server, *self.keys, *self.ledger("first"))
            self.assert_once(server, 61)

    def test_verify_says_why_it_cannot_count_extra_resources(self):
        with PagingServer("http://inner/cursor/{cursor}") as server:
            server.page_size = 10
            self.sync(self.whole, server)
            arguments = [text for text in self.arguments("verify", self.part, server) if text != "--json"]
            said = self.run_command(arguments)
            self.assertIn(": the server's list of them could not be read to its end", said)

    def run_command(self, arguments):
        return subprocess.run(arguments, capture_output=True, env=self.environment(), timeout=600).stderr.decode()


class Behind(InteroperationTestCase):
    """A server behind a proxy that knows its resources, and what they refer to, by its internal address."""

    class Server(OddServer):
        inner = "http://backend.internal:8080/r4/"
        heeds_lists = True
        tells_types = False  # says what type each reference leads to

        def returned(self, name):
            text = json.dumps(super().returned(name))
            to = f'"reference": "{self.inner}' + r'\1"' + (r', "type": "\2"' if self.tells_types else "")
            return json.loads(re.sub(r'"reference": "(([A-Z][A-Za-z]+)/[^"]+)"', to, text))

        def search(self, kind, query):
            if not self.heeds_lists and "_id" in query:
                # It looks for the first of a list only.
                query = {**query, "_id": [query["_id"][0].split(",")[0]]}
            bundle = super().search(kind, query)
            for entry in bundle["entry"]:
                entry["fullUrl"] = f"{self.inner}{kind}/{entry['resource']['id']}"
            return bundle

    def test_internal_addresses_make_no_difference_whether_resources_are_read_alone_or_in_lists(self):
        path = self.export("whole", exports.samples(60))
        # Lists are supported, supported in part, or refused, so that no list reveals the base.
        for number, options in enumerate([{"tells_types": True}, {"heeds_lists": False}, {"list_status": 400}]):
            with self.subTest(options), self.Server() as server:
                vars(server).update(options)
                self.sync(path, server, *self.ledger(f"{number}"))
                code, report, said = self.run_pghd("verify", path, server, *self.ledger(f"{number}"))
                self.assertEqual((code, report["different"], report["missing"]), (0, 0, 0), said)

    def test_a_server_that_gives_no_total_is_searched(self):
        class Server(OddServer):
            def search(self, kind, query):
                bundle = super().search(kind, query)
                del bundle["total"]
                return bundle

        path = self.export("whole", exports.samples(60))
        with Server() as server:
            self.assertEqual(self.run_pghd("sync", path, server, *self.ledger("first"))[::2], (0, ""))
            # A new ledger after a loss is not taken for the first one.
            report = self.sync(path, server, *self.ledger("second"))
            self.assertEqual(report["delivered"], 0)


class ByIdentifier(InteroperationTestCase):
    """A server that creates by identifier and updates by id only."""

    class Server(ScriptedServer):
        tells_locations = True
        is_muddled = False  # whether an answer names what another entry has found
        declares_update = True

        def capabilities(self):
            statement = super().capabilities()
            for kind in statement["rest"][0]["resource"]:
                kind.update(updateCreate=False, conditionalUpdate=False)
                if not self.declares_update:
                    del kind["conditionalUpdate"]
            return statement

        def transaction(self, request, key, body, fault):
            entries = json.loads(body)["entry"]
            if any("?" in entry["request"]["url"] for entry in entries):
                return 412, outcome("not-supported")
            matches = [self.match(entry) for entry in entries]
            status, answer = super().transaction(request, key, body, fault)
            if status == 200 and self.tells_locations:
                bundle = json.loads(answer)
                if self.is_muddled:
                    matches = self.muddled(matches)
                for name, entry in zip(matches, bundle["entry"]):
                    if name:
                        entry["response"]["location"] = f"{self.base}/{name}/_history/1"
                answer = json.dumps(bundle).encode()
            return status, answer

        def muddled(self, names):
            """The name of the first Observation in the place of each one's."""
            found = [name for name in names if name and name.startswith("Observation")]
            return [found[0] if name in found else name for name in names]

    def setUp(self):
        super().setUp()
        samples = exports.samples(40)
        self.old = self.export("old", samples)
        self.new = self.export("new", [exports.dataclasses.replace(s, note="x") for s in samples], day=9)

    def test_a_lost_answer_leaves_nothing_refused(self):
        for tells in (True, False):
            with self.subTest(tells=tells), self.Server() as server:
                server.tells_locations = tells
                server.faults = [{"kind": "reset-after"}] * 3
                self.sync(self.old, server, *self.ledger(f"{tells}"))
                self.assert_once(server, 60)
                self.assertEqual(server.named_contents(), self.named_resources(self.old, "--conditional"))
                self.assertEqual(self.sync(self.old, server, *self.ledger(f"{tells}"))["requests"], {})

    def test_a_later_version_is_written_under_the_id_that_the_server_chose(self):
        # Whatever its answers name, and even if it declares no other update.
        for number, options in enumerate([{}, {"tells_locations": False}, {"is_muddled": True}, {"declares_update": False}]):
            with self.subTest(options), self.Server() as server:
                vars(server).update(options)
                self.sync(self.old, server, *self.ledger(f"first{number}"))
                count = len(server.store.resources)
                # Stored before the newer export was made.
                server.last_updated = "2024-04-02T12:00:00Z"
                self.sync(self.new, server, *self.ledger(f"second{number}"))
                self.assertEqual(len(server.store.resources), count)
                self.assertEqual(server.named_contents(), self.named_resources(self.new, "--conditional"))

    def test_an_update_whose_id_cannot_be_found_out_is_refused_and_not_delivered(self):
        with self.Server() as server:
            self.sync(self.old, server, *self.ledger("one"))
            stored = server.contents()
            server.tells_locations = server.can_read = False
            server.last_updated = "2024-04-02T12:00:00Z"
            report = self.sync(self.new, server, *self.ledger("one"), code=6)
            self.assertEqual((report["delivered"], server.contents()), (0, stored))
            self.assertGreater(report["refused"], 0)
            server.can_read = True
            self.sync(self.new, server, *self.ledger("one"))
            self.assertEqual(server.named_contents(), self.named_resources(self.new, "--conditional"))


class Versions(InteroperationTestCase):
    """Three of 60 samples are missing from the newer export and are to be marked."""

    class Server(OddServer):
        etag = None
        lost = 0
        loss = None

        def send(self, request, status, body, headers=None):
            if headers and "ETag" in headers and self.etag:
                headers = dict(headers, ETag=self.etag)
            super().send(request, status, body, headers)

        def handle_get(self, request):
            path = request.path.removeprefix("/fhir/").split("?")[0]
            if path not in self.store.resources:
                return super().handle_get(request)
            version = f'W/"{self.store.versions[path]}"'
            self.send(request, 200, json.dumps(self.returned(path)).encode(), {"ETag": version})

        def handle_put(self, request):
            if self.lost == 0:
                return super().handle_put(request)
            self.lost -= 1
            answer, request.wfile = request.wfile, io.BytesIO()
            super().handle_put(request)
            request.wfile = answer
            if self.loss:
                self.send(request, self.loss, b"")
            else:
                self.reset(request)

    def setUp(self):
        super().setUp()
        samples = exports.samples(60)
        self.whole = self.export("whole", samples)
        self.less = self.export("less", samples[3:], day=2)

    def delete(self, server):
        self.sync(self.whole, server, *self.ledger(str(id(server))))
        report = self.sync(self.less, server, "--delete", "--max-delete", "5", *self.ledger(str(id(server))))
        counts = [report[name] for name in ("deletionsOffered", "deletionsDone", "deletionsRefused")]
        return counts, len(server.marked())

    def test_if_a_proxy_changed_the_etag_the_version_is_read_from_the_body(self):
        for etag in 'W/"1-gzip"', '"5f0c2a9e"', "1":
            with self.subTest(etag), self.Server() as server:
                server.etag = etag
                self.assertEqual(self.delete(server), ([3, 3, 0], 3))

    def test_a_server_that_accepts_only_its_own_etag_gets_that_one(self):
        class Server(OddServer):
            form = '"{}"'

            def handle_get(self, request):
                path = request.path.removeprefix("/fhir/").split("?")[0]
                if path not in self.store.resources:
                    return super().handle_get(request)
                tag = self.form.format(self.store.versions[path])
                self.send(request, 200, json.dumps(self.returned(path)).encode(), {"ETag": tag})

            def handle_put(self, request):
                path = request.path.removeprefix("/fhir/")
                if request.headers.get("If-Match") == self.form.format(self.store.versions[path]):
                    request.headers.replace_header("If-Match", f'W/"{self.store.versions[path]}"')
                elif "If-Match" in request.headers:
                    request.headers.replace_header("If-Match", "none")
                super().handle_put(request)

        for form in '"{}"', "{}", 'W/"a{}"':
            with self.subTest(form), Server() as server:
                server.form = form
                self.assertEqual(self.delete(server), ([3, 3, 0], 3))

    def test_a_deletion_whose_answer_was_lost_is_not_counted_as_refused(self):
        for loss in 504, None:
            with self.subTest(loss), self.Server() as server:
                server.lost, server.loss = 2, loss
                self.assertEqual(self.delete(server), ([3, 3, 0], 3))


class Others(InteroperationTestCase):
    def test_resources_of_somebody_else_do_not_stop_a_first_sync(self):
        path = self.export("export", exports.samples(20))
        for number, form in enumerate((*FORMS, self.keys)):
            with self.subTest(form=form[:2]), OddServer(honours_if_none_exist=form is not self.keys) as server:
                server.ignores_identifiers = True
                server.store.put("Observation/1", FOREIGN)
                self.sync(path, server, *form, *self.ledger(f"{number}"))
                ours = [r for r in server.store.resources.values() if r["identifier"][0]["system"] != "urn:oid:1.2.3"]
                self.assertEqual(len([r for r in ours if r["resourceType"] == "Observation"]), 30)


if __name__ == "__main__":
    unittest.main()
