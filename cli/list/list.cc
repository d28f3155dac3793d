// What tilewise knows: rules, chips, hosts, formats, passes. With --verbose
// each number of a chip or host stands with its source.

#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/explain/rule_rows.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"
#include "cli/output.h"
#include "frontend/load.h"
#include "hardware/target.h"
#include "report/report.h"
#include "rules/note_kinds.h"
#include "rules/suppression_rules.h"
#include "sim/lowering/lower.h"
#include "tuner/knob.h"
#include "tuner/strategy.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

struct ListOptions {
  std::string what;  // "rules"
  OutputOptions output;
};

using Sections = std::vector<ListingSection>;

absl::StatusOr<Sections> Rules(bool) {
  ListingSection section = RuleSection();
  for (const Rule* rule : ListedRules()) {
    section.rows.push_back(RuleRow(rule->info));
  }
  ListingSection notes = NoteSection();
  for (const RuleInfo& kind : NoteKinds()) notes.rows.push_back(NoteRow(kind));
  return Sections{section, notes};
}

// `find` and `numbers` are those of chips or of hosts.
template <class Find, class Numbers>
absl::StatusOr<Sections> Machines(const char* title, const std::vector<std::string>& names,
                                  Find find, Numbers numbers, bool verbose) {
  ListingSection section{.title = title, .columns = {"name", "description"}};
  for (const std::string& name : names) {
    TW_ASSIGN_OR_RETURN(const auto machine, find(name));
    ListingRow row{.cells = {name, machine.description}};
    if (verbose) {
      row.heading = fmt::format("{}: {}", name, machine.description);
      TW_ASSIGN_OR_RETURN(row.numbers, numbers(name));
    }
    section.rows.push_back(std::move(row));
  }
  return Sections{section};
}

absl::StatusOr<Sections> Chips(bool verbose) {
  return Machines("chips", ChipNames(), FindChip, ChipNumbers, verbose);
}

absl::StatusOr<Sections> Hosts(bool verbose) {
  return Machines("hosts", HostNames(), FindHost, HostNumbers, verbose);
}

template <class Format>
ListingSection FormatSection(const char* title, std::span<const Format> all) {
  ListingSection section{.title = title, .columns = {"name", "summary"}};
  for (const Format& format : all) {
    section.rows.push_back({.cells = {format.name, format.summary}});
  }
  return section;
}

absl::StatusOr<Sections> AllFormats(bool) {
  return Sections{FormatSection("input formats", InputFormats()),
                  FormatSection("output formats", FormatsOf<Report>())};
}

absl::StatusOr<Sections> Passes(bool) {
  ListingSection section{.title = "passes", .columns = {"name", "can be disabled", "summary"}};
  for (const Pass& pass : LoweringPasses()) {
    section.rows.push_back({.cells = {pass.name, pass.optional ? "yes" : "no", pass.summary}});
  }
  return Sections{section};
}

std::string ValuesOf(const ZooParameter& parameter) {
  if (!parameter.words.empty()) return std::string(parameter.words);
  return fmt::format("{}..{}", parameter.smallest, parameter.largest);
}

ListingSection ZooModelSection() {
  ListingSection section{.title = "zoo models", .columns = {"name", "summary"}};
  for (const ZooModel& model : ZooModels()) {
    section.rows.push_back({.cells = {fmt::format("zoo:{}", model.name), model.summary}});
  }
  return section;
}

// One row per model and parameter, with the default and what it takes.
ListingSection ZooParameterSection() {
  ListingSection section{.title = "zoo parameters",
                         .columns = {"model", "parameter", "default", "values", "meaning"},
                         .rows = {}};
  for (const ZooModel& model : ZooModels()) {
    for (const ZooParameter& parameter : model.parameters) {
      section.rows.push_back({.cells = {model.name, parameter.name, parameter.default_value,
                                        ValuesOf(parameter), parameter.help}});
    }
  }
  return section;
}

absl::StatusOr<Sections> Zoo(bool) { return Sections{ZooModelSection(), ZooParameterSection()}; }

absl::StatusOr<Sections> SearchKnobs(bool) {
  ListingSection knobs{.title = "knobs of --search", .columns = {"name", "values"}, .rows = {}};
  for (const Knob& knob : Knobs()) knobs.rows.push_back({.cells = {knob.name, knob.values}});
  ListingSection strategies{
      .title = "strategies", .columns = {"name", "what is tried"}, .rows = {}};
  for (const StrategyInfo& strategy : Strategies()) {
    strategies.rows.push_back({.cells = {strategy.name, strategy.help}});
  }
  return Sections{knobs, strategies};
}

struct List {
  std::string_view name;
  absl::StatusOr<Sections> (*sections)(bool verbose);
};

constexpr List kLists[] = {{"rules", Rules},        {"chips", Chips},   {"hosts", Hosts},
                           {"formats", AllFormats}, {"passes", Passes}, {"zoo", Zoo},
                           {"knobs", SearchKnobs}};

void Add(Arguments& arguments, ListOptions& options) {
  arguments.Text({.name = "WHAT",
                  .help = "rules, chips, hosts, formats, passes, zoo or knobs",
                  .required = true},
                 options.what);
  Add(arguments, NamesOf(FormatsOf<Listing>()), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunList(const ListOptions& options) {
  std::vector<std::string> names;
  for (const List& list : kLists) {
    names.emplace_back(list.name);
    if (list.name != options.what) continue;
    TW_ASSIGN_OR_RETURN(Sections sections, list.sections(options.output.verbose));
    TW_RETURN_IF_ERROR(Render("list", std::move(sections), options.output));
    return kExitClean;
  }
  return InvalidInput("list: " + UnknownWord(options.what, names));
}

}  // namespace

TW_RUNS_COMMAND(List, RunList)

}  // namespace tilewise
