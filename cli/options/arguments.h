// What a command accepts, as its groups of options declare it, and what it was
// given. CLI11, which parses, stays behind this header and behind
// cli/command_line.h.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tilewise {

// One option as --help shows it and parsing checks it.
struct Argument {
  std::string name;  // "--chip"; "--infer,--inference"; "FILE": by position
  std::string help;
  std::string type = {};  // of its value, for the help: "NAME"
  // "" for a word that the option takes, else what was found and expected.
  std::function<std::string(const std::string& word)> check = nullptr;
  std::string excludes = {};  // an option that it cannot be combined with
  std::string needs = {};     // an option that it cannot do without
  bool required = false;
};

// "text, json or markdown".
std::string Alternatives(std::span<const std::string> words);
// "found 'jsno', expected text, json or markdown; did you mean 'json'?".
std::string UnknownWord(std::string_view word, std::span<const std::string> known);
// "" when `word` is known, else what UnknownWord says.
std::string CheckWord(std::string_view word, std::span<const std::string> known);

// A check for one of a few words, with a suggestion for a misspelt one.
std::function<std::string(const std::string&)> OneOf(std::vector<std::string> words);

// One long name of an option, for completions.
struct CommandFlag {
  std::string name;  // "--chip"
  std::string help;
  bool takes_value = false;
};

class Arguments {
 public:
  // `app` outlives it.
  explicit Arguments(CLI::App& app, std::string group = {})
      : app_(&app), group_(std::move(group)) {}

  // What is declared with it stands below this heading of the help.
  Arguments InGroup(std::string heading) const { return Arguments(*app_, std::move(heading)); }

  // Each declares an option. `value` outlives the parsing; it keeps what it is
  // when the option is not given.
  void Text(const Argument& argument, std::string& value);
  // One or more words each time the option is given.
  void Words(const Argument& argument, std::vector<std::string>& words);
  // One word each time.
  void Repeated(const Argument& argument, std::vector<std::string>& words);
  // Words between commas, each time.
  void List(const Argument& argument, std::vector<std::string>& words);
  // A whole number from `least` to `most`.
  void Number(const Argument& argument, int64_t& value, int64_t most, int64_t least = 1);
  // "--fix,!--no-fix": the second name takes the first back.
  void Flag(const Argument& argument, bool& value);
  void Flag(const Argument& argument, std::optional<bool>& value);
  // The first is called with the word that was given, the second when the flag
  // was.
  void Call(const Argument& argument, std::function<void(const std::string& word)> set);
  void Call(const Argument& argument, std::function<void()> set);

  // Returns all long names, in the order in which they were declared.
  std::vector<CommandFlag> flags() const;
  // The first long name of each option that sets something, without hyphens:
  // "chip". The functions below take such a name, or that of a position.
  std::vector<std::string> names() const;
  bool Has(std::string_view name) const;
  // What it was given so far; empty: nothing.
  std::vector<std::string> WordsOf(std::string_view name) const;
  bool IsGiven(std::string_view name) const;
  // An option that it excludes is given.
  bool IsExcluded(std::string_view name) const;
  // Gives it words that come from elsewhere, with the checks that flags go
  // through. Errors: what these say, after `from`.
  absl::Status Give(std::string_view name, const std::vector<std::string>& words,
                    const std::string& from);

 private:
  CLI::Option* Find(std::string_view name) const;
  CLI::Option* Declare(CLI::Option* option, const Argument& argument) const;
  CLI::Option* DeclareValue(CLI::Option* option, const Argument& argument) const;

  CLI::App* app_;
  std::string group_;
};

}  // namespace tilewise
