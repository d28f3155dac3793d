// Equal shapes are one variant; of those that differ a few parameters are
// written out. In a module's first line braces hold layouts, which are left out,
// and comments number the parameters.

#include "frontend/files/shape_variants.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr size_t kMostFunctions = 10'000;
constexpr size_t kMostVariants = 1000;  // of a function
constexpr size_t kShownParameters = 3;
constexpr size_t kShownShapes = 4;

using Variants = std::vector<std::vector<std::string>>;

// The different shapes of parameter `i`, in the order of the compilations.
std::vector<std::string> ShapesOf(const Variants& variants, size_t i) {
  std::vector<std::string> shapes;
  for (const std::vector<std::string>& variant : variants) {
    const std::string shape = i < variant.size() ? variant[i] : "none";
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
      shapes.push_back(shape);
    }
  }
  return shapes;
}

std::vector<std::string> Differences(const Variants& variants) {
  size_t parameters = 0;
  for (const auto& variant : variants) {
    parameters = std::max(parameters, variant.size());
  }
  std::vector<std::string> differences;
  for (size_t i = 0; i < parameters && differences.size() < kShownParameters; ++i) {
    std::vector<std::string> shapes = ShapesOf(variants, i);
    if (shapes.size() < 2) continue;
    const bool cut = shapes.size() > kShownShapes;
    if (cut) shapes.resize(kShownShapes);
    differences.push_back(
        fmt::format("parameter {}: {}{}", i, fmt::join(shapes, ", "), cut ? ", ..." : ""));
  }
  return differences;
}

constexpr size_t kMostEntryShapes = 65536;

// Returns the text from after "(" to the parenthesis that closes it; empty when none does.
std::string_view Inside(std::string_view text) {
  int depth = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(0, i);
  }
  return {};
}

}  // namespace

void ShapeVariants::Add(const std::string& function, std::vector<std::string> shapes,
                        const Location& place) {
  if (functions_.size() >= kMostFunctions && functions_.find(function) == functions_.end()) {
    return;
  }
  Function& known = functions_[function];
  if (known.modules++ == 0) known.first = place;
  const bool seen =
      std::find(known.variants.begin(), known.variants.end(), shapes) != known.variants.end();
  if (seen || known.variants.size() >= kMostVariants) return;
  known.variants.push_back(std::move(shapes));
}

std::vector<RecompiledFunction> ShapeVariants::Recompiled() const {
  std::vector<RecompiledFunction> all;
  for (const auto& [name, function] : functions_) {
    if (function.modules < 2) continue;
    RecompiledFunction recompiled;
    recompiled.name = name;
    recompiled.modules = function.modules;
    recompiled.shapes = static_cast<int64_t>(function.variants.size());
    recompiled.differences = Differences(function.variants);
    recompiled.location = function.first;
    all.push_back(std::move(recompiled));
  }
  return all;
}

std::vector<std::string> EntryShapes(std::string_view text) {
  constexpr std::string_view kKey = "entry_computation_layout={(";
  text = text.substr(0, text.find('\n'));
  const size_t start = text.find(kKey);
  if (!text.starts_with("HloModule ") || start == std::string_view::npos) {
    return {};
  }
  const std::string_view list = Inside(text.substr(start + kKey.size()));
  std::vector<std::string> shapes;
  std::string shape;
  int nesting = 0;  // of brackets and parentheses
  int braces = 0;
  for (size_t i = 0; i < list.size() && shapes.size() < kMostEntryShapes; ++i) {
    const char c = list[i];
    if (c == '/' && list.substr(i).starts_with("/*")) {
      const size_t end = list.find("*/", i);
      if (end == std::string_view::npos) break;
      i = end + 1;
      continue;
    }
    if (c == '{') ++braces;
    if (braces == 0) {
      if (c == '[' || c == '(') ++nesting;
      if (c == ']' || c == ')') --nesting;
      if (c == ',' && nesting == 0) {
        shapes.push_back(shape);
        shape.clear();
      } else if (c != ' ') {
        shape += c;
      }
    }
    if (c == '}') --braces;
  }
  if (!shape.empty()) shapes.push_back(shape);
  return shapes;
}

}  // namespace tilewise
