// What the configuration files say for one linted file: `.tilewise.yaml`, the
// nearest one upwards, and the files that it extends.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/status.h"

namespace tilewise {

inline constexpr std::string_view kConfigFileName = ".tilewise.yaml";

// The value of one key as text, with the location that it comes from: words of a
// list, one word of a scalar ("true", "4096"). Paths are absolute or relative
// to the working directory already.
struct ConfigSetting {
  std::vector<std::string> words;
  Location from;
};
// The key is an option ("fail-on"), as ConfigKeys() lists them.
using Settings = std::map<std::string, ConfigSetting, std::less<>>;

// One line of `severity` or `thresholds`: {AL001: error}, {AL009.min-ratio: 2}.
struct RuleLine {
  std::string key;
  std::string value;
  Location from;
};

// What is said of rules, at the top of a file or in an entry of `per-path`.
struct RuleLines {
  std::optional<ConfigSetting> select, extend_select, ignore, extend_ignore;
  std::optional<bool> preview;
  std::vector<RuleLine> severity, thresholds;  // later ones win
};

// The lists among them, in the order of ConfigKeys().
struct RuleList {
  std::string_view key;
  std::optional<ConfigSetting> RuleLines::*list;
};
inline constexpr RuleList kRuleLists[] = {{"select", &RuleLines::select},
                                          {"extend-select", &RuleLines::extend_select},
                                          {"ignore", &RuleLines::ignore},
                                          {"extend-ignore", &RuleLines::extend_ignore}};

// An entry of `per-path`: other rules for some files.
struct PathRules {
  std::vector<std::string> paths;  // globs, as GlobBelow makes them
  std::string base;                // the folder of the file that has the entry
  RuleLines rules;
  Location from;
};

// An entry of `suppress`: findings that are known and accepted, for files that
// cannot hold a comment.
struct ConfigSuppression {
  std::string rule;  // id, name or family
  std::string path;  // glob; empty: every file
  std::string base;
  std::string node;  // glob over the op's or layer's name; empty: every one
  std::string reason;
  Location from;
};

// An entry of `workloads`: files that are one program, and its settings.
struct DeclaredWorkload {
  std::string name;
  std::vector<std::string> files;  // absolute
  Settings settings;
  Location from;
};

struct LintConfig {
  std::string file;  // the nearest one; empty: there is none
  // This is the absolute folder that paths of fingerprints and baselines start from, the same
  // wherever a run starts: the checkout (the nearest folder upwards with .git), else the folder of
  // `file`, else the working directory.
  std::string root;
  Settings settings;  // all keys but those below
  RuleLines rules;
  std::vector<PathRules> per_path;  // later ones win
  std::vector<ConfigSuppression> suppress;
  std::vector<DeclaredWorkload> workloads;
  // What the files say and a run does not take from them, one line each.
  std::vector<std::string> warnings;
};

// This says whose a configuration is. One that the user names, or keeps at home, may say what it
// likes. One that is found beside linted files may be anyone's: what it names lies in its checkout,
// and it cannot make a run write.
enum class ConfigOwner : uint8_t { kUser, kCheckout };

// Reads `path` and what it extends. Errors: unreadable, not YAML, unknown keys
// and values of another kind, a cycle of `extends`, paths that leave a checkout
// whose configuration it is; each with file:line:column, what was found and
// expected.
absl::StatusOr<LintConfig> ReadConfig(const std::string& path,
                                      ConfigOwner owner = ConfigOwner::kUser);

// The same from text, for `path`; nothing that it extends may be missing.
absl::StatusOr<LintConfig> ParseConfig(std::string_view text, const std::string& path,
                                       ConfigOwner owner = ConfigOwner::kUser);

// The nearest folder from `folder` (absolute) upwards that has .git, else itself.
std::string CheckoutOf(const std::string& folder);

// The configuration of a run without files: no settings.
LintConfig NoConfig();

}  // namespace tilewise
