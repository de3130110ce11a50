#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/ranks with GPUs and NCCL, on the fake CUDA runtime and a fake NCCL: the checkpoints have
the bytes of the program with MPI, and a rank that is lost or hangs is an error."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from test_ranks import MPIRUN, OPEN_MPI, PROGRAM, STEPS, TIMEOUT, command, until_said

ON_GPUS = os.environ["TRAIN_ON_FAKE_GPUS"]
GPUS = 2  # of a fake machine


def run(program, count, *arguments, domains=True, **variables):
    """Runs a program, with GPUS ranks in each PCI domain, or all in one. (exit code, what it printed)"""
    words = [MPIRUN]
    size = min(GPUS, count) if domains else count
    for domain in range(count // size):
        variables["FAKE_CUDA_DOMAIN"] = domain
        words += [":"] if domain > 0 else []
        words += ["-n", str(size), "env", *(f"{name}={value}" for name, value in variables.items()), *command(program, *arguments)]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **OPEN_MPI},
                            timeout=TIMEOUT, check=False)
    return result.returncode, result.stdout


class RanksOnGpusTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="mshadow_ranks_"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def trained(self, program, count, *arguments):
        """The bytes of the last checkpoint."""
        path = self.dir / "checkpoint"
        code, output = run(program, count, "--checkpoint", path, *arguments)
        self.assertEqual(code, 0, output)
        self.assertIn(f"exchange by {'NCCL' if program == ON_GPUS else 'MPI'}\n", output)
        return path.read_bytes()

    def assert_fails(self, message, count, *arguments, **settings):
        code, output = run(ON_GPUS, count, "--checkpoint", self.dir / "failed", *arguments, **settings)
        self.assertNotEqual(code, 0)
        self.assertRegex(output, message)
        return output

    def test_the_bytes_are_those_of_the_program_with_mpi(self):
        expected = self.trained(PROGRAM, 1)
        for count in (1, 2, 4):
            self.assertEqual(self.trained(ON_GPUS, count), expected, f"{count} ranks")

    def test_either_program_resumes_what_the_other_saved(self):
        whole = self.trained(PROGRAM, 1)
        for first, second in ((PROGRAM, ON_GPUS), (ON_GPUS, PROGRAM), (ON_GPUS, ON_GPUS)):
            self.trained(first, 2, "--steps", STEPS // 2)
            self.assertEqual(self.trained(second, 1, "--resume", None), whole)

    def test_a_rank_that_is_lost(self):
        words = "error: rank 0 ends in step 9, because another rank has ended; --resume begins after step 5"
        code, output = until_said(words, lambda: run(ON_GPUS, 2, "--checkpoint", self.dir / "failed", "--save-every", 5,
                                                     "--kill-rank", 1, "--kill-step", 9))
        self.assertNotEqual(code, 0)
        self.assertIn("step 5: loss", output)
        self.assertRegex(output, words)
        self.assertNotIn("never released", output)

    def test_a_rank_that_hangs_is_named(self):
        self.assert_fails("error: rank 0: step 3: waited 1 s for the gradients of rank 1; there is no checkpoint yet", 2,
                          "--timeout", 1, "--stop-rank", 1, "--stop-step", 3)

    def test_an_exchange_that_is_never_done(self):
        # Each step has two exchanges: the first one is that of gradients.
        self.assert_fails("step 3: waited 1 s for NCCL's exchange of gradients; there is no checkpoint yet", 2, "--timeout", 1,
                          FAKE_NCCL_LOSE=5)
        self.assert_fails("step 3: waited 1 s for NCCL's exchange of weights", 2, "--timeout", 1, FAKE_NCCL_LOSE=6)

    def test_an_error_of_nccl(self):
        self.assert_fails("step 2: NCCL failed in the exchange of weights: remote process exited", 2, FAKE_NCCL_FAIL=4)

    def test_bytes(self):
        path = self.dir / "report"
        self.trained(ON_GPUS, 4, "--steps", 2, "--report", path)
        report = json.loads(path.read_text())
        sent = report["padded"] * 4 * 3 // 4 * report["steps"]
        self.assertEqual([(rank["gradient_bytes"], rank["weight_bytes"]) for rank in report["ranks"]], [(sent, sent)] * 4)

    def test_ranks_that_would_share_a_gpu(self):
        self.assert_fails("ranks 0 and 2 would share GPU 0000:01:00.0 of .*, which NCCL refuses; start at most one rank", 4,
                          domains=False)


if __name__ == "__main__":
    unittest.main()
