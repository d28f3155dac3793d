// The commands and what each accepts. CLI11 throws on bad arguments; the
// exceptions end here as statuses.

#include "cli/command_line.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/nearest_name.h"
#include "cli/argument_kinds.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/known_words.h"
#include "cli/lint_arguments.h"
#include "cli/report_arguments.h"
#include "cli/setting_sources.h"
#include "cli/settings.h"
#include "lint/config_files.h"
#include "lint/config_sections.h"
#include "report/accuracy_report.h"
#include "report/inspection.h"
#include "report/listing.h"
#include "report/report.h"

namespace tilewise {
namespace {

constexpr Command kCommands[] = {
    {"advise", "lint, simulate and tune: the whole answer in one report",
     RunAdvise},
    {"lint", "findings only: what wastes the TPU, where, and the fix", RunLint},
    {"simulate", "step time, per-layer table, memory and epoch", RunSimulate},
    {"estimate", "closed-form lower bound of time and memory", RunEstimate},
    {"tune", "the best batch size and steps_per_execution", RunTune},
    {"inspect", "what is in a file, and how much of it is understood",
     RunInspect},
    {"validate", "simulated against measured: errors, ranks, memory verdicts",
     RunValidate},
    {"calibrate", "fits a chip's constants to measurements: a file for --chip",
     RunCalibrate},
    {"explain", "what a rule means, why it matters, what to do", RunExplain},
    {"init", "writes a .tilewise.yaml to start from", RunInit},
    {"completions", "prints a script that completes commands and options",
     RunCompletions},
    {"list",
     "the rules, chips, hosts, formats, passes or zoo models that tilewise "
     "knows",
     RunList},
};

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

template <class Format>
std::vector<std::string> NamesOf(std::span<const Format> formats) {
  std::vector<std::string> names;
  for (const Format& format : formats) names.emplace_back(format.name);
  return names;
}

void AddModelOptions(CLI::App& app, Options& options) {
  AddFiles(app, options);
  AddConfig(app, options);
  AddTarget(app, options);
  AddBatch(app, options);
  AddLoop(app, options);
}

void AddInspectOptions(CLI::App& app, Options& options) {
  AddFiles(app, options);
  AddConfig(app, options);
  AddBatch(app, options);
  app.add_flag("--explain-batch", options.explain_batch,
               "show how the batch is told apart in a file with fixed sizes");
  AddOutput(app, options, NamesOf(InspectionFormats()));
  AddVerbose(app, options);
}

void AddExplainOptions(CLI::App& app, Options& options) {
  app.add_option("RULE", options.rule, "id (IP002) or name")
      ->required()
      ->type_name("");
  AddOutput(app, options, NamesOf(ListingFormats()));
}

void AddListOptions(CLI::App& app, Options& options) {
  app.add_option("WHAT", options.listed,
                 "rules, chips, hosts, formats, passes or zoo")
      ->required()
      ->type_name("");
  AddOutput(app, options, NamesOf(ListingFormats()));
  AddVerbose(app, options);
}

void AddValidateOptions(CLI::App& app, Options& options) {
  AddTables(app, options);
  AddOutput(app, options, NamesOf(AccuracyFormats()));
  AddVerbose(app, options);
}

void AddCalibrateOptions(CLI::App& app, Options& options) {
  AddMeasurements(app, options);
  AddOutput(app, options, NamesOf(ListingFormats()));
  app.get_option("--output")
      ->description(
          "write the chip with the fitted constants to this file (.txtpb), "
          "which "
          "--chip takes everywhere");
}

void AddInitOptions(CLI::App& app, Options& options) {
  app.add_option("FOLDER", options.folder, "where it is for (default: here)")
      ->type_name("");
  app.add_flag("--force", options.force, "replace the one that is there");
  app.add_flag("--print", options.print, "print it instead of writing it");
}

void AddCompletionsOptions(CLI::App& app, Options& options) {
  app.add_option("SHELL", options.shell, "bash, zsh or fish")
      ->required()
      ->check(OneOf({"bash", "zsh", "fish"}))
      ->type_name("");
}

void AddLintOptions(CLI::App& app, Options& options) {
  app.get_option("FILE")->required(false)->description(
      "files and folders to lint: models, scripts, notebooks, dumps, logs; "
      "'-' is standard input; none: the workloads that the configuration "
      "declares, else the current folder");
  AddLint(app, options);
}

void AddOptions(CLI::App& app, std::string_view name, Options& options) {
  if (name == "init") return AddInitOptions(app, options);
  if (name == "completions") return AddCompletionsOptions(app, options);
  if (name == "explain") return AddExplainOptions(app, options);
  if (name == "inspect") return AddInspectOptions(app, options);
  if (name == "list") return AddListOptions(app, options);
  if (name == "calibrate") return AddCalibrateOptions(app, options);
  if (name == "validate") return AddValidateOptions(app, options);
  AddModelOptions(app, options);
  if (name != "lint") AddPasses(app, options);
  if (name == "simulate" || name == "estimate") AddDump(app, options);
  if (name == "advise" || name == "tune") AddSearch(app, options);
  if (name == "advise") AddRules(app, options, "error");
  if (name == "lint") AddRules(app, options, "warning");
  if (name == "advise" || name == "lint") AddRuleSettings(app, options);
  if (name == "lint") AddLintOptions(app, options);
  const bool finds = name == "advise" || name == "lint";
  AddOutput(app, options, ReportFormats(finds));
  if (finds) AddReports(app, options);
  if (name == "simulate") {
    AddTrace(app, options);
    AddArray(app, options);
  }
  AddVerbose(app, options);
}

struct Parser {
  CLI::App app{
      "Tells the author of a TPU program, before the first paid "
      "minute, what the TPU will waste, what to change, and which "
      "batch size and steps_per_execution to train with.",
      "tilewise"};
  // One set of options per command, because defaults differ.
  std::vector<std::unique_ptr<Options>> options;
  std::vector<CLI::App*> subcommands;
};

// Of all commands, or of the one of that name.
void SetUp(Parser& parser, std::string_view only = "") {
  CLI::App& app = parser.app;
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", "tilewise " TILEWISE_VERSION);
  app.require_subcommand(1);
  app.footer(kExamples);
  app.get_formatter()->column_width(34);
  for (const Command& command : kCommands) {
    if (!only.empty() && command.name != only) continue;
    CLI::App* subcommand = app.add_subcommand(std::string(command.name),
                                              std::string(command.summary));
    parser.options.push_back(std::make_unique<Options>());
    AddOptions(*subcommand, command.name, *parser.options.back());
    parser.subcommands.push_back(subcommand);
  }
}

// A misspelt command is the commonest mistake and deserves its own message.
absl::Status CheckCommandName(int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  if (argc < 2) {
    return InvalidInput(
        "no command given; 'tilewise --help' lists them, 'tilewise advise "
        "FILE' does the whole job");
  }
  const std::string_view word = argv[1];
  if (word.starts_with("-")) return absl::OkStatus();
  const std::string problem = CheckWord(word, names);
  if (problem.empty()) return absl::OkStatus();
  return InvalidInput("command: " + problem);
}

// The library writes "--no-cache{false}" for a flag that takes another back.
std::string WithoutValuesOfFlags(std::string text) {
  constexpr std::string_view kValue = "{false}";
  for (size_t at = text.find(kValue); at != std::string::npos;
       at = text.find(kValue, at)) {
    const bool alone = text[at + kValue.size()] == '\n';
    text.replace(at, kValue.size(),
                 alone ? "" : std::string(kValue.size(), ' '));
  }
  return text;
}

// Help of the command that was named, or of the program.
std::string HelpText(const Parser& parser) {
  for (const CLI::App* subcommand : parser.subcommands) {
    if (!subcommand->parsed()) continue;
    return WithoutValuesOfFlags(subcommand->help("tilewise"));
  }
  return parser.app.help();
}

// An option that the command does not have: the nearest one that it has.
std::string UnknownOption(const Parser& parser) {
  const std::vector<std::string> unknown = parser.app.remaining(true);
  if (unknown.empty()) return "";
  const std::string name = unknown[0].substr(0, unknown[0].find('='));
  std::string command = "tilewise";
  std::vector<std::string> known;
  for (const CLI::App* app : parser.subcommands) {
    if (!app->parsed()) continue;
    command += " " + app->get_name();
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& each : option->get_lnames()) {
        known.push_back("--" + each);
      }
    }
  }
  return fmt::format("found '{}', expected an option of '{} --help'{}",
                     name.substr(0, 64), command, DidYouMean(name, known));
}

