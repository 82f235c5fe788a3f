"""`pghd verify` against `pghd serve`, signed in: everything the same, and set back to an older copy of its data.

    .venv-server/bin/python Tests/Server/test_verify.py
"""

import json
import shutil
import sqlite3
import subprocess
import unittest

from client import Client
from server import PGHD, Server


class VerifyTests(Client):
    def serve(self, port=0):
        return Server("--data", str(self.folder / "data"), "--auto-approve", "--patient", "demo", port=port)

    def age(self, folder):
        """Moves the last run far into the past: for two minutes a search may lag behind what came last."""
        (ledger,) = folder.glob("*.ledger")
        with sqlite3.connect(ledger) as database:
            (recent,) = database.execute("SELECT value FROM properties WHERE name = 'recent'").fetchone()
            noted, ids = recent.split(",", 1)
            database.execute("UPDATE properties SET value = ? WHERE name = 'recent'", (f"{int(noted) - 1000},{ids}",))
        database.close()

    def test_the_patient_of_the_sign_in_need_not_be_given(self):
        path = self.generate("few.zip", 1)
        with self.serve() as server:
            without = subprocess.run(
                [PGHD, "sync", str(path), "--server", server.fhir], env=self.environment, capture_output=True,
                text=True, stdin=subprocess.DEVNULL, timeout=60,
            )
            self.assertEqual(without.returncode, 4)
            self.assertIn("nobody is signed in (expected a sign-in that names the patient)", without.stderr)
            self.sign_in(server)
            self.assertGreater(self.run_pghd("sync", path, server, patient=())["delivered"], 500)
            report = self.run_pghd("verify", path, server, patient=("--patient", "demo"))
            self.assertEqual(report["same"], report["checked"])

    def test_bundles_sent_to_the_observations_api_arrive_below_the_base_that_the_client_is_given(self):
        path = self.generate("few.zip", 1)
        with self.serve() as server:
            self.sign_in(server)
            self.assertGreater(self.run_pghd("sync", path, server, "--api", "observations")["delivered"], 500)
            self.assertEqual(self.run_pghd("sync", path, server, "--api", "observations")["requests"], {})

    def test_a_food_refers_to_the_version_of_its_nutrient_that_won(self):
        at = 'sourceName="Kitchen" startDate="2024-03-01 08:00:00 +0000" endDate="2024-03-01 08:00:00 +0000"'
        soup, note = (f'<MetadataEntry key="{key}" value="Soup"/>' for key in ("HKFoodType", "Note"))

        def nutrient(name, more=""):
            return f'<Record type="HKQuantityTypeIdentifier{name}" {at} unit="mg" value="80">\n{soup}{more}</Record>\n'

        inside = soup + nutrient("DietaryCaffeine")
        food = f'<Correlation type="HKCorrelationTypeIdentifierFood" {at}>\n{inside}</Correlation>\n'
        path = self.folder / "export.xml"
        path.write_text(
            '<HealthData>\n<ExportDate value="2024-04-01 08:00:00 +0000"/>\n'
            + nutrient("DietaryCaffeine", note) + nutrient("DietaryZinc") + food + "</HealthData>\n"
        )
        with self.serve() as server:
            self.sign_in(server)
            self.run_pghd("sync", path, server, "--api", "observations")
            report = self.run_pghd("verify", path, server, "--api", "observations")
            self.assertEqual((report["checked"], report["same"]), (report["checked"],) * 2)
            self.assertEqual(self.run_pghd("sync", path, server, "--api", "observations")["requests"], {})

    def test_a_service_can_sign_out(self):
        def run(*arguments):
            result = subprocess.run(
                [PGHD, *arguments], env=self.environment, capture_output=True, text=True,
                stdin=subprocess.DEVNULL, timeout=300,
            )
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)

        with self.serve() as server:
            port, base = server.port, server.fhir
        keys = run("login", "--server", base, "--new-key")
        clients = self.folder / "clients.json"
        clients.write_text(json.dumps([{"client_id": "pipeline", "jwks": keys}]))
        with Server("--memory", "--clients", str(clients), port=port) as server:
            run("login", "--server", base, "--backend", "--client-id", "pipeline", "--json")
            report = run("logout", "--server", base, "--json")
            self.assertEqual((report["accessToken"], report["faults"]), ("revoked", []))
            path = self.generate("export.zip", 1)
            signed_out = subprocess.run(
                [PGHD, "sync", str(path), "--server", base, "--patient", "demo"], env=self.environment,
                capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
            )
            self.assertEqual(signed_out.returncode, 4)
            self.assertTrue(signed_out.stderr.endswith(
                f"pghd: {base}: was signed out of here (expected a sign-in): 'pghd login --server {base}' signs in as before, "
                "without --client-id\n"
            ), signed_out.stderr)
            run("login", "--server", base, "--json")
            self.assertGreater(self.run_pghd("sync", path, server)["delivered"], 0)

    def test_in_each_form_everything_is_the_same_and_a_server_that_was_set_back_gets_exactly_what_it_lost(self):
        # The longer export contains the shorter one.
        few, many = self.generate("few.zip", 1), self.generate("many.zip", 2)
        for number, form in enumerate([[], ["--conditional"]]):
            with self.subTest(form=form):
                shutil.rmtree(self.folder / "data", ignore_errors=True)
                more = [*form, "--ledger", str(self.folder / f"ledger{number}")]
                with self.serve() as server:
                    port = server.port
                    self.sign_in(server)
                    self.run_pghd("sync", few, server, *more)
                shutil.copytree(self.folder / "data", self.folder / f"backup{number}")
                with self.serve(port) as server:
                    delivered = self.run_pghd("sync", many, server, *more)["delivered"]
                    report = self.run_pghd("verify", many, server, *more)
                    self.assertEqual((report["same"], report["findings"]), (report["checked"], []))
                shutil.rmtree(self.folder / "data")
                shutil.copytree(self.folder / f"backup{number}", self.folder / "data")
                if form:
                    self.age(self.folder / f"ledger{number}")
                with self.serve(port) as server:
                    said = self.run_pghd("sync", many, server, *more, code=64)
                    self.assertRegex(said, r"of 32 delivered resources that were looked for are gone")
                    report = self.run_pghd("verify", many, server, *more, "--rebuild", code=1)
                    self.assertGreater(report["missing"], 500)
                    self.assertEqual({finding["kind"] for finding in report["findings"]}, {"missing"})
                    sent = self.run_pghd("sync", many, server, *more)
                    self.assertEqual((sent["delivered"], sent["refused"]), (delivered, 0))
                    self.assertEqual(self.run_pghd("sync", many, server, *more)["requests"], {})
                    report = self.run_pghd("verify", many, server, *more)
                    self.assertEqual(report["same"], report["checked"])


if __name__ == "__main__":
    unittest.main()
