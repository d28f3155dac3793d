// Headers stay precompiled in memory until the process ends: the trees of sources point into them.

#include "frontend/cpp/precompiled_headers.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/cpp/stand_in_files.h"
#include "frontend/cpp/stand_ins.h"

namespace tilewise::cpp {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostHeaders = 8;  // of tens of megabytes each
constexpr char kSource[] = "/tilewise/begins.cc";

// Nothing looks into what functions of a library do.
class Declarations : public clang::PreambleCallbacks {
 public:
  bool shouldSkipFunctionBody(clang::Decl* /*function*/) override { return true; }
  void AfterExecute(clang::CompilerInstance& compiler) override {
    const clang::SourceManager& sources = compiler.getSourceManager();
    for (auto each = sources.fileinfo_begin(); each != sources.fileinfo_end(); ++each) {
      stand_in_ |= each->first.getName().starts_with(kStandInFolder);
    }
  }
  // Whether they come from a stand-in: headers of the library itself are not read again where they
  // are precompiled, so that nothing would tell that a source uses it.
  bool stand_in() const { return stand_in_; }

 private:
  bool stand_in_ = false;
};

struct Entry {
  bool begun = false;  // a crash while it is made leaves it so
  std::optional<clang::PrecompiledPreamble> made;
};

// The text behind spaces, comments and `#pragma once`.
std::string_view BehindComments(std::string_view text) {
  constexpr std::string_view kOnce = "#pragma once";
  while (true) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return "";
    text.remove_prefix(begin);
    std::string_view until;
    if (text.starts_with("//") || text.starts_with(kOnce)) {
      until = "\n";
    } else if (text.starts_with("/*")) {
      until = "*/";
    } else {
      return text;
    }
    const size_t end = text.find(until);
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + until.size());
  }
}

std::optional<clang::PrecompiledPreamble> Precompile(
    const std::string& header, const clang::CompilerInvocation& invocation,
    const clang::FileManager& files,
    const std::shared_ptr<clang::PCHContainerOperations>& containers) {
  clang::CompilerInvocation options(invocation);
  clang::FrontendOptions& frontend = options.getFrontendOpts();
  if (frontend.Inputs.empty()) return std::nullopt;
  frontend.Inputs = {clang::FrontendInputFile(kSource, frontend.Inputs.front().getKind())};
  frontend.SkipFunctionBodies = true;
  const auto text = llvm::MemoryBuffer::getMemBufferCopy(header + "\n", kSource);
  const auto diagnostics = clang::CompilerInstance::createDiagnostics(
      &options.getDiagnosticOpts(), new clang::IgnoringDiagConsumer(), /*ShouldOwnClient=*/true);
  Declarations callbacks;
  llvm::ErrorOr<clang::PrecompiledPreamble> made = clang::PrecompiledPreamble::Build(
      options, text.get(), clang::PreambleBounds(text->getBufferSize(), true), *diagnostics,
      &files.getVirtualFileSystem(), containers, /*StoreInMemory=*/true, "", callbacks);
  if (!made || diagnostics->hasErrorOccurred() || !callbacks.stand_in()) return std::nullopt;
  return std::move(*made);
}

}  // namespace

LibraryHeader FirstHeader(const std::string& file, std::string_view text) {
  while (true) {
    text = BehindComments(text);
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t open = line.find_first_of("<\"");
    if (!line.starts_with("#include") || open == std::string_view::npos) return {};
    const size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
    if (close == std::string_view::npos) return {};
    const std::string name(line.substr(open + 1, close - open - 1));
    std::string declarations = DeclarationsOf(name);
    if (!declarations.empty()) {
      std::error_code error;
      if (fs::exists(fs::path(file).parent_path() / name, error)) return {};
      return {"#include " + std::string(line.substr(open, close - open + 1)),
              std::move(declarations)};
    }
    // It does not matter which comes first: the library and a header of C++ itself.
    if (line[open] != '<' || name.find_first_of("./") != std::string::npos) return {};
    text.remove_prefix(line.size());
  }
}

llvm::IntrusiveRefCntPtr<clang::FileManager> BeginWithHeader(
    const LibraryHeader& header, const std::string& flags, clang::CompilerInvocation& invocation,
    llvm::IntrusiveRefCntPtr<clang::FileManager> files,
    const std::shared_ptr<clang::PCHContainerOperations>& containers) {
  static std::mutex mutex;
  static std::map<std::string, Entry> entries;
  const std::string key = header.declarations + "\n" + flags;
  Entry* entry = nullptr;
  bool make = false;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (entries.size() >= kMostHeaders && !entries.contains(key)) return files;
    const auto [known, is_new] = entries.try_emplace(key);
    if (is_new) return files;
    entry = &known->second;
    make = !std::exchange(entry->begun, true);
    if (!make && !entry->made.has_value()) return files;
  }
  if (make) {
    auto made = Precompile(header.line, invocation, *files, containers);
    const std::lock_guard<std::mutex> lock(mutex);
    entry->made = std::move(made);
    if (!entry->made.has_value()) return files;
  }
  const std::string source = invocation.getFrontendOpts().Inputs.front().getFile().str();
  auto text = files->getVirtualFileSystem().getBufferForFile(source);
  if (!text) return files;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> all = &files->getVirtualFileSystem();
  entry->made->OverridePreamble(invocation, all, text->release());
  // The source is read from its first line on: of the header that it includes nothing is left.
  invocation.getPreprocessorOpts().PrecompiledPreambleBytes = {0, false};
  return new clang::FileManager(files->getFileSystemOpts(), all);
}

}  // namespace tilewise::cpp
