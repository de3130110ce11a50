#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the update of a model costs on many ranks, by formulas of docs/scale.md; with --check, what
examples/ranks sends and how long its parts take, beside what the formulas say."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import typing

SIZES = {"8 B": 8e9, "70 B": 70e9, "700 B": 700e9}
RANKS = (8, 64, 4096)


class Machine(typing.NamedTuple):
    """One rank."""
    memory: float   # bytes/s of the memory that holds weights and states
    link: float     # bytes/s that it sends
    bus: float      # bytes/s between the device that computes and that memory; 0: they are one
    flops: float    # of forward and backward passes, as achieved
    latency: float  # s for a message


MACHINES = {
    "a GPU": Machine(memory=3e12, link=50e9, bus=0, flops=4e14, latency=5e-6),
    "a GPU, update on its share of a CPU": Machine(memory=25e9, link=50e9, bus=50e9, flops=4e14, latency=5e-6),
}


class Types(typing.NamedTuple):
    """Bytes of an element."""
    weight: int = 4
    mean: int = 4
    variance: int = 4
    copy: int = 2      # of the weight, for the forward and backward pass
    gradient: int = 2

    def kept(self):
        """Bytes that a rank keeps for each parameter of its shard."""
        return self.weight + self.mean + self.variance + self.copy + self.gradient

    def moved(self):
        """Bytes that MixedAdamW loads and stores for each parameter: reads all but the copy, writes all but the gradient."""
        return 2 * (self.weight + self.mean + self.variance) + self.gradient + self.copy


def sent(parameters, ranks, size):
    """Bytes that a rank sends in a reduce-scatter, or in an all-gather, of elements of `size` bytes."""
    return parameters * size * (ranks - 1) / ranks


def exchange_time(machine, parameters, ranks, size, layers):
    """Seconds of one of them, for each layer in a ring."""
    return sent(parameters, ranks, size) / machine.link + layers * (ranks - 1) * machine.latency


def slowest(ranks, deviation):
    """How much longer than the mean the slowest of some ranks takes, by Blom's approximation (1958) of the greatest of normal values."""
    if ranks == 1:
        return 0.0
    return deviation * statistics.NormalDist().inv_cdf((ranks - 0.375) / (ranks + 0.25))


class Step(typing.NamedTuple):
    """Seconds of a step, and bytes on a rank."""
    kept: float
    sent: float
    compute: float
    exchange: float  # all of it
    exposed: float   # what does not overlap with compute
    update: float
    wait: float      # for the slowest rank

    def total(self):
        return self.compute + self.exposed + self.update + self.wait

    def share(self):
        return self.update / self.total()


def update_time(machine, types):
    """Seconds for a parameter: the rule, and its gradient and copy over the bus."""
    bus = (types.gradient + types.copy) / machine.bus if machine.bus else 0.0
    return types.moved() / machine.memory + bus


def step_of(machine, parameters, ranks, args, tokens):
    types, layers = Types(mean=args.mean), args.layers
    compute = 6 * parameters * tokens / ranks / machine.flops
    scatter = exchange_time(machine, parameters, ranks, types.gradient, layers)
    gathers = args.gathers * exchange_time(machine, parameters, ranks, types.copy, layers)
    exchange = scatter + gathers
    shard = parameters / ranks
    update = shard * update_time(machine, types)
    exposed = max(exchange - args.overlap * compute, 0.0)
    wait = slowest(ranks, args.deviation) * (compute + update)
    every = sent(parameters, ranks, types.gradient) + args.gathers * sent(parameters, ranks, types.copy)
    return Step(shard * types.kept(), every, compute, exchange, exposed, update, wait)


def short(value):
    """Three digits, without exponents."""
    digits = 3 - len(f"{int(value)}") if value >= 1 else 3
    return f"{value:.{max(digits, 0)}f}" if value >= 0.001 else "< 0.001"


def percent(share):
    return f"{100 * share:.2f}%" if share >= 0.0001 else "< 0.01%"


