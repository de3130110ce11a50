// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler.h"

#include <pthread.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "frontend/clang_compat.h"
#include "frontend/clang_diagnostics.h"
#include "frontend/guarded_files.h"
#include "frontend/instantiations.h"
#include "frontend/token_watch.h"

namespace mgen {
namespace {

constexpr unsigned kStackBytes = 512u
                                 << 20;  // reserved, not used: deep expressions recurse in Clang

/// What influences a compilation without being on its command line.
void ForgetEnvironment() {
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
                           "OBJCPLUS_INCLUDE_PATH", "COMPILER_PATH", "LIBRARY_PATH",
                           "CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_FILE_SYSTEM_DIR", "SDKROOT",
                           "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "SOURCE_DATE_EPOCH"}) {
    unsetenv(name);
  }
}

/// Does `work` in a thread with a large stack. (Clang's own way to do that aborts if there is
/// none.) \throws std::bad_alloc if there is no such thread to be had
void RunOnLargeStack(llvm::function_ref<void()> work) {
  const auto run = [](void *function) -> void * {
    (*static_cast<llvm::function_ref<void()> *>(function))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, run, &work);
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::bad_alloc();
  pthread_join(thread, nullptr);
}

/// What is the same for all parses, which may be in several threads. A crash elsewhere still ends
/// the process: recovery passes on what no context of its own asked for.
void PrepareProcess() {
  static const bool done = [] {
    ForgetEnvironment();
    llvm::CrashRecoveryContext::Enable();
    return true;
  }();
  static_cast<void>(done);
}

/// Calls `visit` once the spec has been type-checked.
class VisitAction : public clang::ASTFrontendAction {
 public:
  VisitAction(const SpecVisitor &visit, ClangDiagnostics &messages, std::atomic<int> *line)
      : visit_(visit), messages_(messages), line_(line) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef) override {
    const auto refuse = [this, &instance](clang::SourceLocation place) {
      messages_.StopAt(instance.getDiagnostics(), place, "this expression has",
                       std::to_string(TokenWatch::kMaxOperators) + " operators and calls");
    };
    auto watch = std::make_shared<TokenWatch>(instance.getSourceManager(), line_, refuse);
    instance.getPreprocessor().setTokenWatcher(
        [watch](const clang::Token &token) { watch->See(token); });
    return std::make_unique<Consumer>(instance, *this);
  }

 private:
  class Consumer : public clang::SemaConsumer {
   public:
    Consumer(clang::CompilerInstance &instance, const VisitAction &action)
        : instance_(instance), action_(action) {}
    void InitializeSema(clang::Sema &sema) override {
      WatchInstantiations(sema, action_.line_);
      overloads_ = InstantiateOverloads(sema);
    }
    void HandleTranslationUnit(clang::ASTContext &) override {
      action_.visit_(instance_, action_.messages_);
    }

   private:
    clang::CompilerInstance &instance_;
    const VisitAction &action_;
    llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> overloads_;
  };
  const SpecVisitor &visit_;
  ClangDiagnostics &messages_;
  std::atomic<int> *line_;
};

/// The files of the user's that a parse opened; system headers are left out, as -MMD does, but not
/// those of --runtime-dir.
class UserDependencies : public clang::DependencyCollector {
 public:
  explicit UserDependencies(const std::string &runtime_dir) : runtime_dir_(runtime_dir) {}

  bool sawDependency(llvm::StringRef file, bool from_module, bool is_system, bool is_module_file,
                     bool is_missing) override {
    const bool is_runtime = !runtime_dir_.empty() && compat::StartsWith(file, runtime_dir_);
    return (!is_system || is_runtime) && !compat::StartsWith(file, kVirtualRoot) &&
           DependencyCollector::sawDependency(file, from_module, /*IsSystem=*/false, is_module_file,
                                              is_missing);
  }

 private:
  const std::string runtime_dir_;
};

