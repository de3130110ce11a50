// SPDX-License-Identifier: Apache-2.0
/// \file revision.h
/// Which emitted headers these headers accept. Emitted code says which revision of the contract
/// (docs/emitted-code.md) it was written for; a header outside the range stops with an #error that
/// names the remedy. kCodeRevision of the generator is the newest.
#ifndef MSHADOW_GEN_REVISION_H_
#define MSHADOW_GEN_REVISION_H_

#define MSHADOW_GEN_REVISION_MIN 4
#define MSHADOW_GEN_REVISION_MAX 4

/// The inline namespace that a program's view of the rules is in: the kernels, or with
/// MSHADOW_UNFUSED the specs themselves. Two files of one program may differ, and so may two rules
/// of one name, by the hash of their code.
#ifdef MSHADOW_UNFUSED
#define MSHADOW_RULE_NAMESPACE(hash) unfused_##hash
#else
#define MSHADOW_RULE_NAMESPACE(hash) fused_##hash
#endif

#endif  // MSHADOW_GEN_REVISION_H_
