#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/ranks: 1, 2 and 4 ranks of MPI make the same weights, to the bit, also when a rank was
lost and another number of ranks resumed; and the ranks that are left say so, and do not hang."""
import json
import os
import pathlib
import shutil
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM, MPIRUN = os.environ["TRAIN_ON_RANKS"], os.environ["MPIRUN"]
STEPS = 12
TIMEOUT = 60
OPTIONS = ("--synthetic", 512, "--steps", STEPS, "--save-every", 50)


# The machines of tests have fewer cores than ranks, and some run them as root.
OPEN_MPI = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def command(program, *arguments):
    options = dict(zip(OPTIONS[::2], OPTIONS[1::2])) | dict(zip(arguments[::2], arguments[1::2]))
    return [program] + [str(word) for pair in options.items() for word in pair if word is not None]


def ranks(count, *arguments):
    """Runs the program. (exit code, what it printed)"""
    result = subprocess.run([MPIRUN, "-n", str(count), *command(PROGRAM, *arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, env={**os.environ, **OPEN_MPI}, timeout=TIMEOUT, check=False)
    return result.returncode, result.stdout


def until_said(words, run):
    """What the first of five runs prints that says these words, else the last. mpirun kills a rank milliseconds after
    SIGTERM: if the rank waits for a processor, it says nothing."""
    for _ in range(5):
        code, output = run()
        if re.search(words, output):
            break
    return code, output


def commands_of_page():
    """Of docs/scale.md: [(number of ranks, whether they resume)]"""
    page = (pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"]) / "docs" / "scale.md").read_text()
    found = re.findall(r"^    mpirun -n (\d) build/release/bin/train_on_ranks( --resume)?$", page, re.M)
    assert found and len(found) == page.count("    mpirun"), found
    return [(int(count), bool(resume)) for count, resume in found]


class RanksTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="mshadow_ranks_"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def trained(self, count, *arguments, name="whole"):
        """The bytes of the last checkpoint."""
        path = self.dir / f"{name}.{count}"
        code, output = ranks(count, "--checkpoint", path, *arguments)
        self.assertEqual(code, 0, output)
        return path.read_bytes()

    def test_any_number_of_ranks_makes_the_same_file(self):
        one = self.trained(1)
        for count in (2, 4):
            self.assertEqual(self.trained(count), one, f"{count} ranks")
        self.assertNotEqual(self.trained(1, "--seed", 2, name="seed"), one)
        shorter = self.trained(2, "--steps", STEPS - 1, name="shorter")
        self.assertNotEqual(shorter, one)

    def test_resumes_with_the_bits_of_a_whole_run(self):
        whole = self.trained(1)
        for lost, resumed in ((2, 2), (4, 1), (2, 4)):
            with self.subTest(lost=lost, resumed=resumed):
                path = self.dir / f"lost.{lost}.{resumed}"
                words = r"error: rank 0 ends in step 9, because another rank has ended; --resume begins after step 5 with '.*/lost"

                def run():
                    begin = time.monotonic()
                    code, output = ranks(lost, "--checkpoint", path, "--save-every", 5, "--kill-rank", lost - 1, "--kill-step", 9)
                    self.assertLess(time.monotonic() - begin, TIMEOUT / 2, "the ranks that were left waited")
                    return code, output

                code, output = until_said(words, run)
                self.assertNotEqual(code, 0)
                self.assertIn("step 5: loss", output)
                self.assertRegex(output, words)
                self.assertFalse(path.with_name(path.name + ".new").exists())
                code, output = ranks(resumed, "--checkpoint", path, "--save-every", 5, "--resume", None)
                self.assertEqual(code, 0, output)
                self.assertIn("resumes after step 5\n", output)
                self.assertEqual(path.read_bytes(), whole)

    def test_a_rank_that_mpirun_ends_says_where_to_resume(self):
        path = self.dir / "ended"
        begin = command(PROGRAM, "--checkpoint", path, "--save-every", 5, "--stop-rank", 0, "--stop-step", 9)
        with subprocess.Popen(begin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **OPEN_MPI}) as rank:
            bound = threading.Timer(TIMEOUT, rank.kill)
            bound.start()
            self.addCleanup(bound.cancel)
            said = ""
            for line in rank.stdout:
                said += line
                if line == "rank 0 hangs in step 9\n":
                    rank.terminate()
        self.assertEqual(rank.returncode, 1, said)
        self.assertIn("error: rank 0 ends in step 9, because another rank has ended; "
                      f"--resume begins after step 5 with '{path}'\n", said)

    def test_commands_of_the_page(self):
        path = self.dir / "page"
        for i, (count, is_resumed) in enumerate(commands_of_page(), 1):
            flags = ("--resume", None) if is_resumed else ()
            code, output = ranks(count, "--checkpoint", path, "--steps", 3 * i, *flags)
            self.assertEqual(code, 0, output)
            self.assertIn(f"step {3 * i}: loss", output)
            self.assertEqual(is_resumed, f"resumes after step {3 * (i - 1)}\n" in output)

    def test_a_rank_that_hangs_is_named(self):
        code, output = ranks(2, "--checkpoint", self.dir / "hang", "--timeout", 1, "--stop-rank", 1, "--stop-step", 3)
        self.assertNotEqual(code, 0)
        self.assertRegex(output, r"error: rank 0: step 3: waited 1 s for the gradients of rank 1; there is no checkpoint yet")

    def test_mistakes(self):
        path = self.dir / "checkpoint"
        for arguments, message in (
                ((1, "--resume", None), "cannot read checkpoint"),
                ((1, "--synthetic", 127), "expected at least 128 images, got 127"),
                ((3,), "expected 1, 2 or 4 ranks, got 3")):
            code, output = ranks(arguments[0], "--checkpoint", path, *arguments[1:])
            self.assertNotEqual(code, 0)
            self.assertIn(message, output)
        whole = self.trained(1)
        damaged = bytearray(whole)
        damaged[len(damaged) // 2] ^= 1
        for text, message in ((whole[:-1], "is cut short"), (b"no " + whole, "is no checkpoint"), (damaged, "checksum"),
                              (whole, "is of seed 1 and 512 images, expected 2 and 512")):
            path.write_bytes(text)
            code, output = ranks(1, "--checkpoint", path, "--resume", None, "--seed", 2 if text is whole else 1)
            self.assertNotEqual(code, 0)
            self.assertIn(message, output)

    def test_bytes_are_those_of_the_formulas(self):
        script = pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"]) / "benchmarks" / "scale.py"
        printed = subprocess.run([sys.executable, "-B", script, "--check", PROGRAM, "--steps", "3"], capture_output=True, text=True,
                                 timeout=TIMEOUT, check=True).stdout
        self.assertRegex(printed, r"\| 4 \| 1411200 \| 1411200 \| 0.25 to 1 \| [\d.]+ \| 1.50 to 3.00 \| [\d.]+ \|\n")

    def test_report(self):
        for count in (1, 2, 4):
            path = self.dir / f"report.{count}"
            self.trained(count, "--report", path)
            report = json.loads(path.read_text())
            self.assertEqual((report["steps"], report["parameters"], len(report["ranks"])), (STEPS, 235146, count))
            sent = report["padded"] * 4 * (count - 1) // count * STEPS
            for rank in report["ranks"]:
                self.assertEqual((rank["gradient_bytes"], rank["weight_bytes"]), (sent, sent))
                self.assertGreater(rank["update"], 0)


if __name__ == "__main__":
    unittest.main()
