// Parses with Clang and runs what was translated, as the reader of C++ files does.

#include "tests/cpp/model_reading.h"

#include <memory>
#include <utility>

#include "frontend/cpp/model/linked.h"
#include "frontend/cpp/model/translator.h"
#include "frontend/cpp/translation_unit.h"
#include "frontend/files/cpp_files.h"

namespace tilewise {
namespace {

std::unique_ptr<cpp::SyntaxTree> TreeOf(const std::string& text, const std::string& path,
                                        const std::vector<std::string>& flags = {}) {
  CppOptions options;
  options.flags = flags;
  absl::StatusOr<TranslationUnit> unit = ParseTranslationUnit(path, text, options);
  EXPECT_TRUE(unit.ok()) << unit.status();
  return unit.ok() ? std::move(unit->tree) : nullptr;
}

Workload Run(const std::string& path, CppReading reading, const LoadOptions& options) {
  absl::StatusOr<Workload> workload = RunTranslated(path, std::move(reading), options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload();
}

}  // namespace

cpp::TranslatedProgram ProgramOf(const std::string& text, const std::string& path,
                                 const std::vector<std::string>& flags) {
  const auto tree = TreeOf(text, path, flags);
  if (tree == nullptr) return {};
  return cpp::Translator(tree->context()).Translate();
}

std::string Translated(const std::string& text) { return ProgramOf(text).text; }

Workload Read(const std::string& text, const LoadOptions& options, const std::string& path) {
  const auto tree = TreeOf(text, path);
  if (tree == nullptr) return {};
  CppReading reading;
  const auto parse = [](const std::string& other, const std::string& its_text) {
    return TreeOf(its_text, other);
  };
  reading.program = cpp::TranslateLinked(*tree, path, false, parse);
  return Run(path, std::move(reading), options);
}

Workload ReadWithFacts(const std::string& text, const std::string& path,
                       const std::vector<std::string>& absent_headers) {
  const auto tree = TreeOf(text, path);
  if (tree == nullptr) return {};
  CppReading reading;
  reading.program = cpp::TranslateLinked(*tree, path, false, nullptr);
  reading.workload.facts = cpp::FactsOfTree(tree->context(), path, absent_headers);
  return Run(path, std::move(reading), {});
}

int LinkedSources(const std::string& text, const std::string& path) {
  const auto tree = TreeOf(text, path);
  if (tree == nullptr) return -1;
  int count = 0;
  cpp::TranslateLinked(*tree, path, false, [&](const std::string&, const std::string&) {
    ++count;
    return nullptr;
  });
  return count;
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) {
    text += FormatLocation(note.location) + " " + note.message + "\n";
  }
  return text;
}

int64_t Parameters(const Workload& workload) {
  return workload.graph.has_value() ? workload.graph->trainable_parameters() : -1;
}

int64_t CountOf(const Workload& workload, OpKind kind) {
  int64_t count = 0;
  if (!workload.graph.has_value()) return -1;
  for (const Op& op : workload.graph->ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

}  // namespace tilewise
