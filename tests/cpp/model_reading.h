// Reads the model of a C++ source that a test has as text.

#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "frontend/cpp/model/linked.h"
#include "frontend/cpp/model/translator.h"
#include "frontend/cpp/read_cpp.h"
#include "frontend/cpp/translation_unit.h"
#include "frontend/files/cpp_files.h"

namespace tilewise {

inline std::string Translated(const std::string& text) {
  const auto unit = ParseTranslationUnit("a.cpp", text, {});
  EXPECT_TRUE(unit.ok()) << unit.status();
  return cpp::Translator(unit->tree->context()).Translate().text;
}

inline Workload Read(const std::string& text, const LoadOptions& options = {}) {
  const auto unit = ParseTranslationUnit("a.cpp", text, {});
  EXPECT_TRUE(unit.ok()) << unit.status();
  CppReading reading;
  reading.program = cpp::TranslateLinked(*unit->tree, "a.cpp", false, nullptr);
  absl::StatusOr<Workload> workload = RunTranslated("a.cpp", std::move(reading), options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload();
}

inline std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) {
    text += FormatLocation(note.location) + " " + note.message + "\n";
  }
  return text;
}

inline int64_t Parameters(const Workload& workload) {
  return workload.graph.has_value() ? workload.graph->trainable_parameters() : -1;
}

inline int64_t CountOf(const Workload& workload, OpKind kind) {
  int64_t count = 0;
  if (!workload.graph.has_value()) return -1;
  for (const Op& op : workload.graph->ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

inline constexpr char kTorch[] = "#include <torch/torch.h>\n";

}  // namespace tilewise
