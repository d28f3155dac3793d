// CLI11 throws on bad arguments; the exceptions end here as statuses, and every
// failure as one message on standard error and exit code 2.

#include "cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "base/nearest_name.h"
#include "cli/output.h"
#include "frontend/refused_format.h"
#include "lint/config_files.h"
#include "lint/config_sections.h"

namespace tilewise {
namespace {

using Maker = std::function<Invocation(Arguments&)>;

constexpr char kExamples[] =
    "Examples:\n"
    "  tilewise advise train.py --chip v2\n"
    "  tilewise advise model.json train.py --chip v3 --cores 8 --batch 4096\n"
    "  tilewise lint train.ipynb --select IP,HL --fail-on warning\n"
    "  tilewise tune model.json --chip v5e --examples 1281167 --format json\n"
    "  tilewise simulate zoo:resnet50,image=160 --chip v4 --batch 256\n"
    "  tilewise validate measurements.csv --format markdown\n"
    "  tilewise inspect model.onnx\n"
    "  tilewise explain IP002\n"
    "  tilewise init && tilewise lint . --fix\n"
    "\n"
    "Exit codes: 0 clean, 1 findings at or above --fail-on, 2 failure.";

// One command with a set of options of its own.
struct Subcommand {
  CLI::App* app = nullptr;
  Arguments arguments;
  Invocation invocation;
};

struct Parser {
  CLI::App app{
      "Tells the author of a TPU program, before the first paid minute, what the TPU will waste, "
      "what to change, and which batch size and steps_per_execution to train with.",
      "tilewise"};
  std::deque<Subcommand> subcommands;
};

void SetUp(Parser& parser) {
  CLI::App& app = parser.app;
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", "tilewise " TILEWISE_VERSION);
  app.require_subcommand(1);
  app.footer(kExamples);
  app.get_formatter()->column_width(34);
}

void AddCommand(Parser& parser, std::string_view name, std::string_view summary,
                const Maker& make) {
  CLI::App* app = parser.app.add_subcommand(std::string(name), std::string(summary));
  Subcommand& added = parser.subcommands.emplace_back(Subcommand{app, Arguments(*app), {}});
  added.invocation = make(added.arguments);
}

// The command that was named; null: none.
Subcommand* ParsedCommand(Parser& parser) {
  const auto found = std::ranges::find_if(
      parser.subcommands, [](const Subcommand& each) { return each.app->parsed(); });
  return found == parser.subcommands.end() ? nullptr : &*found;
}

// A misspelt command is the commonest mistake and deserves its own message.
absl::Status CheckCommandName(int argc, const char* const* argv) {
  if (argc < 2) {
    return InvalidInput(
        "no command given; 'tilewise --help' lists them, 'tilewise advise "
        "FILE' does the whole job");
  }
  const std::string_view word = argv[1];
  if (word.starts_with("-")) return absl::OkStatus();
  std::vector<std::string> names;
  for (const Command& command : Commands()) names.emplace_back(command.name);
  const std::string problem = CheckWord(word, names);
  if (problem.empty()) return absl::OkStatus();
  return InvalidInput("command: " + problem);
}

// The library writes "--no-cache{false}" for a flag that takes another back.
std::string WithoutValuesOfFlags(std::string text) {
  constexpr std::string_view kValue = "{false}";
  for (size_t at = text.find(kValue); at != std::string::npos; at = text.find(kValue, at)) {
    const bool alone = text[at + kValue.size()] == '\n';
    text.replace(at, kValue.size(), alone ? "" : std::string(kValue.size(), ' '));
  }
  return text;
}

// Help of the command that was named, or of the program.
std::string HelpText(Parser& parser) {
  const Subcommand* subcommand = ParsedCommand(parser);
  return subcommand == nullptr ? parser.app.help()
                               : WithoutValuesOfFlags(subcommand->app->help("tilewise"));
}

// An option that the command does not have: the nearest one that it has.
std::string UnknownOption(Parser& parser) {
  const std::vector<std::string> unknown = parser.app.remaining(true);
  if (unknown.empty()) return "";
  const std::string name = unknown[0].substr(0, unknown[0].find('='));
  std::string command = "tilewise";
  std::vector<std::string> known;
  const Subcommand* subcommand = ParsedCommand(parser);
  if (subcommand != nullptr) {
    command += " " + subcommand->app->get_name();
    for (const CommandFlag& flag : subcommand->arguments.flags()) {
      known.push_back(flag.name);
    }
  }
  return fmt::format("found '{}', expected an option of '{} --help'{}", name.substr(0, 64), command,
                     DidYouMean(name, known));
}

// What follows a lone -- is the command line of the program that is read, or the compiler's flags
// for it; `-p DIR` before, as Clang's tools have it, is one of these.
std::vector<std::string> WithProgramArguments(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  std::vector<std::string> result;
  for (auto each = arguments.begin(); each != end; ++each) {
    if (*each == "-p" && each + 1 != end) {
      result.push_back("--program-argument=-p=" + *++each);
    } else {
      result.push_back(*each);
    }
  }
  if (end == arguments.end()) return result;
  for (auto each = end + 1; each != arguments.end(); ++each) {
    result.push_back("--program-argument=" + *each);
  }
  return result;
}

// An option that stands where the one before it wants a value: that was most likely forgotten.
// After an equals sign anything is a value.
absl::Status CheckValues(const Parser& parser, const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return absl::OkStatus();
  const auto command = std::ranges::find_if(parser.subcommands, [&](const Subcommand& each) {
    return each.app->get_name() == arguments[1];
  });
  if (command == parser.subcommands.end()) return absl::OkStatus();
  const std::vector<CommandFlag> flags = command->arguments.flags();
  const auto find = [&](const std::string& word) {
    return std::ranges::find(flags, word.substr(0, word.find('=')), &CommandFlag::name);
  };
  for (size_t i = 2; i + 1 < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string& next = arguments[i + 1];
    const auto option = find(word);
    if (word.find('=') != std::string::npos || option == flags.end() || !option->takes_value) {
      continue;
    }
    if (find(next) == flags.end()) {
      ++i;  // the value
      continue;
    }
    return InvalidInput(fmt::format(
        "{}: found the option '{}', expected a value ({}=VALUE takes one that begins so)", word,
        next.substr(0, 64), word));
  }
  return absl::OkStatus();
}

absl::Status Parse(Parser& parser, const std::vector<std::string>& given, std::string& text) {
  const std::vector<std::string> arguments = WithProgramArguments(given);
  TW_RETURN_IF_ERROR(CheckValues(parser, arguments));
  std::vector<const char*> argv;
  argv.reserve(arguments.size());
  for (const std::string& argument : arguments) {
    argv.push_back(argument.c_str());
  }
  try {
    parser.app.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::CallForHelp&) {
    text = HelpText(parser);
  } catch (const CLI::CallForVersion& version) {
    text = std::string(version.what()) + "\n";
  } catch (const CLI::ExtrasError& error) {
    const std::string unknown = UnknownOption(parser);
    return InvalidInput(unknown.empty() ? error.what() : unknown);
  } catch (const CLI::ParseError& error) {
    return InvalidInput(std::string(error.what()) + " ('tilewise --help')");
  }
  return absl::OkStatus();
}

// The file whose configuration counts for the run.
std::string FirstFile(const Arguments& arguments) {
  const std::vector<std::string> files = arguments.WordsOf("FILE");
  if (files.empty()) return ".";
  if (files.front() != "-") return files.front();
  const std::vector<std::string> name = arguments.WordsOf("stdin-filename");
  return name.empty() ? "." : name.front();
}

// Gives the options that no flag set what variables and files say.
absl::Status Complete(Subcommand& parsed, const std::vector<std::string>& argv,
                      std::shared_ptr<const LintConfig> config, const DeclaredWorkload* workload) {
  Arguments& arguments = parsed.arguments;
  Origins origins;
  NoteFlags(arguments, origins);
  TW_RETURN_IF_ERROR(ApplyVariables(arguments, origins));
  ConfigOptions* options = parsed.invocation.config;
  if (options == nullptr) return absl::OkStatus();
  if (config == nullptr) {
    ConfigFiles files(options->choice);
    TW_ASSIGN_OR_RETURN(config, files.For(FirstFile(arguments)));
  }
  Settings settings = config->settings;
  if (workload != nullptr) Override(workload->settings, settings);
  TW_RETURN_IF_ERROR(ApplySettings(arguments, parsed.app->get_name(), settings, origins));
  options->arguments = argv;
  options->origins = std::move(origins);
  options->found = std::move(config);
  return absl::OkStatus();
}

absl::StatusOr<int> ParseAndRun(int argc, const char* const* argv) {
  TW_RETURN_IF_ERROR(CheckCommandName(argc, argv));
  Parser parser;
  SetUp(parser);
  for (const Command& command : Commands()) {
    AddCommand(parser, command.name, command.summary, command.make);
  }
  const std::vector<std::string> arguments(argv, argv + argc);
  std::string text;  // of --help or --version
  TW_RETURN_IF_ERROR(Parse(parser, arguments, text));
  Subcommand* parsed = ParsedCommand(parser);
  if (!text.empty() || parsed == nullptr) {
    TW_RETURN_IF_ERROR(WriteOutput(text, ""));
    return kExitClean;
  }
  TW_RETURN_IF_ERROR(Complete(*parsed, arguments, nullptr, nullptr));
  return parsed->invocation.run();
}

}  // namespace

int Run(int argc, const char* const* argv) {
  const absl::StatusOr<int> code = ParseAndRun(argc, argv);
  if (code.ok()) return *code;
  Say("error", Message(code.status()));
  std::fputs(HelpOf(code.status()).c_str(), stderr);
  return kExitFailure;
}

absl::Status ParseAgain(const std::vector<std::string>& arguments,
                        const std::function<Invocation(Arguments&)>& make,
                        std::shared_ptr<const LintConfig> config,
                        const DeclaredWorkload* workload) {
  TW_CHECK(arguments.size() > 1);
  Parser parser;
  SetUp(parser);
  AddCommand(parser, arguments[1], "", make);
  std::string text;
  TW_RETURN_IF_ERROR(Parse(parser, arguments, text));
  return Complete(parser.subcommands.front(), arguments, std::move(config), workload);
}

std::vector<std::string> OptionWords(const std::string& text) {
  std::vector<std::string> words = CLI::detail::split_up(text);
  std::erase(words, "");
  return words;
}

std::vector<CommandFlag> FlagsOf(const Command& command) {
  Parser parser;
  SetUp(parser);
  AddCommand(parser, command.name, command.summary, command.make);
  return parser.subcommands.front().arguments.flags();
}

}  // namespace tilewise
