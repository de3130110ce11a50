# SPDX-License-Identifier: Apache-2.0
"""Emitted headers declare each name of the runtime's that their formulas use, so that no rule hides it."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKET = ROOT / "runtime/include/mshadow/packet"


def words(text):
    """The identifiers of C++ text, but for those behind "::" and in comments."""
    text = re.sub(r"//.*|#.*|\"[^\"]*\"", "", text)
    return set(re.findall(r"(?<![:\w.>])(?:[A-Z]|k[A-Z])\w+(?!\w|::)", text))


class RegionNames(unittest.TestCase):
    def test_all_are_declared(self):
        declared = set(re.findall(r"::(\w+);", (PACKET / "region_names.inc").read_text()))
        for more in ("scalar_names.inc", "names.inc"):
            declared |= set(re.findall(r"::(\w+);", (PACKET / more).read_text()))
        # What the emitted region includes itself, views among it, is in it.
        of_runtime = set()
        for path in PACKET.glob("*.inc"):
            if not path.name.startswith(("avx", "device", "begin", "rows", "columns", "row_", "parts_", "views",
                                         "scalar_views", "strided_row", "counted_row", "windowed_row",
                                         "holding_row", "drawn_row")):
                of_runtime |= set(re.findall(r"^(?:MSHADOW_\w+|constexpr|using|struct|class) .*?\b(\w+)[({ =]",
                                             path.read_text(), re.M))
        used = set()
        for path in ROOT.glob("tests/golden/*/expected/*.map.inc"):
            used |= words(path.read_text())
        self.assertTrue({"Cast", "Exp", "Select", "Vec"} <= declared & used)
        self.assertEqual(sorted((used & of_runtime) - declared), [])


if __name__ == "__main__":
    unittest.main()
