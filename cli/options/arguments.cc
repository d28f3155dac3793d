// Each kind of option in the terms of CLI11. Numbers are checked here against
// the range that makes sense for them, so that no size further down can
// overflow.

#include "cli/options/arguments.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/units.h"

namespace tilewise {
namespace {

std::string CheckRange(const std::string& text, int64_t least, int64_t most) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value >= least && value <= most) {
    return "";
  }
  return fmt::format("found '{}', expected a whole number from {} to {}", text, FormatCount(least),
                     FormatCount(most));
}

// The name that other sources know the option by; empty: none do.
std::string NameOf(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return names.empty() || names.front() == "help" || names.front() == "version" ? ""
                                                                                : names.front();
}

}  // namespace

std::string Alternatives(std::span<const std::string> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string UnknownWord(std::string_view word, std::span<const std::string> known) {
  constexpr size_t kShown = 64;
  return fmt::format("found '{}', expected {}{}", word.substr(0, kShown), Alternatives(known),
                     DidYouMean(word, known));
}

std::string CheckWord(std::string_view word, std::span<const std::string> known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return "";
  return UnknownWord(word, known);
}

std::function<std::string(const std::string&)> OneOf(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& word) { return CheckWord(word, words); };
}

// What flags and options have in common.
CLI::Option* Arguments::Declare(CLI::Option* option, const Argument& argument) const {
  if (!group_.empty()) option->group(group_);
  if (!argument.excludes.empty()) option->excludes(argument.excludes);
  return option;
}

CLI::Option* Arguments::DeclareValue(CLI::Option* option, const Argument& argument) const {
  Declare(option, argument)->type_name(argument.type)->required(argument.required);
  if (argument.check) {
    option->check(CLI::Validator(
        [check = argument.check](std::string& word) { return check(word); }, "", ""));
  }
  if (!argument.needs.empty()) option->needs(argument.needs);
  return option;
}

void Arguments::Text(const Argument& argument, std::string& value) {
  DeclareValue(app_->add_option(argument.name, value, argument.help), argument);
}

void Arguments::Words(const Argument& argument, std::vector<std::string>& words) {
  DeclareValue(app_->add_option(argument.name, words, argument.help), argument);
}

void Arguments::Repeated(const Argument& argument, std::vector<std::string>& words) {
  DeclareValue(app_->add_option(argument.name, words, argument.help), argument)
      ->allow_extra_args(false);
}

void Arguments::List(const Argument& argument, std::vector<std::string>& words) {
  DeclareValue(app_->add_option(argument.name, words, argument.help), argument)
      ->delimiter(',')
      ->allow_extra_args(false);
}

void Arguments::Number(const Argument& argument, int64_t& value, int64_t most, int64_t least) {
  Argument number = argument;
  number.type = "N";
  number.check = [least, most](const std::string& word) { return CheckRange(word, least, most); };
  DeclareValue(app_->add_option(number.name, value, number.help), number);
}

void Arguments::Flag(const Argument& argument, bool& value) {
  Declare(app_->add_flag(argument.name, value, argument.help), argument);
}

// CLI11 sets an optional that add_flag is given even where the flag is not.
void Arguments::Flag(const Argument& argument, std::optional<bool>& value) {
  const auto set = [&value](std::int64_t count) { value = count > 0; };
  Declare(app_->add_flag_function(argument.name, set, argument.help), argument);
}

void Arguments::Call(const Argument& argument, std::function<void(const std::string& word)> set) {
  DeclareValue(app_->add_option_function<std::string>(argument.name, std::move(set), argument.help),
               argument);
}

void Arguments::Call(const Argument& argument, std::function<void()> set) {
  Declare(app_->add_flag_callback(argument.name, std::move(set), argument.help), argument);
}

std::vector<CommandFlag> Arguments::flags() const {
  std::vector<CommandFlag> flags;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) {
      flags.push_back(
          {"--" + name, option->get_description(), option->get_items_expected_max() > 0});
    }
  }
  return flags;
}

std::vector<std::string> Arguments::names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    std::string name = NameOf(*option);
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

CLI::Option* Arguments::Find(std::string_view name) const {
  CLI::Option* option = app_->get_option_no_throw("--" + std::string(name));
  return option != nullptr ? option : app_->get_option_no_throw(std::string(name));
}

bool Arguments::Has(std::string_view name) const { return Find(name) != nullptr; }

std::vector<std::string> Arguments::WordsOf(std::string_view name) const {
  const CLI::Option* option = Find(name);
  return option == nullptr ? std::vector<std::string>() : option->results();
}

bool Arguments::IsGiven(std::string_view name) const {
  const CLI::Option* option = Find(name);
  return option != nullptr && option->count() > 0;
}

bool Arguments::IsExcluded(std::string_view name) const {
  const CLI::Option* option = Find(name);
  return option != nullptr &&
         std::ranges::any_of(option->get_excludes(),
                             [](const CLI::Option* other) { return other->count() > 0; });
}

// Gives an option its words as CLI11 does with words of its own configuration
// files.
absl::Status Arguments::Give(std::string_view name, const std::vector<std::string>& words,
                             const std::string& from) {
  CLI::Option* option = Find(name);
  try {
    for (const std::string& word : words) option->add_result(word);
    option->run_callback();
  } catch (const std::exception& error) {
    return InvalidInput(fmt::format("{}: {}", from, error.what()));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
