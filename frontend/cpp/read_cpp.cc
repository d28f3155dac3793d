// Decides which sources are worth Clang's time, and turns its tree into a workload.

#include "frontend/cpp/read_cpp.h"

#include <utility>

#include "frontend/cpp/headers.h"
#include "frontend/cpp/model/linked.h"
#include "frontend/cpp/source_walk.h"
#include "frontend/cpp/translation_unit.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

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

namespace cpp {

SourceFacts FactsOfTree(clang::ASTContext& context, const std::string& path,
                        const std::vector<std::string>& absent_headers) {
  SourceFacts facts = CollectFacts(context, path);
  for (std::string& library : LibrariesOf(context.getSourceManager(), absent_headers)) {
    facts.imports.push_back({.name = std::move(library), .location = {.file = path}});
  }
  return facts;
}

}  // namespace cpp

absl::StatusOr<Workload> ReadCpp(const std::string& path, const std::string& text,
                                 const LoadOptions& options, cpp::TranslatedProgram* program) {
  Workload workload;
  workload.name = path;
  if (cpp::MayUseLibraries(text) || cpp::HeadersMayUseLibraries(path, text)) {
    const CppOptions flags = OptionsOf(options.program.arguments);
    TW_ASSIGN_OR_RETURN(const TranslationUnit unit, ParseTranslationUnit(path, text, flags));
    if (program != nullptr) {
      CppOptions of_others = flags;
      of_others.known_flags = unit.found_flags;
      const auto parse = [&](const std::string& other, const std::string& other_text) {
        absl::StatusOr<TranslationUnit> made = ParseTranslationUnit(other, other_text, of_others);
        return made.ok() ? std::move(made->tree) : nullptr;
      };
      const bool asked = !options.program.model.empty();
      *program = cpp::TranslateLinked(*unit.tree, path, asked, parse);
    }
    workload.facts = cpp::FactsOfTree(unit.tree->context(), path, cpp::AbsentHeaders(unit));
    workload.consulted = cpp::ConsultedFiles(unit);
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
