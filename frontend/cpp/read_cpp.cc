// Decides which sources are worth Clang's time, and turns its tree into a workload.

#include "frontend/cpp/read_cpp.h"

#include <algorithm>
#include <array>
#include <utility>

#include <clang/Basic/SourceManager.h>

#include "frontend/cpp/model/linked.h"
#include "frontend/cpp/source_walk.h"
#include "frontend/cpp/translation_unit.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

// A source without any of these words names nothing of the libraries.
bool MayUseLibraries(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords = {"torch", "xla",  "tensorflow", "PjRt",
                                                      "Xla",   "at::", "c10::"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// The library that a header belongs to, by how it is included; empty: none.
std::string_view LibraryOf(std::string_view header) {
  struct Mark {
    std::string_view part;
    std::string_view library;
  };
  // XLA lay in TensorFlow's tree before it had one of its own.
  constexpr std::array<Mark, 8> kMarks = {{{"compiler/xla/", "xla"},
                                           {"xla/", "xla"},
                                           {"tensorflow/cc/", "tensorflow"},
                                           {"tensorflow/core/", "tensorflow"},
                                           {"torch/", "torch"},
                                           {"ATen/", "torch"},
                                           {"c10/", "torch"},
                                           {"tensorflow/", "tensorflow"}}};
  const auto found = std::find_if(kMarks.begin(), kMarks.end(), [&](const Mark& mark) {
    return header.starts_with(mark.part) ||
           (mark.part.find('/') != mark.part.size() - 1 && header.find(mark.part) < header.size());
  });
  return found == kMarks.end() ? std::string_view() : found->library;
}

// Installed headers that every program of a library reads.
std::string_view LibraryOfFile(std::string_view path) {
  if (path.ends_with("/torch/types.h") || path.ends_with("/ATen/core/TensorBody.h")) return "torch";
  if (path.ends_with("/xla/shape_util.h") || path.ends_with("/xla/shape.h")) return "xla";
  if (path.ends_with("/tensorflow/core/framework/tensor.h")) return "tensorflow";
  return "";
}

void AddImports(const TranslationUnit& unit, const std::string& path, SourceFacts& facts) {
  const auto add = [&](std::string_view library) {
    const auto known = std::find_if(facts.imports.begin(), facts.imports.end(),
                                    [&](const SourceImport& each) { return each.name == library; });
    if (library.empty() || known != facts.imports.end()) return;
    facts.imports.push_back({.name = std::string(library), .location = {.file = path}});
  };
  for (const auto* list : {&unit.stand_ins, &unit.missing_headers}) {
    for (const std::string& header : *list) add(LibraryOf(header));
  }
  const clang::SourceManager& sources = unit.tree->getSourceManager();
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    add(LibraryOfFile(std::string_view(file->first.getName())));
  }
}

// The project's own headers, and the database: a run that keeps findings looks whether they
// changed.
void AddHeaders(const TranslationUnit& unit, std::vector<std::string>& consulted) {
  const clang::SourceManager& sources = unit.tree->getSourceManager();
  const auto main = sources.getFileEntryRefForID(sources.getMainFileID());
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    const llvm::StringRef name = file->first.getName();
    if (name.starts_with("/usr/") || name.starts_with("/tilewise/")) continue;
    if (main && file->first == *main) continue;
    consulted.push_back(name.str());
  }
  if (!unit.database.empty()) consulted.push_back(unit.database);
  std::sort(consulted.begin(), consulted.end());
}

// `-p DIR` of Clang's tools, and the compiler's flags.
CppOptions OptionsOf(const std::vector<std::string>& arguments) {
  CppOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "-p" && i + 1 < arguments.size()) {
      options.compilation_database = arguments[++i];
    } else if (argument.starts_with("-p=")) {
      options.compilation_database = argument.substr(3);
    } else {
      options.flags.push_back(argument);
    }
  }
  return options;
}

}  // namespace

absl::StatusOr<Workload> ReadCpp(const std::string& path, const std::string& text,
                                 const LoadOptions& options, cpp::TranslatedProgram* program) {
  Workload workload;
  workload.name = path;
  if (MayUseLibraries(text)) {
    const CppOptions flags = OptionsOf(options.program.arguments);
    TW_ASSIGN_OR_RETURN(const TranslationUnit unit, ParseTranslationUnit(path, text, flags));
    if (program != nullptr) {
      const auto parse = [&](const std::string& other, const std::string& other_text) {
        absl::StatusOr<TranslationUnit> made = ParseTranslationUnit(other, other_text, flags);
        return made.ok() ? std::move(made->tree) : nullptr;
      };
      *program = cpp::TranslateLinked(*unit.tree, path, parse);
    }
    workload.facts = cpp::CollectFacts(*unit.tree, path);
    AddImports(unit, path, workload.facts);
    AddHeaders(unit, workload.consulted);
    const std::string recovery = DescribeRecovery(unit);
    if (!recovery.empty()) {
      workload.notes.push_back(NoteOnFile("RD002", "recovered", path, recovery));
    }
  }
  if (workload.facts.imports.empty()) {
    workload.facts = {};
    workload.notes.assign(
        {NoteOnFile("RD003", "nothing-read", path,
                    "this source uses neither LibTorch, XLA nor TensorFlow; nothing of it is "
                    "linted")});
  }
  workload.files.push_back({.path = path, .text = text});
  return workload;
}

}  // namespace tilewise
