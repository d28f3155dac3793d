// A configuration file and what it extends, merged from the farthest to the
// nearest.

#include "lint/config.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "lint/config_keys.h"
#include "lint/config_sections.h"
#include "lint/config_yaml.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestConfig = size_t{1} << 20;
// Files that one configuration may be made of, each counted as often as it is
// read.
constexpr int kMostFiles = 100;

std::string FolderOf(const std::string& path) {
  return AbsolutePath(path).parent_path().generic_string();
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  absl::StatusOr<std::string> text = ReadRegularFile(path, kLargestConfig);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(fmt::format("{}: found no file, expected a configuration", path));
  }
  return text;
}

// What a checkout's configuration may name lies in this folder; empty: anywhere. Without .git it
// is the working directory, where the configuration lies in that.
std::string BoundsOf(const std::string& path, ConfigOwner owner) {
  if (owner == ConfigOwner::kUser) return "";
  std::error_code error;
  std::string checkout = CheckoutOf(FolderOf(path));
  if (fs::exists(fs::path(checkout) / ".git", error)) return checkout;
  const fs::path here = fs::current_path(error);
  return !error && LiesIn(here, checkout) ? here.generic_string() : checkout;
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
  // `root`: of the checkout whose configuration it is; empty: the user's own.
  explicit Reader(std::string root) : root_(std::move(root)) {}

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
    config.root = CheckoutOf(FolderOf(path));
    config.warnings = warnings_;
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
      TW_RETURN_IF_ERROR(CheckInside(file, extends->from));
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

  // What a checkout names outside of itself would be read for whoever sent it.
  absl::Status CheckInside(const std::string& path, const Location& from) const {
    if (root_.empty() || path.starts_with("zoo:") || LiesIn(root_, path)) return absl::OkStatus();
    return ErrorAt(from, fmt::format("found a path out of the checkout {}: {}, expected one in it; "
                                     "the command line, or a file that --config names, may name it",
                                     root_, path));
  }

  absl::Status CheckPaths(const Settings& settings) const {
    for (const auto& [name, setting] : settings) {
      const ConfigKey& key = *FindConfigKey(name);
      if (!NamesPaths(key)) continue;
      for (const std::string& word : setting.words) {
        if (key.kind == KeyKind::kMachine && !word.ends_with(".txtpb")) continue;
        TW_RETURN_IF_ERROR(CheckInside(word, setting.from));
      }
    }
    return absl::OkStatus();
  }

  void DropWritingKeys(Settings& settings) {
    if (root_.empty()) return;
    std::erase_if(settings, [&](const auto& setting) {
      if (!IsWritingKey(*FindConfigKey(setting.first))) return false;
      warnings_.push_back(fmt::format(
          "{}: found '{}', which a checkout's configuration cannot set, expected --{} or "
          "{} of the run, or the key in a file that --config names",
          FormatLocation(setting.second.from), setting.first, setting.first,
          VariableOf(setting.first)));
      return true;
    });
  }

  absl::StatusOr<LintConfig> ReadOwn(const YamlValue& top, const std::string& folder) {
    LintConfig config;
    TW_ASSIGN_OR_RETURN(config.rules, ReadRuleLines(top));
    for (const YamlMember& member : top.members) {
      const ConfigKey& key = *FindConfigKey(member.key);
      if (key.kind == KeyKind::kSection || IsRuleKey(key)) continue;
      TW_ASSIGN_OR_RETURN(config.settings[member.key], ReadSetting(key, member.value, folder));
    }
    TW_RETURN_IF_ERROR(CheckExclusive(config.settings));
    TW_RETURN_IF_ERROR(CheckPaths(config.settings));
    DropWritingKeys(config.settings);
    if (const YamlValue* value = FindMember(top, "per-path")) {
      TW_ASSIGN_OR_RETURN(config.per_path, ReadPerPath(*value, folder));
    }
    if (const YamlValue* value = FindMember(top, "suppress")) {
      TW_ASSIGN_OR_RETURN(config.suppress, ReadSuppressions(*value, folder));
    }
    if (const YamlValue* value = FindMember(top, "workloads")) {
      TW_ASSIGN_OR_RETURN(config.workloads, ReadWorkloads(*value, folder));
      for (const DeclaredWorkload& workload : config.workloads) {
        TW_RETURN_IF_ERROR(CheckPaths(workload.settings));
        for (const std::string& file : workload.files) {
          TW_RETURN_IF_ERROR(CheckInside(file, workload.from));
        }
      }
    }
    return config;
  }

  std::string root_;
  std::vector<std::string> warnings_;
  int files_ = 0;
  std::vector<std::string> open_;  // files that are being read, outermost first
};

}  // namespace

std::string CheckoutOf(const std::string& folder) {
  std::error_code error;
  for (fs::path here = folder; here.has_relative_path(); here = here.parent_path()) {
    if (fs::exists(here / ".git", error)) return here.generic_string();
  }
  return folder;
}

absl::StatusOr<LintConfig> ReadConfig(const std::string& path, ConfigOwner owner) {
  const std::string root = BoundsOf(path, owner);
  if (!root.empty() && !LiesIn(root, path)) {
    return InvalidInput(fmt::format(
        "{}: found a link out of the checkout {}, expected a file in it; --config may name it",
        path, root));
  }
  return Reader(root).Read(path);
}

absl::StatusOr<LintConfig> ParseConfig(std::string_view text, const std::string& path,
                                       ConfigOwner owner) {
  return Reader(BoundsOf(path, owner)).Parse(text, path);
}

LintConfig NoConfig() {
  std::error_code error;
  return {.root = CheckoutOf(fs::current_path(error).generic_string())};
}

}  // namespace tilewise
