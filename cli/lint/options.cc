// Flags that a configuration may set have a form that takes them back
// (--no-cache): what a file says must not be the last word.

#include "cli/lint/options.h"

#include <utility>

#include "cli/command_line.h"

namespace tilewise {
namespace {

constexpr char kBaselineGroup[] = "Baseline";
constexpr char kFilesGroup[] = "Files";
constexpr char kFixesGroup[] = "Fixes";
constexpr int64_t kMaxJobs = 1024;

void AddBaseline(Arguments& arguments, BaselineOptions& options) {
  arguments.Text({.name = "--baseline",
                  .help = "findings of this file are known: silent, only "
                          "counted; entries that are not found any more are a "
                          "failure",
                  .group = kBaselineGroup,
                  .type = "FILE"},
                 options.file);
  arguments.Text({.name = "--write-baseline",
                  .help = "write all findings to this file and exit 0",
                  .group = kBaselineGroup,
                  .type = "FILE"},
                 options.write);
  arguments.Flag({.name = "--prune-baseline",
                  .help = "take entries that are not found any more out of the baseline",
                  .group = kBaselineGroup},
                 options.prune);
  arguments.Flag({.name = "--pass-on-stale,!--no-pass-on-stale",
                  .help = "only say that there are such entries",
                  .group = kBaselineGroup},
                 options.pass_on_stale);
}

void AddWalk(Arguments& arguments, WalkOptions& options) {
  arguments.List({.name = "--exclude",
                  .help = "files and folders that no walk enters",
                  .group = kFilesGroup,
                  .type = "GLOB,.."},
                 options.exclude);
  arguments.Flag({.name = "--respect-gitignore,!--no-respect-gitignore",
                  .help = "walks leave out what .gitignore files name (default)",
                  .group = kFilesGroup},
                 options.respect_gitignore);
  arguments.Flag({.name = "--together,!--separate",
                  .help = "all arguments are one program, or each is one of its own "
                          "(default: those are one that complete each other)",
                  .group = kFilesGroup},
                 options.together);
  arguments.Text({.name = "--stdin-filename",
                  .help = "what standard input ('-') is called in the report; its "
                          "configuration is the one of a file of that name",
                  .group = kFilesGroup,
                  .type = "NAME"},
                 options.stdin_filename);
  arguments.Flag({.name = "--show-files",
                  .help = "print the files that would be linted, and nothing else",
                  .group = kFilesGroup},
                 options.show_files);
}

void AddRun(Arguments& arguments, LintOptions& options) {
  arguments.Flag(
      {.name = "--watch", .help = "lint again whenever a file changes", .group = kFilesGroup},
      options.watch);
  arguments.Number(
      {.name = "--jobs", .help = "threads (default: one per core)", .group = kFilesGroup},
      options.jobs, kMaxJobs);
  arguments.Flag({.name = "--cache,!--no-cache",
                  .help = "keep the findings of files that do not change (default)",
                  .group = kFilesGroup},
                 options.cache.use);
  arguments.Text({.name = "--cache-dir",
                  .help = "where (default: .tilewise_cache in the root of the checkout)",
                  .group = kFilesGroup,
                  .type = "DIR"},
                 options.cache.folder);
}

void AddFixes(Arguments& arguments, FixOptions& options) {
  arguments.Flag({.name = "--fix,!--no-fix",
                  .help = "apply the fixes that keep the program's meaning",
                  .group = kFixesGroup},
                 options.fix);
  arguments.Flag({.name = "--unsafe-fixes,!--no-unsafe-fixes",
                  .help = "those too that may change numbers, order or callbacks",
                  .group = kFixesGroup},
                 options.unsafe);
  arguments.Flag({.name = "--fix-only",
                  .help = "apply fixes and report nothing that is left",
                  .group = kFixesGroup},
                 options.only);
  arguments.Flag({.name = "--diff",
                  .help = "print what --fix would change and exit 1 if that is anything",
                  .group = kFixesGroup},
                 options.diff);
}

void AddModel(Arguments& arguments, ModelOptions& options) {
  AddOptional(arguments,
              "files and folders to lint: models, scripts, notebooks, dumps, "
              "logs; '-' is standard input; none: the workloads that the "
              "configuration declares, else the current folder",
              options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.target);
  Add(arguments, options.training);
  Add(arguments, options.loop);
}

}  // namespace

void Add(Arguments& arguments, LintOptions& options) {
  AddModel(arguments, options.model);
  Add(arguments, "warning", options.rules);
  AddExit(arguments, options.rules);
  arguments.Flag({.name = "--show-config",
                  .help = "print the settings for the first file, and where "
                          "each comes from",
                  .group = kConfigGroup},
                 options.show_config);
  AddBaseline(arguments, options.baseline);
  AddWalk(arguments, options.walk);
  AddRun(arguments, options);
  AddFixes(arguments, options.fixes);
  arguments.Flag({.name = "--statistics,!--no-statistics",
                  .help = "counts and savings by rule",
                  .group = kOutputGroup},
                 options.statistics);
  Add(arguments, ReportFormats(true), options.output);
  AddReports(arguments, options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<LintOptions> OptionsFor(const LintOptions& given,
                                       std::shared_ptr<const LintConfig> config,
                                       const DeclaredWorkload* workload) {
  if (config == given.model.config.found && workload == nullptr) return given;
  LintOptions options;
  const auto make = [&options](Arguments& arguments) {
    Add(arguments, options);
    return Invocation{.config = &options.model.config};
  };
  TW_RETURN_IF_ERROR(ParseAgain(given.model.config.arguments, make, std::move(config), workload));
  options.model.inputs.files = given.files();
  return options;
}

}  // namespace tilewise