def print_tables(args):
    separator = ""
    for name, machine in MACHINES.items():
        print(f"{separator}A rank is {name}: memory {machine.memory / 1e9:g} GB/s, link {machine.link / 1e9:g} GB/s, "
              f"{machine.flops / 1e12:g} TFLOP/s.\n")
        separator = "\n"
        head = ["parameters", "ranks", "kept, GB", "sent, GB", "compute, s", "exchange, s", "update, s", "slowest, s",
                *(f"our share, {tokens:,} tokens" for tokens in args.tokens)]
        print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|")
        for size, parameters in SIZES.items():
            for ranks in RANKS:
                steps = [step_of(machine, parameters, ranks, args, tokens) for tokens in args.tokens]
                s = steps[0]
                row = [size, f"{ranks:,}", short(s.kept / 1e9), short(s.sent / 1e9), short(s.compute), short(s.exchange),
                       short(s.update), short(s.wait), *(percent(step.share()) for step in steps)]
                print("| " + " | ".join(row) + " |")
        tokens = update_time(machine, Types(mean=args.mean)) * machine.flops / 6 / 0.01
        print(f"\nThe update takes 1% of the time of compute with {tokens:,.0f} tokens a step, and less with more.")


def measure(program, ranks, steps, directory):
    report = pathlib.Path(directory) / f"report.{ranks}"
    environment = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    subprocess.run(["mpirun", "-n", str(ranks), program, "--synthetic", "4096", "--steps", str(steps), "--save-every", str(steps),
                    "--checkpoint", f"{directory}/checkpoint", "--report", str(report)], check=True, env=environment,
                   stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())


def check(program, steps):
    """Whether the example sends what the formulas say. Times are printed as ratios, of updates to that of one rank and of exchanges to
    that of two. The first prediction is for ranks with memory and links of their own, the second for ranks that share one memory, as
    here."""
    with tempfile.TemporaryDirectory(prefix="mshadow_scale_") as directory:
        reports = {ranks: measure(program, ranks, steps, directory) for ranks in (1, 2, 4)}
    ok = True
    print("| ranks | sent a step, bytes: predicted | measured | update: predicted | measured | exchange: predicted | measured |")
    print("| --- | --- | --- | --- | --- | --- | --- |")

    def time_of(ranks, *parts):  # of the fastest rank: what else the machine runs slows down some
        return min(sum(rank[part] for part in parts) for rank in reports[ranks]["ranks"])

    for ranks, report in reports.items():
        predicted = 2 * sent(report["padded"], ranks, 4)
        measured = {(rank["gradient_bytes"] + rank["weight_bytes"]) / report["steps"] for rank in report["ranks"]}
        ok = ok and measured == {predicted}
        row = [str(ranks), f"{predicted:.0f}", " ".join(f"{m:.0f}" for m in sorted(measured)), f"{1 / ranks:.2f} to 1",
               f"{time_of(ranks, 'update') / time_of(1, 'update'):.2f}"]
        if ranks > 1:
            each = sent(1, ranks, 1) / sent(1, 2, 1)
            row += [f"{each:.2f} to {each * ranks / 2:.2f}",
                    f"{time_of(ranks, 'scatter', 'gather') / time_of(2, 'scatter', 'gather'):.2f}"]
        else:
            row += ["", ""]
        print("| " + " | ".join(row) + " |")
    print("The bytes are those of the formulas." if ok else "The bytes DIFFER from the formulas.")
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, nargs="+", default=[4194304, 65536], help="of a step, on all ranks; times are those of the first")
    parser.add_argument("--mean", type=int, choices=(2, 4), default=4, help="bytes of an element of the running mean")
    parser.add_argument("--layers", type=int, default=80, help="each is an exchange")
    parser.add_argument("--gathers", type=int, default=2, help="all-gathers of weights in a step: 2 where ranks keep shards only")
    parser.add_argument("--overlap", type=float, default=0.9, help="the part of compute during which ranks can exchange")
    parser.add_argument("--deviation", type=float, default=0.01, help="standard deviation of the time of a rank, of its mean")
    parser.add_argument("--check", metavar="PROGRAM", help="run this train_on_ranks")
    parser.add_argument("--steps", type=int, default=1000, help="of --check")
    args = parser.parse_args()
    if args.check:
        sys.exit(0 if check(args.check, args.steps) else 1)
    print_tables(args)


if __name__ == "__main__":
    main()
