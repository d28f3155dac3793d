// One pass over the lines. A report that was printed as one escaped line, as
// Python shows exceptions, is taken apart first.

#include "frontend/files/compile_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "frontend/files/memory_report.h"
#include "frontend/files/reshard_log.h"
#include "frontend/files/shape_variants.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

constexpr std::string_view kCompiling = "Compiling ";
constexpr std::string_view kShapes = " with global shapes and types ";
constexpr std::string_view kSlow = " is slow compared to the batch ";
constexpr size_t kMostShapes = 4096;
constexpr size_t kMostSlowHooks = 100;
constexpr size_t kLongestExcerpted = size_t{4} << 20;

// The texts in ShapedArray(...), which may hold one pair of brackets.
std::vector<std::string> ShapedArrays(std::string_view text) {
  constexpr std::string_view kOpening = "ShapedArray(";
  std::vector<std::string> shapes;
  for (size_t at = text.find(kOpening); at != std::string_view::npos && shapes.size() < kMostShapes;
       at = text.find(kOpening, at)) {
    at += kOpening.size();
    const size_t end = std::min(text.find(')', at), text.size());
    shapes.emplace_back(text.substr(at, end - at));
  }
  return shapes;
}

// "Compiling jit(step) with global shapes and types [ShapedArray(f32[8])]".
void TakeCompilation(std::string_view text, const Location& place, ShapeVariants& variants) {
  const std::string_view rest = After(text, kCompiling);
  const size_t end = rest.find(kShapes);
  if (end == std::string_view::npos) return;
  // Of "step for" and of "jit(step)" the name.
  std::string name(rest.substr(0, rest.find(' ')).substr(0, 200));
  if (name.starts_with("jit(") && name.ends_with(")")) {
    name = name.substr(4, name.size() - 5);
  }
  variants.Add(name, ShapedArrays(rest.substr(end)), place);
}

// "Method (on_train_batch_end) is slow compared to the batch update (0.12)."
// "Callback method `on_train_batch_end` is slow compared to the batch time".
void TakeSlowHook(std::string_view text, const Location& place, std::vector<SlowBatchHook>& hooks) {
  const size_t end = text.find(kSlow);
  if (end == std::string_view::npos || hooks.size() >= kMostSlowHooks) return;
  std::string_view method = text.substr(0, end);
  while (!method.empty() && (method.back() == ')' || method.back() == '`')) {
    method.remove_suffix(1);
  }
  const size_t begin = method.find_last_of(" (`");
  if (begin != std::string_view::npos) method.remove_prefix(begin + 1);
  if (!method.starts_with("on_") || method.size() > 64) return;
  hooks.push_back({std::string(method), place});
}

bool HasMemorySign(std::string_view text) {
  return std::ranges::any_of(kMemorySigns, [&](std::string_view sign) {
    return text.find(sign) != std::string_view::npos;
  });
}

// Calls `take` with each line, and with each part of one that holds a whole
// report with its line ends written as \n.
template <class Take>
void ForEachLine(std::string_view text, Take take) {
  int32_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    const bool escaped = line.find("\\n") != std::string_view::npos && HasMemorySign(line);
    while (escaped && line.find("\\n") != std::string_view::npos) {
      const size_t end = line.find("\\n");
      take(line.substr(0, end), number);
      line.remove_prefix(end + 2);
    }
    take(line, number);
  }
}

void NoteNothing(const std::string& path, Workload& workload) {
  workload.notes.push_back({.rule = "RD003",
                            .name = "no-model",
                            .severity = Severity::kInfo,
                            .location = {.file = path},
                            .message = "a log holds no model; its reports are shown with their own "
                                       "numbers, and nothing is simulated"});
}

}  // namespace

bool LooksLikeCompileLog(const InputFile& file) {
  const char first = FirstCharacter(file);
  if (first == '{' || first == '\0' || !LooksLikeText(file)) return false;
  constexpr std::array<std::string_view, 9> kOthers = {".py",  ".ipynb", ".cc",  ".cpp", ".cxx",
                                                       ".c++", ".h",     ".hpp", ".hh"};
  for (const std::string_view suffix : kOthers) {
    if (file.path.ends_with(suffix)) return false;
  }
  for (const std::string_view sign : {kShapes, kSlow, kWholeReshardSign}) {
    if (file.bytes.find(sign) != std::string_view::npos) return true;
  }
  return HasMemorySign(file.bytes);
}

absl::StatusOr<Workload> ReadCompileLog(const InputFile& file, const LoadOptions&) {
  MemoryReportParser reports;
  ReshardLog reshards;
  ShapeVariants variants;
  std::vector<SlowBatchHook> slow_hooks;
  Location place;
  place.file = file.path;
  ForEachLine(file.bytes, [&](std::string_view line, int32_t number) {
    place.line = number;
    const std::string_view text = LogText(line);
    reports.Take(text, place);
    reshards.Take(text, place);
    TakeCompilation(text, place, variants);
    TakeSlowHook(text, place, slow_hooks);
  });
  Workload workload;
  workload.name = file.path;
  workload.memory_reports = reports.Finish();
  workload.whole_reshards = reshards.Finish();
  workload.recompiled = variants.Recompiled();
  workload.slow_batch_hooks = std::move(slow_hooks);
  if (workload.memory_reports.empty() && workload.whole_reshards.empty() &&
      workload.recompiled.empty() && workload.slow_batch_hooks.empty()) {
    return InvalidInput(
        fmt::format("{}: found a log with no report of memory that ran out, no array gathered "
                    "whole, no function compiled twice and no warning of slow batch hooks, "
                    "expected one",
                    file.path));
  }
  NoteNothing(file.path, workload);
  // For excerpts; those of a longer log would show little.
  if (file.bytes.size() <= kLongestExcerpted) {
    workload.files.push_back({file.path, std::string(file.bytes), {}});
  }
  return workload;
}

}  // namespace tilewise
