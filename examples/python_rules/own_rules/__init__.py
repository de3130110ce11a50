# SPDX-License-Identifier: Apache-2.0
"""Rules of clipped_sgd.h, for arrays of NumPy, PyTorch and others."""
import os

from . import rules
from .rules import *  # noqa: F401,F403  each rule is a function of the package

rules.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "librules.so"))
