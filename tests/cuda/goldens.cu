// SPDX-License-Identifier: Apache-2.0
// One of each kind of kernel that reduces: channels, columns, everything, rows that are kept, rows
// and columns, scans; scatter-adds and sorts.
#include "tests/golden/channels/expected/whiten.gen.cu"
#include "tests/golden/columns/expected/centre.gen.cu"
#include "tests/golden/everything/expected/unit_step.gen.cu"
#include "tests/golden/leaves/expected/spread.gen.cu"
#include "tests/golden/rows/expected/normalize.gen.cu"
#include "tests/golden/scans/expected/average.gen.cu"
#include "tests/golden/stages/expected/layer.gen.cu"
