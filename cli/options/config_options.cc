// --config and --no-config are about files, so no file can set them. Flags were
// parsed before: what they set is given already.

#include "cli/options/config_options.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "lint/config_keys.h"

namespace tilewise {
namespace {

const char* Variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr && *value != '\0' ? value : nullptr;
}

bool IsFree(const Arguments& arguments, std::string_view name) {
  return arguments.Has(name) && !arguments.IsGiven(name) && !arguments.IsExcluded(name);
}

// no-color.org and force-color.org; what is said of colour to tilewise alone
// counts more, what a file says of it counts less.
absl::Status ApplyColor(Arguments& arguments, Origins& origins) {
  if (!IsFree(arguments, "color")) return absl::OkStatus();
  const char* forced = Variable("FORCE_COLOR");
  std::string name, word;
  if (Variable("NO_COLOR") != nullptr) {
    name = "NO_COLOR";
    word = "never";
  } else if (forced != nullptr && std::string_view(forced) != "0") {
    name = "FORCE_COLOR";
    word = "always";
  } else {
    return absl::OkStatus();
  }
  origins["color"] = {{word}, name};
  return arguments.Give("color", {word}, name);
}

}  // namespace

std::string ConfigOptions::FromOf(std::string_view flag) const {
  const auto origin = origins.find(flag);
  return origin == origins.end() ? fmt::format("--{}", flag) : origin->second.from;
}

void Add(Arguments& arguments, ConfigOptions& options) {
  Arguments group = arguments.InGroup(kConfigGroup);
  group.Text({.name = "--config",
              .help = "configuration of all files (default: of each file "
                      "the nearest .tilewise.yaml upwards)",
              .type = "FILE"},
             options.choice.file);
  group.Flag(
      {.name = "--no-config,--isolated", .help = "read no configuration", .excludes = "--config"},
      options.choice.isolated);
}

void NoteFlags(const Arguments& arguments, Origins& origins) {
  for (const std::string& flag : arguments.names()) {
    if (!arguments.IsGiven(flag)) continue;
    origins[flag] = {arguments.WordsOf(flag), "--" + flag};
  }
}

absl::Status ApplyVariables(Arguments& arguments, Origins& origins) {
  std::vector<std::string> given;
  for (const std::string& flag : arguments.names()) {
    if (!IsFree(arguments, flag)) continue;
    if (Variable(VariableOf(flag)) != nullptr) given.push_back(flag);
  }
  for (const std::string& flag : given) {
    const std::string name = VariableOf(flag);
    if (arguments.IsExcluded(flag)) {
      return InvalidInput(fmt::format(
          "{}: found it beside a variable that it excludes, expected one of them", name));
    }
    TW_RETURN_IF_ERROR(arguments.Give(flag, {Variable(name)}, name));
    origins[flag] = {arguments.WordsOf(flag), name};
  }
  return ApplyColor(arguments, origins);
}

absl::Status ApplySettings(Arguments& arguments, std::string_view command, const Settings& settings,
                           Origins& origins) {
  std::vector<std::pair<const ConfigKey*, const ConfigSetting*>> given;
  for (const ConfigKey& key : ConfigKeys()) {
    if (key.flag.empty() || IsRuleKey(key)) continue;
    // Other commands have options of that name, too.
    if (key.scope == KeyScope::kLint && command != "lint") continue;
    const auto setting = settings.find(key.name);
    if (setting == settings.end() || !IsFree(arguments, key.flag)) continue;
    given.emplace_back(&key, &setting->second);
  }
  for (const auto& [key, setting] : given) {
    const std::string from = FormatLocation(setting->from);
    TW_RETURN_IF_ERROR(arguments.Give(key->flag, setting->words, from));
    origins[std::string(key->flag)] = {setting->words, from};
  }
  return absl::OkStatus();
}

}  // namespace tilewise
