// Calls in Python sources that become ops of the model.

#include "rules/operators/source_calls.h"

#include <algorithm>
#include <array>

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 4> kPrefixes = {
    "tensorflow.compat.v1.", "tensorflow.compat.v2.", "tensorflow.", "tf."};
constexpr std::array<std::string_view, 3> kStepWords = {"step", "loss", "forward"};

}  // namespace

bool IsCallOf(const SourceCall& call, std::string_view name) {
  std::string_view written = call.name;
  for (const std::string_view prefix : kPrefixes) {
    if (!written.starts_with(prefix)) continue;
    written.remove_prefix(prefix.size());
    return written == name;
  }
  return false;
}

bool RunsInStep(const Facts& facts, const SourceCall& call) {
  if (call.in_dataset_function) return false;
  std::string_view function = call.function;
  const size_t dot = function.rfind('.');
  if (dot != std::string_view::npos) function.remove_prefix(dot + 1);
  if (function == "call" || function == "__call__") return true;
  for (const std::string_view word : kStepWords) {
    if (function.find(word) != std::string_view::npos) return true;
  }
  return facts.source != nullptr &&
         std::ranges::any_of(facts.source->ops(), [&](const Op& op) { return IsOpOf(op, call); });
}

bool IsOpOf(const Op& op, const SourceCall& call) {
  const Location& a = op.location;
  const Location& b = call.location;
  return a.known() && a.line > 0 && a.file == b.file && a.cell == b.cell && a.line == b.line &&
         a.column == b.column;
}

std::string CallerOf(const SourceCall& call) {
  return call.function.empty() ? "the model" : call.function + "()";
}

}  // namespace tilewise
