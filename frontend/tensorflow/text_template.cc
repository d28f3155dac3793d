// Walks the text once, minding quotes and comments.

#include "frontend/tensorflow/text_template.h"

#include <algorithm>
#include <cctype>

namespace tilewise::tf {
namespace {

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool IsField(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns where the quoted text or comment that starts at `i` ends; `i` when
// there is none.
size_t SkipQuoted(std::string_view text, size_t i) {
  if (text[i] == '#') return std::min(text.find('\n', i), text.size());
  if (text[i] != '"' && text[i] != '\'') return i;
  for (size_t end = i + 1; end < text.size(); ++end) {
    if (text[end] == '\\') {
      ++end;
    } else if (text[end] == text[i]) {
      return end + 1;
    }
  }
  return text.size();
}

bool IsOpenField(std::string_view text, size_t i) {
  return text[i] == '$' && i + 1 < text.size() && IsDigit(text[i + 1]);
}

// Takes the "field: " at the end off.
void DropField(std::string& text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (!text.empty() && text.back() == ':') text.pop_back();
  while (!text.empty() && IsField(text.back())) text.pop_back();
}

}  // namespace

bool HasOpenFields(std::string_view text) {
  if (text.find('$') == std::string_view::npos) return false;
  for (size_t i = 0; i < text.size();) {
    if (IsOpenField(text, i)) return true;
    i = std::max(SkipQuoted(text, i), i + 1);
  }
  return false;
}

std::string CloseTemplate(std::string_view text) {
  std::string closed;
  closed.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    if (IsOpenField(text, i)) {
      DropField(closed);
      closed += "tensor_content: \"?\"";
      ++i;
      while (i < text.size() && IsDigit(text[i])) ++i;
      continue;
    }
    const size_t end = std::max(SkipQuoted(text, i), i + 1);
    closed += text.substr(i, end - i);
    i = end;
  }
  return closed;
}

}  // namespace tilewise::tf
