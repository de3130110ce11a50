#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mshadow_kernels.torch on 1, 2 and 4 processes: DistributedDataParallel, ZeroRedundancyOptimizer and
FSDP2, with gloo.

Every batch is four micro-batches, of which a process computes its share. One process alone adds their
gradients in pairs, (0 + 1) + (2 + 3). Two processes add the same pairs: a process its two, and gloo
both sums, in any order. So the weights have the same bits. Four processes have the same bits if a hook
of DistributedDataParallel adds in pairs. Otherwise gloo adds in a ring, in another order; then weights
differ by rounding, and the bound is that of tests/python/test_torch.py."""
import datetime
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing it warns of is no error of ours
        import torch
        import torch.distributed as dist
        from torch.distributed.checkpoint import state_dict as states
        from torch.distributed.fsdp import fully_shard
        from torch.distributed.optim import ZeroRedundancyOptimizer
        from torch.distributed.tensor import DTensor
        from torch.nn.parallel import DistributedDataParallel
except ImportError as error:
    sys.exit(print(f"SKIP: PyTorch with FSDP2 is not installed: {error}"))
if not dist.is_available() or not dist.is_gloo_available():
    sys.exit(print("SKIP: this PyTorch has no gloo"))
import mshadow_kernels as mk  # noqa: E402

MICRO_BATCHES, STEPS = 4, 6
BOUND = 1e-5  # of the longest way that a weight goes
OPTIONS = {"lr": 1e-2, "weight_decay": 0.125}
WHOLE = {"Adafactor", "Muon"}  # their rules take whole matrices, and no shards
CLASSES = [name for name in mk.torch.__all__ if name[0].isupper() and name not in WHOLE]
FULL = states.StateDictOptions(full_state_dict=True, cpu_offload=True)


def new_model():
    """33 rows: no number of processes has equal shards. The last layer has fewer rows than shards."""
    torch.manual_seed(1)
    layers = torch.nn.Linear(24, 33), torch.nn.Tanh(), torch.nn.Linear(33, 3)
    return torch.nn.Sequential(*layers)


def micro_batches(step):
    random = torch.Generator().manual_seed(step)
    return [torch.randn(8, 24, generator=random) for _ in range(MICRO_BATCHES)]


def loss(model, batch, share):
    out = model(batch)
    return (out.square().mean() - out.sum() / 64) * share


def full(tensor):
    return (tensor.full_tensor() if isinstance(tensor, DTensor) else tensor).detach().clone()


class Run:
    """A model on all processes. How it is wrapped decides what hold_back does: while it is on, gradients
    of this process are added, and not sent."""

    def __init__(self, rank, count):
        self.rank, self.count = rank, count
        self.model = self.parameters_of = new_model()

    def hold_back(self, on):
        raise NotImplementedError

    def find_gradients(self, step):
        own = MICRO_BATCHES // self.count
        self.model.zero_grad()
        for i, batch in enumerate(micro_batches(step)[self.rank * own:(self.rank + 1) * own]):
            self.hold_back(i + 1 < own)
            loss(self.model, batch, self.count / MICRO_BATCHES).backward()

    def steps(self, begin, end):
        for step in range(begin, end):
            self.find_gradients(step)
            self.optimizer.step()

    def weights(self):
        return [full(weight) for weight in self.model.parameters()]


class DataParallel(Run):
    def __init__(self, rank, count, zero=False, in_pairs=False):
        super().__init__(rank, count)
        self.model = DistributedDataParallel(self.model)
        if in_pairs:
            self.model.register_comm_hook(count, add_in_pairs)
        weights = self.model.parameters()
        self.optimizer = (ZeroRedundancyOptimizer(weights, optimizer_class=mk.torch.AdamW, **OPTIONS) if zero
                          else mk.torch.AdamW(weights, **OPTIONS))

    def hold_back(self, on):
        self.model.require_backward_grad_sync = not on


class FullyShard(Run):
    def __init__(self, rank, count, optimizer_class=mk.torch.AdamW, served=True, **options):
        super().__init__(rank, count)
        for layer in self.model:
            if isinstance(layer, torch.nn.Linear):
                fully_shard(layer)
        fully_shard(self.model)
        self.optimizer = optimizer_class(self.model.parameters(), **options or OPTIONS)
        if served:
            self.optimizer._update_by_torch = self.refuse

    @staticmethod
    def refuse(groups):
        raise AssertionError(f"PyTorch's own code updates {groups}")

    def hold_back(self, on):
        self.model.set_requires_gradient_sync(not on)


def add_in_pairs(count, bucket):
    """A hook of DistributedDataParallel: the mean of the gradients of all processes, added as a tree."""
    gradients = [torch.empty_like(bucket.buffer()) for _ in range(count)]
    dist.all_gather(gradients, bucket.buffer())
    while len(gradients) > 1:
        gradients = [a + b for a, b in zip(gradients[::2], gradients[1::2])]
    done = torch.futures.Future()
    done.set_result(gradients[0] / count)
    return done


def replay(rank, count, name):
    """Whether one process makes the same weights of the gradients of all."""
    options = {"foreach": True} if name in ("Adadelta", "Rprop") else {"lr": 0.01}
    run = FullyShard(rank, count, getattr(mk.torch, name), **options)
    alone = new_model()
    optimizer = getattr(mk.torch, name)(alone.parameters(), **options)
    for step in range(STEPS // 2):
        run.steps(step, step + 1)
        for weight, sharded in zip(alone.parameters(), run.model.parameters()):
            weight.grad = full(sharded.grad)
        optimizer.step()
    return all(map(torch.equal, run.weights(), alone.parameters()))


def without_a_kernel(rank, count, name, **options):
    """Whether shards that no kernel serves are updated as in torch.optim, or fail as they do there."""
    weights, errors = [], []
    for module in (mk.torch, torch.optim):
        run = FullyShard(rank, count, getattr(module, name), served=False, **options)
        try:
            run.steps(0, STEPS // 2)
        except RuntimeError as error:
            errors.append(str(error))
        weights.append(run.weights())
    return all(map(torch.equal, *weights)) and (not errors or errors[0] == errors[-1] and len(errors) == 2)


def resume(rank, count, path):
    """The weights after a checkpoint of some number of processes, and the rest of the steps."""
    model, optimizer = torch.load(path)
    run = FullyShard(rank, count)
    states.set_state_dict(run.model, run.optimizer, model_state_dict=model, optim_state_dict=optimizer,
                          options=states.StateDictOptions(full_state_dict=True))
    run.steps(STEPS // 2, STEPS)
    return run.weights()


def work(rank, count, directory):
    """What one process does. The first one saves the results."""
    results = {"same_update": {name: replay(rank, count, name) for name in CLASSES},
               "without_a_kernel": [without_a_kernel(rank, count, "Adadelta", weight_decay=0.125)]}
    if hasattr(torch.optim, "Adafactor"):
        results["without_a_kernel"].append(without_a_kernel(rank, count, "Adafactor", lr=0.01))
    runs = {"ddp": DataParallel(rank, count), "zero": DataParallel(rank, count, zero=True),
            "pairs": DataParallel(rank, count, in_pairs=True), "fsdp": FullyShard(rank, count)}
    for name, run in runs.items():
        run.steps(0, STEPS // 2)
        if name == "fsdp":
            checkpoint = states.get_state_dict(run.model, run.optimizer, options=FULL)
            if rank == 0:
                torch.save(checkpoint, f"{directory}/checkpoint.{count}")
        run.steps(STEPS // 2, STEPS)
        results[name] = run.weights()
    dist.barrier()
    results["resumed"] = {other: resume(rank, count, f"{directory}/checkpoint.{other}") for other in (1, 2, 4) if other <= count}
    runs["zero"].optimizer.consolidate_state_dict(to=0)
    if rank == 0:
        results["states"] = runs["zero"].optimizer.state_dict()
        torch.save(results, f"{directory}/results.{count}")


def alone(optimizer_class, end=STEPS):
    """(weights, optimizer) of one process without any wrapper."""
    model = new_model()
    optimizer = optimizer_class(model.parameters(), **OPTIONS)
    for step in range(end):
        gradients = []
        for batch in micro_batches(step):
            model.zero_grad()
            loss(model, batch, 1 / MICRO_BATCHES).backward()
            gradients.append([weight.grad for weight in model.parameters()])
        for weight, a, b, c, d in zip(model.parameters(), *gradients):
            weight.grad = (a + b) + (c + d)
        optimizer.step()
    return [full(weight) for weight in model.parameters()], optimizer


class RanksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        directory = tempfile.TemporaryDirectory(prefix="mshadow_torch_ranks_")
        cls.addClassCleanup(directory.cleanup)
        cls.results = {}
        for count in (1, 2, 4):  # a later number resumes what an earlier one saved
            children = [subprocess.Popen([sys.executable, "-B", __file__, str(rank), str(count), directory.name],
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for rank in range(count)]
            for child in children:
                cls.addClassCleanup(child.kill)
            outputs = [child.communicate(timeout=300)[0] for child in children]
            for child, output in zip(children, outputs):
                assert child.returncode == 0, output
            cls.results[count] = torch.load(f"{directory.name}/results.{count}")
        cls.start, (cls.want, cls.optimizer) = [full(weight) for weight in new_model().parameters()], alone(mk.torch.AdamW)

    def assert_same(self, got, want):
        for a, b in zip(got, want):
            self.assertTrue(torch.equal(a, b))

    def assert_near(self, got, want, bound=BOUND):
        for a, b, begin in zip(got, want, self.start):
            self.assertLessEqual((a - b).abs().max(), bound * (b - begin).abs().max())

    def test_bits_where_the_sums_are_the_same(self):
        for count, names in ((2, ("ddp", "zero", "pairs", "fsdp")), (4, ("pairs",))):
            for name in names:
                with self.subTest(processes=count, wrapper=name):
                    self.assert_same(self.results[count][name], self.want)

    def test_weights_where_the_sums_differ(self):
        for count in (1, 4):
            for name in ("ddp", "zero", "fsdp"):
                with self.subTest(processes=count, wrapper=name):
                    self.assert_near(self.results[count][name], self.want)
        with self.assertRaises(AssertionError):  # the bound finds a step that is missing
            self.assert_near(alone(mk.torch.AdamW, STEPS - 1)[0], self.want)

    def test_a_sharded_update_has_the_bits_of_a_whole_one(self):
        for count, results in self.results.items():
            self.assertEqual(results["same_update"], dict.fromkeys(CLASSES, True), f"{count} processes")

    def test_shards_that_no_kernel_serves(self):
        for count, results in self.results.items():
            self.assertTrue(all(results["without_a_kernel"]), f"{count} processes")

    def test_checkpoints_resume_on_other_numbers_of_processes(self):
        for count, results in self.results.items():
            self.assert_same(results["resumed"][count], results["fsdp"])
            for other, weights in results["resumed"].items():
                with self.subTest(saved=other, resumed=count):
                    self.assert_near(weights, self.want)

    def test_consolidated_states_are_those_of_torch(self):
        reference = alone(torch.optim.AdamW)[1].state_dict()["state"]
        for count in (2, 4):
            got = self.results[count]["states"]["state"]
            self.assertEqual({k: set(v) for k, v in got.items()}, {k: set(v) for k, v in reference.items()})
            want = self.optimizer.state_dict()["state"]
            for number, state in got.items():
                self.assertEqual(state["step"], STEPS)
                for key in ("exp_avg", "exp_avg_sq"):
                    difference = (state[key] - want[number][key]).abs().max()
                    self.assertLessEqual(difference, 0 if count == 2 else BOUND * want[number][key].abs().max())


def main():
    rank, count, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{directory}/store.{count}", rank=rank, world_size=count,
                            timeout=datetime.timedelta(seconds=120))
    work(rank, count, directory)
    dist.destroy_process_group()


if __name__ == "__main__":
    main() if len(sys.argv) == 4 and os.path.isdir(sys.argv[3]) else unittest.main()
