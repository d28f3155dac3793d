// Counts brackets and passes over strings; no recursion, so depth costs
// nothing.

#include "edit/json_text.h"

namespace tilewise {
namespace {

size_t EndOfJsonString(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

bool EndsScalar(char c) {
  return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

size_t SkipJsonSpace(std::string_view text, size_t at) {
  const size_t next = text.find_first_not_of(" \t\r\n", at);
  return next == std::string_view::npos ? text.size() : next;
}

size_t EndOfJsonValue(std::string_view text, size_t at) {
  if (at >= text.size()) return text.size();
  if (text[at] == '"') return EndOfJsonString(text, at);
  if (text[at] != '{' && text[at] != '[') {
    while (at < text.size() && !EndsScalar(text[at])) ++at;
    return at;
  }
  int64_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfJsonString(text, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return text.size();
}

std::vector<JsonPart> JsonParts(std::string_view text, size_t at) {
  std::vector<JsonPart> parts;
  if (at >= text.size() || (text[at] != '{' && text[at] != '[')) return parts;
  const bool object = text[at] == '{';
  ++at;
  while (true) {
    at = SkipJsonSpace(text, at);
    if (at >= text.size() || text[at] == '}' || text[at] == ']') break;
    JsonPart part;
    if (object) {
      part.key_begin = at;
      const size_t end = EndOfJsonValue(text, at);
      if (end < at + 2) break;
      part.key = text.substr(at + 1, end - at - 2);
      at = SkipJsonSpace(text, end);
      if (at >= text.size() || text[at] != ':') break;
      at = SkipJsonSpace(text, at + 1);
    }
    part.begin = at;
    part.end = EndOfJsonValue(text, at);
    if (part.end == part.begin) break;
    parts.push_back(part);
    at = SkipJsonSpace(text, part.end);
    if (at >= text.size() || text[at] != ',') break;
    ++at;
  }
  return parts;
}

const JsonPart* FindJsonMember(const std::vector<JsonPart>& parts, std::string_view key) {
  const JsonPart* found = nullptr;
  for (const JsonPart& part : parts) {
    if (part.key == key) found = &part;
  }
  return found;
}

}  // namespace tilewise
