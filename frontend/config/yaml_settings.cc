// YAML as yaml-cpp reads it, as settings. The library throws; nothing of that
// leaves this file.

#include <exception>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "frontend/config/setting.h"

namespace tilewise {
namespace {

class YamlReader {
 public:
  YamlReader(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  absl::Status Read(const YAML::Node& node, int depth, Setting& into) {
    // Anchors make a small file a large tree.
    if (++count_ > kMostSettings || depth > kDeepestSetting) {
      return InvalidInput(
          fmt::format("{}:{}: found more than {} settings or {} levels, expected a configuration",
                      path_, into.location.line, kMostSettings, kDeepestSetting));
    }
    if (node.IsScalar()) {
      into.is_scalar = true;
      into.value = node.Scalar();
      into.value_span = SpanOf(node);
    } else if (node.IsMap()) {
      for (const auto& entry : node) {
        Setting child;
        if (entry.first.IsScalar()) child.key = entry.first.Scalar();
        child.location = LocationOf(entry.first);
        TW_RETURN_IF_ERROR(Read(entry.second, depth + 1, child));
        into.children.push_back(std::move(child));
      }
    } else if (node.IsSequence()) {
      for (const auto& element : node) {
        Setting child;
        child.location = LocationOf(element);
        TW_RETURN_IF_ERROR(Read(element, depth + 1, child));
        into.children.push_back(std::move(child));
      }
    }
    return absl::OkStatus();
  }

 private:
  Location LocationOf(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    return {.file = path_, .line = mark.line + 1, .column = mark.column + 1};
  }

  // Returns the span as written, quotes included; an empty one where the text
  // is not what was read (a block scalar, an escape).
  Span SpanOf(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    const std::string& value = node.Scalar();
    if (mark.pos < 0 || value.empty()) return {};
    size_t begin = mark.pos;
    if (begin >= text_.size()) return {};
    size_t length = value.size();
    const char first = text_[begin];
    const size_t quote = first == '\'' || first == '"' ? 1 : 0;
    if (text_.compare(begin + quote, length, value) != 0) return {};
    length += 2 * quote;
    return {.file = path_,
            .begin = static_cast<int64_t>(begin),
            .end = static_cast<int64_t>(begin + length)};
  }

  const std::string& text_;
  const std::string& path_;
  size_t count_ = 0;
};

}  // namespace

absl::StatusOr<Setting> ParseYamlSettings(const InputFile& file) {
  TW_ASSIGN_OR_RETURN(const std::string text, ConfigurationText(file));
  try {
    const YAML::Node document = YAML::Load(text);
    Setting root;
    root.location = {.file = file.path, .line = 1};
    TW_RETURN_IF_ERROR(YamlReader(text, file.path).Read(document, 0, root));
    return root;
  } catch (const YAML::Exception& error) {
    return InvalidInput(
        fmt::format("{}:{}: {}, expected YAML", file.path, error.mark.line + 1, error.msg));
  } catch (const std::exception& error) {
    return InvalidInput(fmt::format("{}: {}, expected YAML", file.path, error.what()));
  }
}

}  // namespace tilewise
