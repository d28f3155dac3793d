// Files are searched for the one word that all such comments have before any
// text is copied.

#include "cli/commented_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "frontend/load.h"
#include "frontend/mapped_file.h"

namespace tilewise {
namespace {

constexpr std::string_view kMark = "tilewise:";
// Of a text that is kept.
constexpr size_t kLargestText = size_t{64} << 20;

struct StyleOfFormat {
  std::string_view format;
  CommentStyle style;
};
constexpr std::array kStyles = {
    StyleOfFormat{"python", CommentStyle::kPython},
    StyleOfFormat{"notebook", CommentStyle::kPython},
    StyleOfFormat{"training-yaml", CommentStyle::kHash},
    StyleOfFormat{"training-gin", CommentStyle::kHash},
    StyleOfFormat{"pipeline-config", CommentStyle::kHash},
    StyleOfFormat{"hlo-textproto", CommentStyle::kHash},
    StyleOfFormat{"graphdef", CommentStyle::kHash},
    StyleOfFormat{"metagraph", CommentStyle::kHash},
    StyleOfFormat{"hlo-text", CommentStyle::kSlash},
    StyleOfFormat{"mlir", CommentStyle::kSlash},
    StyleOfFormat{"cpp", CommentStyle::kSlash},
};

bool IsCommentedText(std::string_view bytes) {
  return bytes.size() <= kLargestText && bytes.find('\0') == std::string_view::npos &&
         bytes.find(kMark) != std::string_view::npos;
}

void AddText(const std::string& path, std::string_view bytes, std::vector<SourceFile>& files) {
  if (!IsCommentedText(bytes)) return;
  const auto known = std::ranges::find(files, path, &SourceFile::path);
  if (known != files.end()) {
    known->text = std::string(bytes);
  } else {
    files.push_back({path, std::string(bytes), {}});
  }
}

bool HasText(const std::vector<SourceFile>& files, const std::string& path) {
  return std::ranges::any_of(files, [&](const SourceFile& file) {
    return file.path == path && !(file.text.empty() && file.cells.empty());
  });
}

}  // namespace

void AddCommentedTexts(std::span<const std::string> paths,
                       const std::map<std::string, std::string>* texts,
                       std::vector<SourceFile>& files) {
  for (const std::string& path : paths) {
    if (HasText(files, path)) continue;
    const bool given = texts != nullptr && texts->contains(path);
    if (given) {
      AddText(path, texts->at(path), files);
      continue;
    }
    if (!CommentStyleOf(path)) continue;
    const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
    if (file.ok()) AddText(path, file->bytes(), files);
  }
}

std::map<std::string, CommentStyle> CommentStylesOf(std::span<const SourceFile> files) {
  std::map<std::string, CommentStyle> styles;
  for (const SourceFile& file : files) {
    if (file.text.empty() || CommentStyleOf(file.path)) continue;
    const InputFormat* format = SniffFormat({file.path, file.text});
    if (format == nullptr) continue;
    const auto* const style = std::ranges::find(kStyles, format->name, &StyleOfFormat::format);
    if (style != kStyles.end()) styles[file.path] = style->style;
  }
  return styles;
}

}  // namespace tilewise
