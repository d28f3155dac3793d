// What the user asked for, as plain data. Zero and empty mean "not given".

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "hardware/mesh.h"

namespace tilewise {

struct Options {
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

  // Rules.
  std::vector<std::string> select, ignore;
  std::optional<Severity> fail_on;  // none: never

  // Output.
  std::string format = "text";
  std::string output;  // empty: standard output
  std::string color = "auto";
  bool verbose = false;
  std::string trace;  // file for the trace of the step

  std::vector<std::string> where;  // conditions on the rows to fit
  std::string only;                // first letters of constants to fit

  // `explain` and `list`.
  std::string rule;
  std::string listed;
};

}  // namespace tilewise
