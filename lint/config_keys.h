// The keys of `.tilewise.yaml`. One line per key, in config_keys.cc. The flag
// of a key is "--key", its variable TILEWISE_KEY.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

enum class KeyKind : uint8_t {
  kWord,         // text
  kNumber,       // a whole number
  kFlag,         // true or false
  kWords,        // one text or a list of them
  kGlobs,        // the same, of globs relative to the configuration's folder
  kPath,         // of a file or folder, relative to the configuration's folder
  kPaths,        // one or a list of them
  kAssignments,  // a map of texts, or a list of NAME=VALUE
  kMachine,      // a name, or the path of a .txtpb file
  kSection,      // a map or a list of maps, without a flag or with one of its own
};

constexpr bool IsListKind(KeyKind kind) {
  return kind == KeyKind::kWords || kind == KeyKind::kGlobs || kind == KeyKind::kPaths ||
         kind == KeyKind::kAssignments;
}

// This says which commands take the key from a configuration. A variable counts
// for every command that has the option.
enum class KeyScope : uint8_t {
  kModel,  // lint, advise, tune, simulate, estimate and inspect
  kRules,  // lint and advise
  kLint,   // lint
};

struct ConfigKey {
  std::string_view name;  // "fail-on"
  KeyKind kind = KeyKind::kWord;
  KeyScope scope = KeyScope::kModel;
  // The key has this value unless something sets it; empty: the files or the
  // command decide.
  std::string_view standard;
  std::string_view summary;
  // The flag is without its hyphens; empty: there is none.
  std::string_view flag;
};

// Returns the keys in the order of docs/configuration.md.
std::span<const ConfigKey> ConfigKeys();
const ConfigKey* FindConfigKey(std::string_view name);
// Returns all names, for "did you mean".
std::vector<std::string> ConfigKeyNames();
// Keys that make a run write: a checkout's own configuration cannot set them.
bool IsWritingKey(const ConfigKey& key);
// Keys whose values are paths of files or folders that a run reads.
bool NamesPaths(const ConfigKey& key);
// Keys that an entry of `workloads` may have, besides its name and files.
bool IsWorkloadKey(const ConfigKey& key);
// Keys that say which rules run, and how: `select` to `thresholds`.
bool IsRuleKey(const ConfigKey& key);

// "TILEWISE_FAIL_ON" of "fail-on".
std::string VariableOf(std::string_view flag);

}  // namespace tilewise