// What a command line was parsed to, before configurations are looked at.
struct Parsed {
  const Command* command = nullptr;
  CLI::App* app = nullptr;  // of the command
  Options* options = nullptr;
};

Parsed ParsedCommand(const Parser& parser) {
  for (size_t i = 0; i < parser.subcommands.size(); ++i) {
    CLI::App* app = parser.subcommands[i];
    if (!app->parsed()) continue;
    const auto* command = std::ranges::find_if(
        kCommands,
        [app](const Command& each) { return each.name == app->get_name(); });
    return {command, app, parser.options[i].get()};
  }
  return {};
}

std::vector<const char*> Pointers(const std::vector<std::string>& arguments) {
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& argument : arguments) {
    pointers.push_back(argument.c_str());
  }
  return pointers;
}

absl::Status Parse(Parser& parser, const std::vector<std::string>& arguments,
                   std::string& text) {
  const std::vector<const char*> argv = Pointers(arguments);
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
std::string FirstFile(const Options& options) {
  if (options.files.empty()) return ".";
  if (options.files.front() != "-") return options.files.front();
  return options.stdin_filename.empty() ? "." : options.stdin_filename;
}

// What globs of flags start from.
std::string Here() {
  std::error_code error;
  return std::filesystem::current_path(error).generic_string();
}

absl::Status Complete(const Parsed& parsed,
                      const std::vector<std::string>& arguments,
                      std::shared_ptr<const LintConfig> config,
                      const DeclaredWorkload* workload) {
  Options& options = *parsed.options;
  options.arguments = arguments;
  NoteFlags(*parsed.app, options.origins);
  TW_RETURN_IF_ERROR(ApplyVariables(*parsed.app, options.origins));
  for (std::string& glob : options.exclude) {
    if (!glob.starts_with('/')) glob = GlobBelow(Here(), glob);
  }
  if (!ReadsConfig(parsed.command->name)) return absl::OkStatus();
  if (config == nullptr) {
    ConfigFiles files(ConfigChoiceOf(options));
    TW_ASSIGN_OR_RETURN(config, files.For(FirstFile(options)));
  }
  Settings settings = config->settings;
  if (workload != nullptr) Override(workload->settings, settings);
  options.config = std::move(config);
  return ApplySettings(*parsed.app, parsed.command->name, settings,
                       options.origins);
}

}  // namespace

