// SPDX-License-Identifier: Apache-2.0
/// \file revision.h
/// Which emitted headers these headers accept. Emitted code says which revision of the contract
/// (docs/emitted-code.md) it was written for. A header outside the range stops with an #error that
/// names the remedy. The newest revision is the generator's kCodeRevision.
#ifndef MSHADOW_GEN_REVISION_H_
#define MSHADOW_GEN_REVISION_H_

#define MSHADOW_GEN_REVISION_MIN 6
#define MSHADOW_GEN_REVISION_MAX 17

/// The inline namespace of the rules that a file uses: fused rules, or with MSHADOW_UNFUSED the
/// specs themselves. So two files of a program may choose differently. The hash of their code also
/// keeps two rules of the same name apart.
#ifdef MSHADOW_UNFUSED
#define MSHADOW_RULE_NAMESPACE(hash) unfused_##hash
#else
#define MSHADOW_RULE_NAMESPACE(hash) fused_##hash
#endif

#endif  // MSHADOW_GEN_REVISION_H_
