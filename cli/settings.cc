// Rules are not among the options that a configuration fills in: what it says
// of them depends on the file, see lint/config_rules.h.

#include "cli/settings.h"

#include "cli/command_line.h"

namespace tilewise {

ConfigChoice ConfigChoiceOf(const Options& options) {
  return {.file = options.config_file, .isolated = options.no_config};
}

absl::StatusOr<Options> OptionsFor(const Options& given,
                                   std::shared_ptr<const LintConfig> config,
                                   const DeclaredWorkload* workload) {
  if (config == given.config && workload == nullptr) return given;
  TW_ASSIGN_OR_RETURN(
      Options options,
      ParseOptions(given.arguments, std::move(config), workload));
  options.files = given.files;
  return options;
}

RuleOverrides RuleOverridesOf(const Options& options) {
  return {.select = options.select,
          .extend_select = options.extend_select,
          .ignore = options.ignore,
          .extend_ignore = options.extend_ignore,
          .severity = options.severity,
          .thresholds = options.thresholds,
          .preview = options.preview};
}

absl::StatusOr<RuleConfig> RulesOf(const Options& options,
                                   const std::string& file) {
  if (options.config == nullptr) {
    return RulesFor(NoConfig(), RuleOverridesOf(options), file);
  }
  return RulesFor(*options.config, RuleOverridesOf(options), file);
}

}  // namespace tilewise
