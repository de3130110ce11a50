#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every floating-point scalar of a shipped rule or expression with an instance for double is double.

A float one would leave results of double with seven digits.

usage: hyper_parameters.py MSHADOW_GEN SPEC...
"""
import json
import subprocess
import sys


def short_scalars(rule):
    """The float scalars of a rule that is generated for double."""
    if not any("f64" in instance for instance in rule["instances"]):
        return []
    return [p["name"] for p in rule["params"] if p["kind"] == "scalar" and p["type"] == "f32"]


def main():
    generator, *specs = sys.argv[1:]
    listed = subprocess.run([generator, "list", "--format=json", *specs], check=True, capture_output=True)
    rules = json.loads(listed.stdout)["rules"]
    scalars = [p for rule in rules for p in rule["params"] if p["kind"] == "scalar" and p["type"] == "f64"]
    if len(rules) < 100 or not scalars:
        sys.exit(f"only {len(rules)} rules with {len(scalars)} scalars of double: is this the right list?")
    wrong = [f"{rule['name']}: {name} is float" for rule in rules for name in short_scalars(rule)]
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
