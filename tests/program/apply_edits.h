// Applies edits to a text, as a person would who follows a fix.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tilewise {

// Spans count in the original text, so edits are applied from the end.
inline std::string ApplyEdits(std::string text, std::vector<TextEdit> edits) {
  std::ranges::stable_sort(
      edits, [](const TextEdit& a, const TextEdit& b) { return a.span.begin > b.span.begin; });
  for (const TextEdit& edit : edits) {
    text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.replacement);
  }
  return text;
}

}  // namespace tilewise
