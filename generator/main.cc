// SPDX-License-Identifier: Apache-2.0
#include "driver/commands.h"

int main(int argc, char **argv) { return mgen::RunTool({argv + 1, argv + argc}); }
