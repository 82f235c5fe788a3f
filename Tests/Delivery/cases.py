"""What the cases of two tests begin with."""

import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer


class KeyOnlyTestCase(DeliveryTestCase):
    """A server that knows a Bundle by its Idempotency-Key only, and assigns ids of its own."""

    def setUp(self):
        super().setUp()
        self.options = [*key_options(self.folder), "--max-entries", "40"]
        self.samples = exports.samples(200)
        self.path = exports.write(self.folder / "export.xml", self.samples)

    def server(self, **options):
        return ScriptedServer(honours_if_none_exist=False, **options)

    def assert_whole(self, server, count=300):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
        self.assertEqual(server.conflicting_keys, [])


class LaterExportsTestCase(DeliveryTestCase):
    count = 0  # of exports

    def export(self, samples):
        """An export, each one later than the last."""
        self.count += 1
        return packed(exports.write(self.folder / f"export{self.count}.xml", samples, day=self.count))
