// Rules are not among the options that a configuration fills in: what it says
// of them depends on the file, see lint/config_rules.h. Flags that it may set
// have a form that takes them back (--no-preview): what a file says must not be
// the last word.

#include "cli/options/rule_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command.h"

namespace tilewise {
namespace {

constexpr int64_t kMaxWarnings = 1'000'000'000;
constexpr char kRulesGroup[] = "Rules";

void SetThreshold(RuleOptions& options, const std::string& word) {
  options.fail_on.reset();
  for (const Severity severity : {Severity::kInfo, Severity::kWarning, Severity::kError}) {
    if (word == SeverityName(severity)) options.fail_on = severity;
  }
}

void AddList(Arguments& arguments, const std::string& name, const std::string& type,
             const std::string& help, std::vector<std::string>& words) {
  Arguments group = arguments.InGroup(kRulesGroup);
  group.List({.name = name, .help = help, .type = type}, words);
}

void AddFailOn(Arguments& arguments, const std::string& fail_on, RuleOptions& options) {
  Arguments group = arguments.InGroup(kRulesGroup);
  SetThreshold(options, fail_on);
  group.Call({.name = "--fail-on",
              .help = fmt::format("exit 1 when a finding is at least this severe: "
                                  "info, warning, error, never (default {})",
                                  fail_on),
              .type = "LEVEL",
              .check = OneOf({"info", "warning", "error", "never"})},
             [&options](const std::string& word) { SetThreshold(options, word); });
}

void AddSettings(Arguments& arguments, RuleOptions& options) {
  Arguments group = arguments.InGroup(kRulesGroup);
  RuleOverrides& rules = options.overrides;
  AddList(arguments, "--extend-select", "RULE,..",
          "these rules beside the default set or those of the configuration", rules.extend_select);
  AddList(arguments, "--extend-ignore", "RULE,..", "as --ignore, beside it", rules.extend_ignore);
  AddList(arguments, "--severity", "RULE=LEVEL,..",
          "of a rule, name or family: info, warning, error or off", rules.severity);
  AddList(arguments, "--threshold", "RULE.name=NUMBER,..",
          "a number that a rule compares with, as 'tilewise explain RULE' names it",
          rules.thresholds);
  AddList(arguments, "--fixed-dims", "DIM,..",
          "sizes and names of dims that no rule may want otherwise: 30522, "
          "embedding, dense/kernel:1",
          options.fixed_dims);
  group.Flag({.name = "--preview,!--no-preview", .help = "new rules too, which may still change"},
             rules.preview);
}

}  // namespace

void Add(Arguments& arguments, const std::string& fail_on, RuleOptions& options) {
  AddList(arguments, "--select", "RULE,..",
          "only these rules: ids, names, families (IP) or ALL, separated by commas",
          options.overrides.select);
  AddList(arguments, "--ignore", "RULE,..", "all but these rules", options.overrides.ignore);
  AddFailOn(arguments, fail_on, options);
  AddSettings(arguments, options);
}

void AddExit(Arguments& arguments, RuleOptions& options) {
  Arguments group = arguments.InGroup(kRulesGroup);
  group.Number({.name = "--max-warnings", .help = "exit 1 when there are more warnings than this"},
               options.max_warnings, kMaxWarnings, 0);
  group.Flag({.name = "--exit-zero,!--no-exit-zero", .help = "exit 0 whatever was found"},
             options.exit_zero);
}

int ExitCode(const std::vector<Diagnostic>& findings, const RuleOptions& options) {
  if (options.exit_zero) return kExitClean;
  const auto warnings = std::ranges::count(findings, Severity::kWarning, &Diagnostic::severity);
  if (options.max_warnings >= 0 && warnings > options.max_warnings) {
    return kExitFindings;
  }
  if (!options.fail_on) return kExitClean;
  for (const Diagnostic& finding : findings) {
    if (finding.severity >= *options.fail_on) return kExitFindings;
  }
  return kExitClean;
}

}  // namespace tilewise