/// One run of Clang's front end: fixes what flags cannot say, then executes the action.
class SpecAction : public clang::tooling::ToolAction {
 public:
  SpecAction(const ParseOptions &options, llvm::IntrusiveRefCntPtr<GuardedFiles> files,
             Dependencies *dependencies, ClangDiagnostics &messages, const SpecVisitor &visit)
      : options_(options),
        files_(std::move(files)),
        dependencies_(dependencies),
        messages_(messages),
        visit_(visit) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *file_manager,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *consumer) override {
    AddHeaders(&invocation->getHeaderSearchOpts());
    invocation->getDiagnosticOpts().ShowCarets = false;  // no "1 error generated." on stderr
    clang::CompilerInstance instance(std::move(containers));
    instance.setInvocation(std::move(invocation));
    instance.setFileManager(file_manager);
    instance.createDiagnostics(consumer, /*ShouldOwnClient=*/false);
    if (!instance.hasDiagnostics()) return false;
    auto collector = std::make_shared<UserDependencies>(options_.runtime_dir);
    instance.addDependencyCollector(collector);
    VisitAction action(visit_, messages_, options_.line);
    const bool ok = instance.ExecuteAction(action);
    if (dependencies_) {
      for (const std::string &file : collector->getDependencies()) {
        dependencies_->files.push_back(file);
      }
    }
    return ok;
  }

 private:
  /// The compiler's own headers go after those of the C++ library and before those of C, so that
  /// both libraries' `#include_next` finds what it expects.
  void AddHeaders(clang::HeaderSearchOptions *headers) {
    using Entry = clang::HeaderSearchOptions::Entry;
    const std::string builtins =
        options_.resource_dir.empty() ? kVirtualBuiltins : options_.resource_dir + "/include";
    headers->ResourceDir = llvm::sys::path::parent_path(builtins).str();
    auto place = headers->UserEntries.begin();
    while (place != headers->UserEntries.end() && place->Path != "/usr/local/include" &&
           place->Group != clang::frontend::ExternCSystem) {
      ++place;
    }
    headers->UserEntries.insert(place,
                                Entry(builtins, clang::frontend::System, /*isFramework=*/false,
                                      /*ignoreSysRoot=*/true));
    const std::string runtime =
        options_.runtime_dir.empty() ? kVirtualRuntime : options_.runtime_dir;
    headers->UserEntries.insert(headers->UserEntries.begin(),
                                {Entry(runtime, clang::frontend::System, false, true),
                                 Entry(kVirtualCompat, clang::frontend::System, false, true)});
    for (const Entry &entry : headers->UserEntries) files_->Allow(entry.Path);
  }

  const ParseOptions &options_;
  llvm::IntrusiveRefCntPtr<GuardedFiles> files_;
  Dependencies *dependencies_;
  ClangDiagnostics &messages_;
  const SpecVisitor &visit_;
};

std::vector<std::string> CommandLine(const ParseOptions &options, const std::string &path) {
  // An absolute argv[0]: with a bare name the driver makes up include paths.
  std::vector<std::string> args = {"/usr/bin/mshadow-gen",
                                   "-fsyntax-only",
                                   "-xc++",
                                   "-std=c++17",
                                   "-D__MSHADOW_GEN__",
                                   "-nobuiltininc",
                                   "-ferror-limit=0",
                                   "-ftemplate-depth=2048",
                                   "-fconstexpr-steps=1000000",
                                   "-Wno-unused-value",
                                   "-Wno-comment",
                                   "-Wno-null-character",
                                   "-Wno-stack-exhausted",
                                   "-Wno-pragma-once-outside-header"};
  args.push_back("-fbracket-depth=" + std::to_string(kMaxBrackets));
  compat::AddNoDefaultConfig(&args);
  args.insert(args.end(), options.flags.begin(), options.flags.end());
  args.push_back(path);
  return args;
}

void AllowUserDirectories(const ParseOptions &options, const std::string &path,
                          GuardedFiles *files) {
  const llvm::StringRef directory = llvm::sys::path::parent_path(path);
  files->Allow(directory.empty() ? "." : directory.str());
  if (!options.path_base.empty()) files->Allow(options.path_base);
  files->AllowHeadersOfProject(path);
}

}  // namespace

void Compile(const ParseOptions &options, const std::string &path, Diagnostics &diagnostics,
             Dependencies *dependencies, const SpecVisitor &visit) {
  PrepareProcess();
  // Exceptions must neither pass through Clang, which is compiled without them, nor leave the
  // thread.
  std::exception_ptr failure;
  const SpecVisitor guarded = [&](clang::CompilerInstance &instance, ClangDiagnostics &messages) {
    try {
      visit(instance, messages);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  const auto parse = [&] {
    llvm::IntrusiveRefCntPtr<GuardedFiles> files(
        new GuardedFiles(llvm::vfs::createPhysicalFileSystem()));
    AllowUserDirectories(options, path, files.get());
    llvm::IntrusiveRefCntPtr<clang::FileManager> manager(
        new clang::FileManager(clang::FileSystemOptions(), WithEmbeddedHeaders(files)));
    ClangDiagnostics messages(diagnostics);
    SpecAction action(options, files, dependencies, messages, guarded);
    clang::tooling::ToolInvocation invocation(CommandLine(options, path), &action, manager.get(),
                                              std::make_shared<clang::PCHContainerOperations>());
    invocation.setDiagnosticConsumer(&messages);
    const bool ok = invocation.run();
    messages.Finish(files->refused());
    if (!ok && !diagnostics.has_errors()) {
      diagnostics.Report(DiagId::kCxx, SourceLocation{path}, "the spec could not be parsed");
    }
  };
  const auto run = [&] {
    try {
      parse();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  bool survived = false;
  RunOnLargeStack([&] {
    llvm::CrashRecoveryContext context;
    survived = context.RunSafely(run);
  });
  if (!survived) throw std::runtime_error("the C++ front end crashed on '" + path + "'");
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mgen
