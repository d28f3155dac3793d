// Flags were parsed before; what they set has a count.

#include "cli/setting_sources.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>

#include <fmt/format.h>

#include "lint/config_keys.h"

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 6> kModelCommands = {
    "lint", "advise", "tune", "simulate", "estimate", "inspect"};

bool HasScope(KeyScope scope, std::string_view command) {
  switch (scope) {
    case KeyScope::kModel:
      return ReadsConfig(command);
    case KeyScope::kRules:
      return command == "lint" || command == "advise";
    case KeyScope::kLint:
      return command == "lint";
  }
  return false;
}

// The name that makes the variable: the first long one; empty: none.
std::string FlagOf(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return names.empty() || names.front() == "help" || names.front() == "version"
             ? ""
             : names.front();
}

// Something that it excludes has a value from a stronger source.
bool IsExcluded(const CLI::Option& option) {
  return std::ranges::any_of(
      option.get_excludes(),
      [](const CLI::Option* other) { return other->count() > 0; });
}

// As CLI11 does with words of its own configuration files.
absl::Status Give(CLI::Option& option, const std::vector<std::string>& words,
                  const std::string& from) {
  try {
    for (const std::string& word : words) option.add_result(word);
    option.run_callback();
  } catch (const CLI::Error& error) {
    return InvalidInput(fmt::format("{}: {}", from, error.what()));
  } catch (const std::exception& error) {
    return InvalidInput(fmt::format("{}: {}", from, error.what()));
  }
  return absl::OkStatus();
}

const char* Variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// no-color.org and force-color.org; what is said of colour to tilewise alone
// counts more, what a file says of it counts less.
absl::Status ApplyColor(CLI::App& app, Origins& origins) {
  CLI::Option* color = app.get_option_no_throw("--color");
  if (color == nullptr || color->count() > 0) return absl::OkStatus();
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
  return Give(*color, {word}, name);
}

}  // namespace

bool ReadsConfig(std::string_view command) {
  return std::ranges::find(kModelCommands, command) != kModelCommands.end();
}

void NoteFlags(const CLI::App& app, Origins& origins) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string flag = FlagOf(*option);
    if (flag.empty() || option->count() == 0) continue;
    origins[flag] = {option->results(), "--" + flag};
  }
}

absl::Status ApplyVariables(CLI::App& app, Origins& origins) {
  std::vector<std::pair<CLI::Option*, std::string>> given;
  for (CLI::Option* option : app.get_options()) {
    const std::string flag = FlagOf(*option);
    if (flag.empty() || option->count() > 0 || IsExcluded(*option)) continue;
    if (Variable(VariableOf(flag)) != nullptr) given.emplace_back(option, flag);
  }
  for (const auto& [option, flag] : given) {
    const std::string name = VariableOf(flag);
    if (IsExcluded(*option)) {
      return InvalidInput(fmt::format(
          "{}: found it beside a variable that it excludes, expected one of "
          "them",
          name));
    }
    const std::vector<std::string> words = {Variable(name)};
    TW_RETURN_IF_ERROR(Give(*option, words, name));
    origins[flag] = {option->results(), name};
  }
  return ApplyColor(app, origins);
}

absl::Status ApplySettings(CLI::App& app, std::string_view command,
                           const Settings& settings, Origins& origins) {
  std::vector<std::pair<CLI::Option*, const ConfigKey*>> given;
  for (const ConfigKey& key : ConfigKeys()) {
    if (key.flag.empty() || IsRuleKey(key) || !HasScope(key.scope, command)) {
      continue;
    }
    if (!settings.contains(key.name)) continue;
    CLI::Option* option = app.get_option_no_throw("--" + std::string(key.flag));
    if (option == nullptr || option->count() > 0 || IsExcluded(*option)) {
      continue;
    }
    given.emplace_back(option, &key);
  }
  for (const auto& [option, key] : given) {
    const ConfigSetting& setting = settings.find(key->name)->second;
    const std::string from = FormatLocation(setting.from);
    TW_RETURN_IF_ERROR(Give(*option, setting.words, from));
    origins[std::string(key->flag)] = {setting.words, from};
  }
  return absl::OkStatus();
}

}  // namespace tilewise
