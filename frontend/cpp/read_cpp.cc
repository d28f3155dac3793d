// Decides which sources are worth Clang's time, and turns its tree into a workload.

#include "frontend/cpp/read_cpp.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

// Parses the sources beside one, as far as their common budget goes: each takes Clang about as long
// as the first.
class OtherSources {
 public:
  explicit OtherSources(CppOptions options) : options_(std::move(options)) {
    options_.cost = &cost_;
  }

  // Null: the source cannot be read, or what these may take is used up.
  std::unique_ptr<cpp::SyntaxTree> Parse(const std::string& path, const std::string& text) {
    if (parsed_ == kMost || cost_.seconds > kSeconds || cost_.bytes > kBytes) {
      left_out_.push_back(path);
      return nullptr;
    }
    ++parsed_;
    absl::StatusOr<TranslationUnit> unit = ParseTranslationUnit(path, text, options_);
    if (unit.ok()) return std::move(unit->tree);
    failed_.push_back(std::string(unit.status().message()));
    return nullptr;
  }

  // What was left out, for a note on the first source; empty: nothing.
  std::string LeftOut() const {
    constexpr size_t kNamed = 3;
    std::vector<std::string> parts;
    if (!left_out_.empty()) {
      const size_t named = std::min(left_out_.size(), kNamed);
      parts.push_back(fmt::format(
          "{} that may define what this program calls {} left out, for those before {} Clang "
          "{:.0f} "
          "s: {}{}",
          left_out_.size() == 1 ? "1 source" : fmt::format("{} sources", left_out_.size()),
          left_out_.size() == 1 ? "is" : "are", parsed_ == 1 ? "takes" : "take", cost_.seconds,
          fmt::join(left_out_.begin(), left_out_.begin() + static_cast<int64_t>(named), ", "),
          named < left_out_.size() ? ", .." : ""));
    }
    for (const std::string& each : failed_) parts.push_back("left out: " + each);
    return fmt::format("{}", fmt::join(parts, "; "));
  }

 private:
  static constexpr int kMost = 12;
  static constexpr double kSeconds = 10;
  static constexpr int64_t kBytes = int64_t{1} << 30;

  CppOptions options_;
  ParseCost cost_;
  int parsed_ = 0;
  std::vector<std::string> left_out_, failed_;
};

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
      OtherSources others(of_others);
      const auto parse = [&](const std::string& other, const std::string& other_text) {
        return others.Parse(other, other_text);
      };
      const bool asked = !options.program.model.empty();
      *program = cpp::TranslateLinked(*unit.tree, path, asked, parse);
      if (std::string left_out = others.LeftOut(); !left_out.empty()) {
        workload.notes.push_back(NoteOnFile("RD003", "ignored-part", path, std::move(left_out)));
      }
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
    // One sentence is enough: a program without the libraries has no model.
    if (program != nullptr && options.program.model.empty()) *program = {};
    workload.notes.assign(
        {NoteOnFile("RD003", "nothing-read", path,
                    "this source uses neither LibTorch, XLA nor TensorFlow; nothing of it is "
                    "linted")});
  }
  workload.files.push_back({.path = path, .text = text});
  return workload;
}

}  // namespace tilewise
