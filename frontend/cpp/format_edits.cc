// Edits become Clang's replacements, are formatted, and become edits again.

#include "frontend/cpp/format_edits.h"

#include <filesystem>
#include <system_error>

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>

namespace tilewise {

void FormatEdits(const std::string& path, const std::string& text, std::vector<TextEdit>& edits) {
  std::error_code error;
  const std::string file = std::filesystem::absolute(path, error).lexically_normal().string();
  auto style = clang::format::getStyle("file", file, "none", text);
  if (!style) {
    llvm::consumeError(style.takeError());
    return;
  }
  if (style->DisableFormat) return;
  clang::tooling::Replacements made;
  for (const TextEdit& edit : edits) {
    const auto begin = static_cast<unsigned>(edit.span.begin);
    const auto length = static_cast<unsigned>(edit.span.end - edit.span.begin);
    if (edit.span.file != path || edit.span.cell != 0) return;
    if (llvm::Error collides = made.add({file, begin, length, edit.replacement})) {
      llvm::consumeError(std::move(collides));
      return;
    }
  }
  auto formatted = clang::format::formatReplacements(text, made, *style);
  if (!formatted) {
    llvm::consumeError(formatted.takeError());
    return;
  }
  edits.clear();
  for (const clang::tooling::Replacement& each : *formatted) {
    const auto begin = static_cast<int64_t>(each.getOffset());
    edits.push_back({.span = {.file = path,
                              .begin = begin,
                              .end = begin + static_cast<int64_t>(each.getLength())},
                     .replacement = each.getReplacementText().str()});
  }
}

}  // namespace tilewise
