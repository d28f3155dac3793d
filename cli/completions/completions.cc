// Scripts that complete commands, options and files, for three shells. They are
// made from what the program accepts, so they cannot fall behind it.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options/arguments.h"
#include "cli/output.h"

namespace tilewise {
namespace {

struct CompletionsOptions {
  std::string shell;  // bash, zsh or fish
};

std::string CommandNames() {
  std::string names;
  for (const Command& command : Commands()) {
    names += (names.empty() ? "" : " ") + std::string(command.name);
  }
  return names;
}

std::string FlagNames(const Command& command) {
  std::string names;
  for (const CommandFlag& flag : FlagsOf(command)) {
    names += (names.empty() ? "" : " ") + flag.name;
  }
  return names;
}

std::string Bash() {
  std::string cases;
  for (const Command& command : Commands()) {
    cases += fmt::format("    {}) flags=\"{}\" ;;\n", command.name, FlagNames(command));
  }
  return fmt::format(
      "# tilewise completions bash >> ~/.bashrc\n"
      "_tilewise() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" flags=\"\"\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  if [[ \"$word\" == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _tilewise tilewise\n",
      CommandNames(), cases);
}

// Escapes text within single quotes and within _arguments' and _describe's own
// syntax.
std::string ZshText(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else {
      quoted += c == '\n' ? ' ' : c;
    }
  }
  return quoted;
}

std::string Zsh() {
  std::string commands;
  std::string cases;
  for (const Command& command : Commands()) {
    commands += fmt::format("    '{}:{}'\n", command.name, ZshText(command.summary));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const CommandFlag& flag : FlagsOf(command)) {
      cases += fmt::format(" \\\n        '{}[{}]{}'", flag.name, ZshText(flag.help),
                           flag.takes_value ? ":value:_files" : "");
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef tilewise\n"
      "# tilewise completions zsh > \"${{fpath[1]}}/_tilewise\"\n"
      "_tilewise() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe 'command' commands\n"
      "    return\n"
      "  fi\n"
      "  local command=\"${{words[2]}}\"\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case \"$command\" in\n{}  esac\n"
      "}}\n"
      "compdef _tilewise tilewise\n",
      commands, cases);
}

std::string FishText(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted;
}

std::string Fish() {
  std::string text = "# tilewise completions fish > ~/.config/fish/completions/tilewise.fish\n";
  for (const Command& command : Commands()) {
    text += fmt::format("complete -c tilewise -n __fish_use_subcommand -a {} -d '{}'\n",
                        command.name, FishText(command.summary));
    for (const CommandFlag& flag : FlagsOf(command)) {
      text += fmt::format(
          "complete -c tilewise -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
          command.name, flag.name.substr(2), flag.takes_value ? " -r" : "", FishText(flag.help));
    }
  }
  return text;
}

void Add(Arguments& arguments, CompletionsOptions& options) {
  arguments.Text({.name = "SHELL",
                  .help = "bash, zsh or fish",
                  .check = OneOf({"bash", "zsh", "fish"}),
                  .required = true},
                 options.shell);
}

absl::StatusOr<int> RunCompletions(const CompletionsOptions& options) {
  const std::string text = options.shell == "bash"  ? Bash()
                           : options.shell == "zsh" ? Zsh()
                                                    : Fish();
  TW_RETURN_IF_ERROR(WriteOutput(text, ""));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Completions, RunCompletions)

}  // namespace tilewise
