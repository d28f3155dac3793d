// One pass over strings and brackets. Text that is no JSON stays so in what is
// kept, and is refused by the parser.

#include "frontend/python/notebook_text.h"

#include <algorithm>

namespace tilewise::python {
namespace {

// One past the string that begins at `at`.
size_t EndOfString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

size_t SkipSpace(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// One past the list or map that begins at `at`; the end when it is not closed.
size_t EndOfBrackets(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfString(text, at);
      continue;
    }
    ++at;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && --depth == 0) return at;
  }
  return at;
}

}  // namespace

std::string WithoutOutputs(std::string_view json) {
  std::string kept;
  size_t done = 0;
  for (size_t at = 0; at < json.size();) {
    if (json[at] != '"') {
      ++at;
      continue;
    }
    const size_t end = EndOfString(json, at);
    const std::string_view word = json.substr(at, end - at);
    const size_t colon = SkipSpace(json, end);
    at = end;
    if (word != "\"outputs\"" && word != "\"attachments\"") continue;
    if (colon >= json.size() || json[colon] != ':') continue;
    const size_t value = SkipSpace(json, colon + 1);
    if (value >= json.size() || (json[value] != '[' && json[value] != '{')) continue;
    at = EndOfBrackets(json, value);
    const std::string_view dropped = json.substr(value, at - value);
    kept.append(json.substr(done, value - done));
    kept.append(static_cast<size_t>(std::ranges::count(dropped, '\n')), '\n');
    // What is not closed is for the parser to refuse.
    kept.append(dropped.ends_with(']') || dropped.ends_with('}') ? "[]" : "[");
    done = at;
  }
  kept.append(json.substr(done));
  return kept;
}

}  // namespace tilewise::python
