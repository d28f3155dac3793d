// Bindings of gin: "scope/module.Name.argument = value", blocks of them under
// "Name:", macros in capitals that "%MACRO" stands for.

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "frontend/config/setting.h"

namespace tilewise {
namespace {

std::string_view WithoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Returns the line up to a comment that is in no string.
std::string_view WithoutComment(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return line.substr(0, i);
    }
  }
  return line;
}

bool IsName(std::string_view text) {
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '/') {
      return false;
    }
  }
  return !text.empty();
}

class GinParser {
 public:
  explicit GinParser(const std::string& path) : path_(path) {}

  absl::StatusOr<Setting> Run(std::string_view text) {
    root_.location = {.file = path_, .line = 1};
    size_t begin = 0;
    for (int32_t number = 1; begin <= text.size(); ++number) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      TW_RETURN_IF_ERROR(Line(text.substr(begin, end - begin), begin, number));
      begin = end + 1;
    }
    PutMacrosIn();
    return std::move(root_);
  }

 private:
  absl::Status Line(std::string_view raw, size_t offset, int32_t number) {
    const std::string_view line = WithoutComment(raw);
    const std::string_view words = WithoutBlanks(line);
    if (words.empty()) return absl::OkStatus();
    const bool indented = line.front() == ' ' || line.front() == '\t';
    if (!indented) block_.clear();
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      if (!indented && words.back() == ':' && IsName(words.substr(0, words.size() - 1))) {
        block_ = std::string(words.substr(0, words.size() - 1));
      }
      return absl::OkStatus();  // an import, or a value's next lines
    }
    const std::string_view key = WithoutBlanks(line.substr(0, equals));
    if (!IsName(key)) return absl::OkStatus();
    if (root_.children.size() >= kMostSettings) {
      return InvalidInput(
          fmt::format("{}:{}: found more than {} bindings, expected a configuration", path_, number,
                      kMostSettings));
    }
    Setting binding;
    binding.key = block_.empty() ? std::string(key) : fmt::format("{}.{}", block_, key);
    const auto column = static_cast<int32_t>(key.data() - raw.data());
    binding.location = {.file = path_, .line = number, .column = column + 1};
    TakeValue(WithoutBlanks(line.substr(equals + 1)), raw, offset, binding);
    root_.children.push_back(std::move(binding));
    return absl::OkStatus();
  }

  void TakeValue(std::string_view value, std::string_view raw, size_t offset, Setting& binding) {
    if (value.empty()) return;
    const auto begin =
        static_cast<int64_t>(offset + static_cast<size_t>(value.data() - raw.data()));
    binding.is_scalar = true;
    binding.value_span = {
        .file = path_, .begin = begin, .end = begin + static_cast<int64_t>(value.size())};
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    binding.value = std::string(value);
  }

  void PutMacrosIn() {
    std::map<std::string, const Setting*, std::less<>> macros;
    for (const Setting& binding : root_.children) {
      if (binding.key.find('.') == std::string::npos) macros[binding.key] = &binding;
    }
    for (Setting& binding : root_.children) {
      // A macro may be bound to another one.
      for (int i = 0; i < 8 && binding.value.starts_with('%'); ++i) {
        const auto macro = macros.find(binding.value.substr(1));
        if (macro == macros.end()) break;
        binding.value_span = macro->second->value_span;
        binding.value = std::string(macro->second->value);
      }
    }
  }

  const std::string& path_;
  Setting root_;
  std::string block_;
};

}  // namespace

absl::StatusOr<Setting> ParseGinSettings(const InputFile& file) {
  TW_ASSIGN_OR_RETURN(const std::string text, ConfigurationText(file));
  return GinParser(file.path).Run(text);
}

}  // namespace tilewise
