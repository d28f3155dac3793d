// Flags that a configuration may set have a form that takes them back
// (--no-cache): what a file says must not be the last word.

#include "cli/lint_arguments.h"

#include "cli/argument_kinds.h"

namespace tilewise {
namespace {

constexpr char kRulesGroup[] = "Rules";
constexpr char kConfigGroup[] = "Configuration";
constexpr char kBaselineGroup[] = "Baseline";
constexpr char kFilesGroup[] = "Files";
constexpr char kFixesGroup[] = "Fixes";
constexpr char kOutputGroup[] = "Output";

constexpr int64_t kMaxWarnings = 1'000'000'000;
constexpr int64_t kMaxJobs = 1024;

// CLI11 sets an optional that add_flag is given even where the flag is not.
void AddSwitch(CLI::App& app, const std::string& name,
               std::optional<bool>& value, const std::string& help,
               const char* group) {
  app.add_flag_function(
         name, [&value](std::int64_t count) { value = count > 0; }, help)
      ->group(group);
}

void AddBaseline(CLI::App& app, Options& options) {
  app.add_option("--baseline", options.baseline,
                 "findings of this file are known: silent, only counted; "
                 "entries that are not found any more are a failure")
      ->type_name("FILE")
      ->group(kBaselineGroup);
  app.add_option("--write-baseline", options.write_baseline,
                 "write all findings to this file and exit 0")
      ->type_name("FILE")
      ->group(kBaselineGroup);
  app.add_flag("--prune-baseline", options.prune_baseline,
               "take entries that are not found any more out of the baseline")
      ->group(kBaselineGroup);
  app.add_flag("--pass-on-stale,!--no-pass-on-stale", options.pass_on_stale,
               "only say that there are such entries")
      ->group(kBaselineGroup);
}

void AddLintedFiles(CLI::App& app, Options& options) {
  AddList(app, "--exclude", options.exclude,
          "files and folders that no walk enters", "GLOB,..", kFilesGroup);
  app.add_flag("--respect-gitignore,!--no-respect-gitignore",
               options.respect_gitignore,
               "walks leave out what .gitignore files name (default)")
      ->group(kFilesGroup);
  AddSwitch(app, "--together,!--separate", options.together,
            "all arguments are one program, or each is one of its own "
            "(default: those are one that complete each other)",
            kFilesGroup);
  app.add_option("--stdin-filename", options.stdin_filename,
                 "what standard input ('-') is called in the report; its "
                 "configuration is the one of a file of that name")
      ->type_name("NAME")
      ->group(kFilesGroup);
  app.add_flag("--show-files", options.show_files,
               "print the files that would be linted, and nothing else")
      ->group(kFilesGroup);
  app.add_flag("--watch", options.watch, "lint again whenever a file changes")
      ->group(kFilesGroup);
  AddNumber(app, "--jobs", options.jobs, kMaxJobs,
            "threads (default: one per core)", kFilesGroup);
  app.add_flag("--cache,!--no-cache", options.cache,
               "keep the findings of files that do not change (default)")
      ->group(kFilesGroup);
  app.add_option("--cache-dir", options.cache_dir,
                 "where (default: .tilewise_cache in the root of the checkout)")
      ->type_name("DIR")
      ->group(kFilesGroup);
}

void AddFixes(CLI::App& app, Options& options) {
  app.add_flag("--fix,!--no-fix", options.fix,
               "apply the fixes that keep the program's meaning")
      ->group(kFixesGroup);
  app.add_flag("--unsafe-fixes,!--no-unsafe-fixes", options.unsafe_fixes,
               "those too that may change numbers, order or callbacks")
      ->group(kFixesGroup);
  app.add_flag("--fix-only", options.fix_only,
               "apply fixes and report nothing that is left")
      ->group(kFixesGroup);
  app.add_flag("--diff", options.diff,
               "print what --fix would change and exit 1 if that is anything")
      ->group(kFixesGroup);
}

}  // namespace

void AddConfig(CLI::App& app, Options& options) {
  CLI::Option* file =
      app.add_option("--config", options.config_file,
                     "configuration of all files (default: of each file the "
                     "nearest .tilewise.yaml upwards)")
          ->type_name("FILE")
          ->group(kConfigGroup);
  app.add_flag("--no-config,--isolated", options.no_config,
               "read no configuration")
      ->group(kConfigGroup)
      ->excludes(file);
}

void AddRuleSettings(CLI::App& app, Options& options) {
  AddList(app, "--extend-select", options.extend_select,
          "these rules beside the default set or those of the configuration",
          "RULE,..", kRulesGroup);
  AddList(app, "--extend-ignore", options.extend_ignore,
          "as --ignore, beside it", "RULE,..", kRulesGroup);
  AddList(app, "--severity", options.severity,
          "of a rule, name or family: info, warning, error or off",
          "RULE=LEVEL,..", kRulesGroup);
  AddList(app, "--threshold", options.thresholds,
          "a number that a rule compares with, as 'tilewise explain RULE' "
          "names it",
          "RULE.name=NUMBER,..", kRulesGroup);
  AddList(app, "--fixed-dims", options.fixed_dims,
          "sizes and names of dims that no rule may want otherwise: 30522, "
          "embedding, dense/kernel:1",
          "DIM,..", kRulesGroup);
  AddSwitch(app, "--preview,!--no-preview", options.preview,
            "new rules too, which may still change", kRulesGroup);
}

void AddLint(CLI::App& app, Options& options) {
  AddNumber(app, "--max-warnings", options.max_warnings, kMaxWarnings,
            "exit 1 when there are more warnings than this", kRulesGroup, 0);
  app.add_flag("--exit-zero,!--no-exit-zero", options.exit_zero,
               "exit 0 whatever was found")
      ->group(kRulesGroup);
  app.add_flag("--show-config", options.show_config,
               "print the settings for the first file, and where each comes "
               "from")
      ->group(kConfigGroup);
  AddBaseline(app, options);
  AddLintedFiles(app, options);
  AddFixes(app, options);
  app.add_flag("--statistics,!--no-statistics", options.statistics,
               "counts and savings by rule")
      ->group(kOutputGroup);
}

}  // namespace tilewise
