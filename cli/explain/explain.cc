// Prints what the documentation of a rule or note says.

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "cli/command.h"
#include "cli/explain/rule_rows.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"
#include "cli/output.h"
#include "rules/note_kinds.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

struct ExplainOptions {
  std::string rule;  // id or name
  OutputOptions output;
};

void Add(Arguments& arguments, ExplainOptions& options) {
  arguments.Text({.name = "RULE", .help = "id (IP002) or name", .required = true}, options.rule);
  Add(arguments, NamesOf(FormatsOf<Listing>()), options.output);
}

absl::StatusOr<int> RunExplain(const ExplainOptions& options) {
  const Rule* rule = FindRule(options.rule);
  const RuleInfo* note = FindNoteKind(options.rule);
  if (rule == nullptr && note == nullptr) {
    std::vector<std::string> words = RuleWords();
    for (const RuleInfo& kind : NoteKinds()) words.emplace_back(kind.id);
    return absl::NotFoundError(
        fmt::format("found no rule '{}', expected an id or name of 'tilewise list rules'{}",
                    options.rule.substr(0, 64), DidYouMean(options.rule, words)));
  }
  ListingSection section = rule != nullptr ? RuleSection() : NoteSection();
  section.rows = {rule != nullptr ? ExplainedRuleRow(rule->info) : ExplainedNoteRow(*note)};
  TW_RETURN_IF_ERROR(Render("explain", {section}, options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Explain, RunExplain)

}  // namespace tilewise
