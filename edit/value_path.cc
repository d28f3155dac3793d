// Keys end at a dot or a bracket.

#include "edit/value_path.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "edit/span_text.h"

namespace tilewise {

std::optional<std::vector<PathStep>> ParseValuePath(std::string_view path) {
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      const size_t close = path.find(']');
      if (close == std::string_view::npos) return std::nullopt;
      PathStep step;
      const char* end = path.data() + close;
      const auto [rest, error] = std::from_chars(path.data() + 1, end, step.index);
      if (error != std::errc() || rest != end) return std::nullopt;
      steps.push_back(step);
      path.remove_prefix(close + 1);
    } else {
      const size_t end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return std::nullopt;
      steps.push_back({.key = path.substr(0, end), .index = 0});
      path.remove_prefix(end);
    }
    if (path.empty()) break;
    if (path.front() == '.') {
      path.remove_prefix(1);
      if (path.empty()) return std::nullopt;
    }
  }
  if (steps.empty()) return std::nullopt;
  return steps;
}

std::optional<DataPosition> FindInData(const Workload& workload, const std::string& file,
                                       std::string_view path) {
  const Span start = {file, 0, 0, 0};
  const std::string* text = TextWith(workload, start);
  auto steps = ParseValuePath(path);
  if (text == nullptr || !steps) return std::nullopt;
  return DataPosition{start, *text, *std::move(steps)};
}

}  // namespace tilewise