std::span<const Command> Commands() { return kCommands; }

absl::StatusOr<CommandLine> ParseCommandLine(int argc,
                                             const char* const* argv) {
  TW_RETURN_IF_ERROR(CheckCommandName(argc, argv));
  Parser parser;
  SetUp(parser);
  const std::vector<std::string> arguments(argv, argv + argc);
  CommandLine line;
  TW_RETURN_IF_ERROR(Parse(parser, arguments, line.text));
  if (!line.text.empty()) return line;
  const Parsed parsed = ParsedCommand(parser);
  if (parsed.command == nullptr) return line;
  TW_RETURN_IF_ERROR(Complete(parsed, arguments, nullptr, nullptr));
  line.command = parsed.command;
  line.options = *parsed.options;
  return line;
}

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     std::shared_ptr<const LintConfig> config,
                                     const DeclaredWorkload* workload) {
  Parser parser;
  SetUp(parser, arguments.size() > 1 ? arguments[1] : "");
  std::string text;
  TW_RETURN_IF_ERROR(Parse(parser, arguments, text));
  const Parsed parsed = ParsedCommand(parser);
  TW_CHECK(parsed.command != nullptr);
  TW_RETURN_IF_ERROR(Complete(parsed, arguments, std::move(config), workload));
  return *parsed.options;
}

std::vector<CommandFlag> FlagsOf(const Command& command) {
  Parser parser;
  SetUp(parser, command.name);
  std::vector<CommandFlag> flags;
  for (const CLI::Option* option : parser.subcommands.front()->get_options()) {
    for (const std::string& name : option->get_lnames()) {
      flags.push_back({"--" + name, option->get_description(),
                       option->get_items_expected_max() > 0});
    }
  }
  return flags;
}

}  // namespace tilewise
