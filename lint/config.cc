// A configuration file and what it extends, merged from the farthest to the
// nearest.

#include "lint/config.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "lint/config_keys.h"
#include "lint/config_sections.h"
#include "lint/config_yaml.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kLargestConfig = uintmax_t{1} << 20;
// Files that one configuration may be made of, each counted as often as it is
// read.
constexpr int kMostFiles = 100;

std::string FolderOf(const std::string& path) {
  std::error_code error;
  return fs::absolute(path, error).lexically_normal().parent_path().generic_string();
}

std::string RootOf(const std::string& folder) {
  std::error_code error;
  for (fs::path here = folder; here.has_relative_path(); here = here.parent_path()) {
    if (fs::exists(here / ".git", error)) return here.generic_string();
  }
  return folder;
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return absl::NotFoundError(fmt::format("{}: found no file, expected a configuration", path));
  }
  if (fs::file_size(path, error) > kLargestConfig) {
    return InvalidInput(fmt::format("{}: found more than 1 MiB, expected less", path));
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    return absl::UnavailableError(fmt::format("cannot read {}", path));
  }
  return text.str();
}

absl::Status CheckKeys(const YamlValue& top) {
  for (const YamlMember& member : top.members) {
    if (FindConfigKey(member.key) != nullptr) continue;
    return ErrorAt(member.from,
                   fmt::format("found key '{}', expected one of those that 'tilewise init "
                               "--print' and docs/configuration.md list{}",
                               member.key.substr(0, 64), DidYouMean(member.key, ConfigKeyNames())));
  }
  return absl::OkStatus();
}

template <class T>
void Append(std::vector<T> more, std::vector<T>& list) {
  std::ranges::move(more, std::back_inserter(list));
}

// What is said nearer replaces lists, adds to extend-lists and wins in maps,
// where later lines win.
void MergeRules(RuleLines nearer, RuleLines& rules) {
  if (nearer.select) rules.select = std::move(nearer.select);
  if (nearer.ignore) rules.ignore = std::move(nearer.ignore);
  if (nearer.preview) rules.preview = nearer.preview;
  const auto add = [](std::optional<ConfigSetting>& more, std::optional<ConfigSetting>& list) {
    if (!more) return;
    if (list) {
      Append(std::move(more->words), list->words);
    } else {
      list = std::move(more);
    }
  };
  add(nearer.extend_select, rules.extend_select);
  add(nearer.extend_ignore, rules.extend_ignore);
  Append(std::move(nearer.severity), rules.severity);
  Append(std::move(nearer.thresholds), rules.thresholds);
}

void Merge(LintConfig nearer, LintConfig& config) {
  Override(nearer.settings, config.settings);
  MergeRules(std::move(nearer.rules), config.rules);
  Append(std::move(nearer.per_path), config.per_path);
  Append(std::move(nearer.suppress), config.suppress);
  for (DeclaredWorkload& workload : nearer.workloads) {
    std::erase_if(config.workloads,
                  [&](const DeclaredWorkload& other) { return other.name == workload.name; });
    config.workloads.push_back(std::move(workload));
  }
}

class Reader {
 public:
  absl::StatusOr<LintConfig> Read(const std::string& path) {
    if (++files_ > kMostFiles) {
      return InvalidInput(
          fmt::format("{}: found more than {} extended files, expected fewer", path, kMostFiles));
    }
    TW_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
    return Parse(text, path);
  }

  absl::StatusOr<LintConfig> Parse(std::string_view text, const std::string& path) {
    std::error_code error;
    open_.push_back(fs::weakly_canonical(path, error).string());
    TW_ASSIGN_OR_RETURN(const YamlValue top, ParseYaml(text, path));
    LintConfig config;
    if (top.kind != YamlValue::Kind::kNull) {
      if (top.kind != YamlValue::Kind::kMap) {
        return ErrorAt(top.from, fmt::format("found {}, expected keys", DescribeYaml(top)));
      }
      TW_RETURN_IF_ERROR(CheckKeys(top));
      TW_ASSIGN_OR_RETURN(config, ReadExtended(top, FolderOf(path)));
      TW_ASSIGN_OR_RETURN(LintConfig own, ReadOwn(top, FolderOf(path)));
      Merge(std::move(own), config);
    }
    open_.pop_back();
    config.file = path;
    config.root = RootOf(FolderOf(path));
    return config;
  }

 private:
  absl::StatusOr<LintConfig> ReadExtended(const YamlValue& top, const std::string& folder) {
    LintConfig config;
    const YamlValue* extends = FindMember(top, "extends");
    if (extends == nullptr) return config;
    TW_ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                        ReadWords(*extends, "a path or a list of paths"));
    for (const std::string& path : paths) {
      const std::string file = PathIn(folder, path);
      std::error_code error;
      const std::string canonical = fs::weakly_canonical(file, error).string();
      if (std::ranges::find(open_, canonical) != open_.end()) {
        return ErrorAt(extends->from, fmt::format("found a circle: {} extends itself, "
                                                  "expected none",
                                                  file));
      }
      absl::StatusOr<LintConfig> extended = Read(file);
      if (!extended.ok()) {
        return Annotate(extended.status(), FormatLocation(extends->from) + ": in what it extends");
      }
      Merge(*std::move(extended), config);
    }
    return config;
  }

  static absl::StatusOr<LintConfig> ReadOwn(const YamlValue& top, const std::string& folder) {
    LintConfig config;
    TW_ASSIGN_OR_RETURN(config.rules, ReadRuleLines(top));
    for (const YamlMember& member : top.members) {
      const ConfigKey& key = *FindConfigKey(member.key);
      if (key.kind == KeyKind::kSection || IsRuleKey(key)) continue;
      TW_ASSIGN_OR_RETURN(config.settings[member.key], ReadSetting(key, member.value, folder));
    }
    TW_RETURN_IF_ERROR(CheckExclusive(config.settings));
    if (const YamlValue* value = FindMember(top, "per-path")) {
      TW_ASSIGN_OR_RETURN(config.per_path, ReadPerPath(*value, folder));
    }
    if (const YamlValue* value = FindMember(top, "suppress")) {
      TW_ASSIGN_OR_RETURN(config.suppress, ReadSuppressions(*value, folder));
    }
    if (const YamlValue* value = FindMember(top, "workloads")) {
      TW_ASSIGN_OR_RETURN(config.workloads, ReadWorkloads(*value, folder));
    }
    return config;
  }

  int files_ = 0;
  std::vector<std::string> open_;  // files that are being read, outermost first
};

}  // namespace

absl::StatusOr<LintConfig> ReadConfig(const std::string& path) { return Reader().Read(path); }

absl::StatusOr<LintConfig> ParseConfig(std::string_view text, const std::string& path) {
  return Reader().Parse(text, path);
}

LintConfig NoConfig() {
  std::error_code error;
  return {.root = RootOf(fs::current_path(error).generic_string())};
}

}  // namespace tilewise
