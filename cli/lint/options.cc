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
constexpr int64_t kMaxSeconds = 86'400;
constexpr int64_t kMaxMebibytes = int64_t{1} << 24;

void AddBaseline(Arguments& arguments, BaselineOptions& options) {
  Arguments group = arguments.InGroup(kBaselineGroup);
  group.Text({.name = "--baseline",
              .help = "findings of this file are known: silent, only counted; entries that are not "
                      "found any more are a failure",
              .type = "FILE"},
             options.file);
  group.Text({.name = "--write-baseline",
              .help = "write all findings to this file and exit 0",
              .type = "FILE"},
             options.write);
  group.Flag({.name = "--prune-baseline",
              .help = "take entries that are not found any more out of the baseline"},
             options.prune);
  group.Flag({.name = "--pass-on-stale,!--no-pass-on-stale",
              .help = "only say that there are such entries"},
             options.pass_on_stale);
}

void AddWalk(Arguments& arguments, WalkOptions& options) {
  Arguments group = arguments.InGroup(kFilesGroup);
  group.List(
      {.name = "--exclude", .help = "files and folders that no walk enters", .type = "GLOB,.."},
      options.exclude);
  group.Flag({.name = "--respect-gitignore,!--no-respect-gitignore",
              .help = "walks leave out what .gitignore files name (default)"},
             options.respect_gitignore);
  group.Flag({.name = "--together,!--separate",
              .help = "all arguments are one program, or each is one of its own "
                      "(default: those are one that complete each other)"},
             options.together);
  group.Text({.name = "--stdin-filename",
              .help = "what standard input ('-') is called in the report; its "
                      "configuration is the one of a file of that name",
              .type = "NAME"},
             options.stdin_filename);
  group.Flag(
      {.name = "--show-files", .help = "print the files that would be linted, and nothing else"},
      options.show_files);
}

void AddRun(Arguments& arguments, LintOptions& options) {
  Arguments group = arguments.InGroup(kFilesGroup);
  group.Flag({.name = "--watch", .help = "lint again whenever a file changes"}, options.watch);
  group.Number({.name = "--jobs", .help = "threads (default: one per core)"}, options.jobs,
               kMaxJobs);
  group.Number({.name = "--max-seconds",
                .help = "end with one line and exit code 2 when the run takes longer"},
               options.limits.seconds, kMaxSeconds);
  group.Number({.name = "--max-memory", .help = "the same when it needs more MiB of memory: 1024"},
               options.limits.mebibytes, kMaxMebibytes);
  group.Flag({.name = "--cache,!--no-cache",
              .help = "keep the findings of files that do not change (default)"},
             options.cache.use);
  group.Text({.name = "--cache-dir",
              .help = "where (default: .tilewise_cache in the root of the checkout)",
              .type = "DIR"},
             options.cache.folder);
}

void AddFixes(Arguments& arguments, FixOptions& options) {
  Arguments group = arguments.InGroup(kFixesGroup);
  group.Flag({.name = "--fix,!--no-fix", .help = "apply the fixes that keep the program's meaning"},
             options.fix);
  group.Flag({.name = "--unsafe-fixes,!--no-unsafe-fixes",
              .help = "those too that may change numbers, order or callbacks"},
             options.unsafe);
  group.Flag({.name = "--fix-only", .help = "apply fixes and report nothing that is left"},
             options.only);
  group.Flag(
      {.name = "--diff", .help = "print what --fix would change and exit 1 if that is anything"},
      options.diff);
  group.Text({.name = "--export-fixes",
              .help = "write what --fix would change as YAML for clang-apply-replacements, and "
                      "change nothing",
              .type = "FILE",
              .excludes = "--fix"},
             options.export_file);
}

void AddModel(Arguments& arguments, ModelOptions& options) {
  AddOptional(arguments,
              "files and folders to lint: models, scripts, notebooks, dumps, logs; '-' is standard "
              "input; none: the workloads that the configuration declares, else the current folder",
              options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.target);
  Add(arguments, options.training);
  Add(arguments, options.loop);
}

}  // namespace

void Add(Arguments& arguments, LintOptions& options) {
  Arguments config = arguments.InGroup(kConfigGroup);
  Arguments output = arguments.InGroup(kOutputGroup);
  AddModel(arguments, options.model);
  Add(arguments, "warning", options.rules);
  AddExit(arguments, options.rules);
  config.Flag({.name = "--show-config",
               .help = "print the settings for the first file, and where each comes from"},
              options.show_config);
  AddBaseline(arguments, options.baseline);
  AddWalk(arguments, options.walk);
  AddRun(arguments, options);
  AddFixes(arguments, options.fixes);
  output.Flag({.name = "--statistics,!--no-statistics", .help = "counts and savings by rule"},
              options.statistics);
  Add(arguments, ReportFormats(true), options.output);
  AddReports(arguments, ReportFormats(true), options.output);
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
