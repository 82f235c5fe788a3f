#!/usr/bin/env python3
"""What is sent along with a new resource because it is linked with it: nothing newer on the server changes.

    python3 Tests/Delivery/test_companions.py
"""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from delivery import DeliveryTestCase, key_options
from exports import packed, sum_of, workout
from scripted_server import ScriptedServer

AT_ONCE = 'sourceName="Kitchen" startDate="2024-03-01 08:00:00 +0000" endDate="2024-03-01 08:00:00 +0000"'
SOUP = '<MetadataEntry key="HKFoodType" value="Soup"/>'


def nutrient(name, more=""):
    return f'<Record type="HKQuantityTypeIdentifier{name}" {AT_ONCE} unit="mg" value="80">\n{SOUP}{more}</Record>\n'


def food(more=""):
    inner = nutrient("DietaryCaffeine")
    return f'<Correlation type="HKCorrelationTypeIdentifierFood" {AT_ONCE}>\n{SOUP}{more}{inner}</Correlation>\n'


class Companions(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        keys = key_options(self.folder)
        self.forms = [], ["--conditional"], keys

    def server(self, form):
        return ScriptedServer(honours_if_none_exist="--api" not in form)

    def export(self, name, day, elements):
        text = f'<HealthData locale="en_GB">\n<ExportDate value="2024-04-0{day} 08:00:00 +0000"/>\n{elements}</HealthData>\n'
        path = self.folder / f"{name}.xml"
        path.write_text(text)
        return packed(path)

    def found(self, path, server, more):
        _, report, said = self.run_pghd("verify", path, server, *more)
        self.assertIsNotNone(report, said)
        return {kind: report[kind] for kind in ("missing", "different", "doubled")}

    def test_a_part_of_an_export_does_not_bring_an_earlier_version_back(self):
        def mass(day, value, version):
            at = f'startDate="2024-03-{day} 08:00:00 +0000" endDate="2024-03-{day} 08:00:00 +0000"'
            entries = "".join(
                f'<MetadataEntry key="HKMetadataKeySync{name}" value="{text}"/>\n'
                for name, text in (("Identifier", "abc"), ("Version", version))
            )
            return f'<Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" {at} unit="kg" value="{value}">\n' \
                f'{entries}</Record>\n'

        # In two Bundles with another type between them.
        for form in self.forms:
            for between in "", nutrient("DietaryCaffeine"):
                path = self.export(f"versions{len(between)}", 2, mass("01", 70, 1) + between + mass("20", 71, 2))
                with self.subTest(form=form[:1], between=bool(between)), self.server(form) as server:
                    options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{len(between)}")]
                    for more in [], ["--until", "2024-03-10"], ["--since", "2024-03-10"], ["--until", "2024-03-10"], []:
                        _, _, said = self.run_pghd("sync", path, server, *options, *more)
                        values = [
                            resource["valueQuantity"]["value"] for resource in server.store.resources.values()
                            if "BodyMass" in str(resource.get("code"))
                        ]
                        self.assertEqual((values, said), ([71], ""), more)

    def test_an_older_export_adds_what_is_new_in_it_and_changes_nothing(self):
        newer = self.export("newer", 2, workout(45, sum_of("StepCount", 102)))
        older = self.export("older", 1, workout(30, sum_of("StepCount", 101), sum_of("FlightsClimbed", 3)))
        for form in self.forms:
            for other in "", "of another machine":
                with self.subTest(form=form[:2], other=other), self.server(form) as server:
                    ledgers = [str(self.folder / f"ledger{len(form)}{name}") for name in ("", other)]
                    if other and "--api" in form:
                        continue  # Such a server knows only its keys: two machines double everything there.
                    for path, ledger in (newer, ledgers[0]), (older, ledgers[1]), (older, ledgers[1]), (newer, ledgers[0]):
                        report = self.sync(path, server, *form, "--ledger", ledger)
                        same = {"missing": 0, "different": 0, "doubled": 0}
                        self.assertEqual(self.found(newer, server, [*form, "--ledger", ledgers[0]]), same)
                        if path == older:
                            self.assertIn("FlightsClimbed", json.dumps(list(server.store.resources.values())))
                    self.assertEqual((report["delivered"], report["requests"]), (0, {}))
                    self.assertEqual(set(server.ids().values()), {1})

    def test_a_copy_inside_a_food_does_not_take_the_place_of_the_version_that_won(self):
        note = '<MetadataEntry key="Note" value="0"/>'
        between = nutrient("DietaryZinc")
        whole = nutrient("DietaryCaffeine", note) + between
        first = self.export("first", 1, whole + food())
        changed = self.export("changed", 2, whole + food('<MetadataEntry key="Note" value="a panel"/>'))
        for form in self.forms:
            with self.subTest(form=form[:2]), self.server(form) as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                for path in first, first, changed, changed:
                    report = self.sync(path, server, *more)
                    self.assertEqual(self.found(path, server, more), {"missing": 0, "different": 0, "doubled": 0})
                self.assertEqual((report["delivered"], report["requests"]), (0, {}))
                self.assertEqual(set(server.ids().values()), {1})

    def test_a_link_to_a_refused_resource_leads_to_it_once_it_is_accepted(self):
        path = self.export("walk", 1, workout(45, sum_of("StepCount", 102), sum_of("FlightsClimbed", 3)))
        whole = set(self.named_resources(path, "--conditional"))
        for form in self.forms[1:]:
            for refused in range(len(whole)):
                with self.subTest(form=form[:2], refused=refused), self.server(form) as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{refused}")]
                    server.faults = [{"entries": {refused: 422}}]
                    self.sync(path, server, *more, code=6)
                    self.sync(path, server, *more)
                    # A server that knows only keys stores the Device again with what it is sent along with.
                    self.assertEqual(set(server.named_contents()), whole)
                    self.assertEqual(set(server.ids().values()), {1})
                    report = self.sync(path, server, *more)
                    self.assertEqual((report["delivered"], report["requests"]), (0, {}))

    def test_an_entry_that_was_put_off_is_sent_again_with_what_it_is_linked_to(self):
        path = self.export("walk", 1, workout(45, sum_of("StepCount", 102), sum_of("FlightsClimbed", 3)))
        whole = set(self.named_resources(path, "--conditional"))
        for form in self.forms[1:]:
            for late in range(len(whole)):
                with self.subTest(form=form[:2], late=late), self.server(form) as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{late}")]
                    server.faults = [{"entries": {late: 429}}]
                    self.assertEqual(self.sync(path, server, *more)["refused"], 0)
                    self.assertEqual(set(server.named_contents()), whole)
                    self.assertEqual(set(server.ids().values()), {1})

    def soups(self):
        """A food with two nutrients, and the same with another note on one of them."""
        for day, note in (1, ""), (2, '<MetadataEntry key="Note" value="0"/>'):
            nutrients = nutrient("DietaryCaffeine", note) + nutrient("DietaryZinc")
            panel = f'<Correlation type="HKCorrelationTypeIdentifierFood" {AT_ONCE}>\n{SOUP}{nutrients}</Correlation>\n'
            yield self.export(f"soup{day}", day, panel)

    def test_a_companion_is_never_counted_as_uncertain(self):
        first, second = self.soups()
        for form in self.forms[1:]:
            with self.subTest(form=form[:2]), self.server(form) as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.assertEqual(self.sync(first, server, *more)["delivered"], 3)
                server.faults = [{"kind": "reset-before"}] * 9
                report = self.sync(second, server, *more, "--retry-for", "0", code=3)
                self.assertEqual((report["alreadyThere"], report["uncertain"], report["refused"]), (1, 2, 0))
                server.faults = []
                self.sync(second, server, *more)
                self.assertEqual(set(server.ids().values()), {1})

    def test_a_refused_companion_is_counted_once_and_stays_known(self):
        first, second = self.soups()
        for form in self.forms[1:]:
            for refused in range(3):
                with self.subTest(form=form[:2], refused=refused), self.server(form) as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{refused}")]
                    self.sync(first, server, *more)
                    server.faults = [{"entries": {refused: 422}}]
                    report = self.sync(second, server, *more, code=6)
                    counts = [report[name] for name in ("delivered", "alreadyThere", "uncertain")]
                    self.assertEqual((report["refused"], sum(counts)), (1, 2), report)
                    self.sync(second, server, *more)
                    self.assertEqual(self.sync(second, server, *more)["requests"], {})
                    self.assertEqual(set(server.ids().values()), {1})


if __name__ == "__main__":
    unittest.main()
