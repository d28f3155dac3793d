// What the user asked for, as plain data. Zero and empty mean "not given".

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "hardware/mesh.h"
#include "lint/config.h"

namespace tilewise {

// Where the value of an option comes from: "--chip", "TILEWISE_CHIP",
// ".tilewise.yaml:3:7".
struct Origin {
  std::vector<std::string> words;
  std::string from;
};
// By flag, without its hyphens.
using Origins = std::map<std::string, Origin, std::less<>>;

struct Options {
  // `lint` takes none too: the workloads that the configuration declares, or
  // the working directory.
  std::vector<std::string> files;
  std::string input_format;  // of all of them; empty: the content decides

  // Target.
  std::string chip;
  bool chip_given = false;  // else it is the default
  int64_t cores = 0;
  std::string host;
  Mesh mesh;

  // Training.
  std::optional<bool> training;  // unset: as the files say
  bool shard_update = false;
  int64_t accumulation_steps = 0;  // 0: as the files say
  std::string xla_flags;           // ParseXlaFlags() reads them
  int64_t global_batch = 0;
  int64_t batch_per_core = 0;
  std::string optimizer;
  std::string remat;
  int64_t steps_per_execution = 0;
  int64_t steps_per_epoch = 0;
  int64_t examples = 0;
  int64_t max_global_batch = 0;
  std::vector<std::string> batch_dims;  // "input:0": where the batch comes in
  bool explain_batch = false;
  bool tries_batches = false;  // the command simulates other batch sizes too

  // Lowering.
  std::vector<std::string> disabled_passes;
  std::string dump_folder;  // for the program after every pass

  // A bare systolic array instead of the chip: "128x128"; ws, os or is.
  std::string array;
  std::string dataflow = "ws";

  // Rules: what flags and variables say, over what `config` says; see
  // RulesOf().
  std::vector<std::string> select, extend_select, ignore, extend_ignore;
  std::vector<std::string> severity;    // "AL001=error"
  std::vector<std::string> thresholds;  // "AL009.min-ratio=2"
  std::optional<bool> preview;
  std::vector<std::string> fixed_dims;  // see lint/fixed_dims.h
  std::optional<Severity> fail_on;      // none: never
  int64_t max_warnings = -1;            // -1: any number
  bool exit_zero = false;

  // Configuration.
  std::string config_file;  // this one for all files
  bool no_config = false;   // none at all
  bool show_config = false;
  // The arguments of the program, for OptionsFor(), and what came of them.
  std::vector<std::string> arguments;
  Origins origins;
  // What the files say for these options; never null after parsing.
  std::shared_ptr<const LintConfig> config;

  // Baseline.
  std::string baseline;        // known findings
  std::string write_baseline;  // where to write them
  bool prune_baseline = false;
  bool pass_on_stale = false;

  // Files of `lint`.
  std::vector<std::string> exclude;  // globs, for walked folders
  bool respect_gitignore = true;
  bool show_files = false;
  std::string stdin_filename;
  std::optional<bool> together;  // all arguments are one program
  bool cache = true;
  std::string cache_dir;
  int64_t jobs = 0;  // 0: one per core
  bool watch = false;
  bool statistics = false;

  // Fixes.
  bool fix = false;
  bool unsafe_fixes = false;
  bool fix_only = false;
  bool diff = false;

  // Output.
  std::string format = "text";
  std::string output;                // empty: standard output
  std::vector<std::string> reports;  // beside it: "sarif=out.sarif"
  std::string color = "auto";
  bool verbose = false;
  std::string trace;  // file for the trace of the step

  std::vector<std::string> where;  // conditions on the rows to fit
  std::string only;                // first letters of constants to fit

  // `explain` and `list`.
  std::string rule;
  std::string listed;

  // `init`.
  std::string folder = ".";
  bool force = false;
  bool print = false;

  // `completions`.
  std::string shell;
};

}  // namespace tilewise
