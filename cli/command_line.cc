// The commands and what each accepts. CLI11 throws on bad arguments; the
// exceptions end here as statuses.

#include "cli/command_line.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/known_words.h"
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
  AddTarget(app, options);
  AddBatch(app, options);
  AddLoop(app, options);
}

void AddInspectOptions(CLI::App& app, Options& options) {
  AddFiles(app, options);
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

void AddOptions(CLI::App& app, std::string_view name, Options& options) {
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
  AddOutput(app, options, NamesOf(Formats()));
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

void SetUp(Parser& parser) {
  CLI::App& app = parser.app;
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", "tilewise " TILEWISE_VERSION);
  app.require_subcommand(1);
  app.footer(kExamples);
  app.get_formatter()->column_width(34);
  for (const Command& command : kCommands) {
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

// Help of the command that was named, or of the program.
std::string HelpText(const Parser& parser) {
  for (const CLI::App* subcommand : parser.subcommands) {
    if (subcommand->parsed()) return subcommand->help("tilewise");
  }
  return parser.app.help();
}

}  // namespace

std::span<const Command> Commands() { return kCommands; }

absl::StatusOr<CommandLine> ParseCommandLine(int argc,
                                             const char* const* argv) {
  TW_RETURN_IF_ERROR(CheckCommandName(argc, argv));
  Parser parser;
  SetUp(parser);
  CommandLine line;
  try {
    parser.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.text = HelpText(parser);
    return line;
  } catch (const CLI::CallForVersion& version) {
    line.text = std::string(version.what()) + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    return InvalidInput(std::string(error.what()) + " ('tilewise --help')");
  }
  for (size_t i = 0; i < parser.subcommands.size(); ++i) {
    if (!parser.subcommands[i]->parsed()) continue;
    line.command = &kCommands[i];
    line.options = *parser.options[i];
  }
  return line;
}

}  // namespace tilewise
