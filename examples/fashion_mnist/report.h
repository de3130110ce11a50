// SPDX-License-Identifier: Apache-2.0
/// \file report.h
/// The tables at the end: the classes, the optimizers, and what fusing is worth.
#ifndef EXAMPLES_FASHION_MNIST_REPORT_H_
#define EXAMPLES_FASHION_MNIST_REPORT_H_

#include <string>

#include "kernels.h"
#include "trainer.h"

namespace demo {

/// Every optimizer with its hyper-parameters and their defaults.
void PrintOptimizers(const Kernels &kernels);

/// For each class the share of its images that were recognised, and what the others were taken for.
void PrintClasses(const Confusion &confusion);

/// For the rules of the network and \p optimizer: statements, passes over memory, bytes moved for
/// each element, and the time of the unfused rule divided by the fused one's, measured here: with
/// the network's tensors, which stay in cache, and with large ones.
void PrintSpeedUps(const std::string &optimizer);

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_REPORT_H_
