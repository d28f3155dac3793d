// Kinds are checked here, meanings (a chip that exists) by who knows them.

#include "lint/config_values.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "base/nearest_name.h"

namespace tilewise {
namespace {

constexpr size_t kLongestWord = 1000;

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

bool IsNumber(const std::string& text) {
  const size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.size() < 19 &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(),
                     [](unsigned char c) { return c < 128 && std::isdigit(c) != 0; });
}

absl::Status Unexpected(const YamlValue& value, std::string_view expected) {
  return ErrorAt(value.from, fmt::format("found {}, expected {}", DescribeYaml(value), expected));
}

std::string_view Expected(KeyKind kind) {
  switch (kind) {
    case KeyKind::kNumber:
      return "a whole number";
    case KeyKind::kFlag:
      return "true or false";
    case KeyKind::kWords:
      return "a word or a list of words";
    case KeyKind::kGlobs:
      return "a glob or a list of globs";
    case KeyKind::kPath:
      return "a path";
    case KeyKind::kChip:
    case KeyKind::kWord:
    case KeyKind::kSection:
      return "a word";
  }
  return "";
}

}  // namespace

std::string PathIn(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path absolute = (fs::path(folder) / path).lexically_normal();
  const fs::path here = fs::current_path(error);
  if (error) return absolute.string();
  const fs::path relative = absolute.lexically_relative(here);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : absolute.string();
}

absl::StatusOr<std::string> ReadWord(const YamlValue& value, std::string_view what) {
  if (value.kind != YamlValue::Kind::kScalar || value.scalar.empty()) {
    return Unexpected(value, what);
  }
  if (value.scalar.size() > kLongestWord) {
    return ErrorAt(value.from, fmt::format("found {} characters, expected {} of at most {}",
                                           value.scalar.size(), what, kLongestWord));
  }
  return value.scalar;
}

absl::StatusOr<std::vector<std::string>> ReadWords(const YamlValue& value, std::string_view what) {
  std::vector<std::string> words;
  if (value.kind == YamlValue::Kind::kScalar) {
    TW_ASSIGN_OR_RETURN(std::string word, ReadWord(value, what));
    words.push_back(std::move(word));
    return words;
  }
  if (value.kind != YamlValue::Kind::kList) return Unexpected(value, what);
  words.reserve(value.items.size());
  for (const YamlValue& item : value.items) {
    TW_ASSIGN_OR_RETURN(std::string word, ReadWord(item, what));
    words.push_back(std::move(word));
  }
  return words;
}

absl::StatusOr<bool> ReadFlag(const YamlValue& value) {
  const std::string word = Lower(value.scalar);
  for (const char* yes : {"true", "yes", "on"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "no", "off"}) {
    if (word == no) return false;
  }
  return Unexpected(value, Expected(KeyKind::kFlag));
}

absl::StatusOr<ConfigSetting> ReadSetting(const ConfigKey& key, const YamlValue& value,
                                          const std::string& folder) {
  const auto read = [&]() -> absl::StatusOr<ConfigSetting> {
    ConfigSetting setting{.words = {}, .from = value.from};
    if (key.kind == KeyKind::kWords || key.kind == KeyKind::kGlobs) {
      TW_ASSIGN_OR_RETURN(setting.words, ReadWords(value, Expected(key.kind)));
    } else if (key.kind == KeyKind::kFlag) {
      TW_ASSIGN_OR_RETURN(const bool flag, ReadFlag(value));
      setting.words = {flag ? "true" : "false"};
    } else {
      TW_ASSIGN_OR_RETURN(const std::string word, ReadWord(value, Expected(key.kind)));
      if (key.kind == KeyKind::kNumber && !IsNumber(word)) {
        return Unexpected(value, Expected(key.kind));
      }
      const bool path =
          key.kind == KeyKind::kPath || (key.kind == KeyKind::kChip && word.ends_with(".txtpb"));
      setting.words = {path ? PathIn(folder, word) : word};
    }
    return setting;
  };
  absl::StatusOr<ConfigSetting> setting = read();
  if (!setting.ok()) return setting;
  if (key.kind == KeyKind::kGlobs) {
    for (std::string& glob : setting->words) glob = GlobBelow(folder, glob);
  }
  return setting;
}

const YamlValue* FindMember(const YamlValue& map, std::string_view key) {
  for (const YamlMember& member : map.members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

absl::Status CheckMembers(const YamlValue& map, std::string_view of,
                          const std::vector<std::string>& known) {
  if (map.kind != YamlValue::Kind::kMap) return Unexpected(map, of);
  for (const YamlMember& member : map.members) {
    if (std::ranges::find(known, member.key) != known.end()) continue;
    std::string names;
    for (const std::string& name : known) {
      names += (names.empty() ? "" : ", ") + name;
    }
    return ErrorAt(member.from,
                   fmt::format("found key '{}' in {}, expected one of {}{}",
                               member.key.substr(0, 64), of, names, DidYouMean(member.key, known)));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
