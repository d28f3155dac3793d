// Braces hold layouts, which are left out; comments number the parameters.

#include "frontend/files/entry_shapes.h"

namespace tilewise {
namespace {

constexpr size_t kMostEntryShapes = 65536;

// From after "(" to the parenthesis that closes it; empty when none does.
std::string_view Inside(std::string_view text) {
  int depth = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(0, i);
  }
  return {};
}

}  // namespace

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
