// What every command takes that lowers a program for a machine: the files, the
// machine, the step (batch, optimizer, what the backward pass keeps) and the
// loop around it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "frontend/load.h"
#include "hardware/mesh.h"
#include "hardware/target.h"

namespace tilewise {

// The user's program: files, folders, models of the zoo; and their format.
struct InputOptions {
  std::vector<std::string> files;
  std::string format;  // of all of them; empty: the content decides
  ProgramSettings program;
};

void Add(Arguments& arguments, InputOptions& options);
// The same where no file is needed; `help`: what files mean then.
void AddOptional(Arguments& arguments, const std::string& help, InputOptions& options);

struct TargetOptions {
  std::string chip;
  bool chip_given = false;  // else it is the default
  int64_t cores = 0;        // 0: those of the mesh, or the smallest slice
  std::string host;         // empty: the chip's
  Mesh mesh;
};

inline constexpr char kTargetGroup[] = "Target";
inline constexpr int64_t kMaxCores = 16384;

void Add(Arguments& arguments, TargetOptions& options);

// Errors: an unknown chip or host, with the known ones and where it was named;
// cores that make no mesh.
absl::StatusOr<Target> TargetOf(const TargetOptions& options, const Origins& origins);

// Zero and empty values mean "not given".
struct TrainingOptions {
  std::optional<bool> training;  // unset: as the files say
  bool shard_update = false;
  int64_t accumulation_steps = 0;
  std::string xla_flags;  // ParseXlaFlags() reads them
  int64_t global_batch = 0;
  int64_t batch_per_core = 0;
  double batch_per_device = 0;
  std::string optimizer;
  std::string momentum_type;
  std::string gradient_type;
  std::string remat;
  std::vector<std::string> batch_dims;  // "input:0": where the batch comes in

  bool AsksForABatch() const {
    return global_batch > 0 || batch_per_core > 0 || batch_per_device > 0 || !batch_dims.empty();
  }
};

inline constexpr char kTrainingGroup[] = "Training";
inline constexpr int64_t kMaxBatch = int64_t{1} << 24;
// These are percentages that the quantiles of published peaks reach.
inline constexpr int64_t kLeastCertainty = 5, kMostCertainty = 95;

void Add(Arguments& arguments, TrainingOptions& options);

// Zero: as the files say.
struct LoopOptions {
  std::vector<std::string> measured;  // ParseMeasuredInput() reads them
  int64_t steps_per_execution = 0;
  int64_t steps_per_epoch = 0;
  int64_t examples = 0;
};

void Add(Arguments& arguments, LoopOptions& options);

struct LoweringOptions {
  std::vector<std::string> disabled_passes;
  std::string dump_folder;  // for the program after every pass; empty: none
};

void Add(Arguments& arguments, LoweringOptions& options);

// --dump-lowering.
void AddDump(Arguments& arguments, LoweringOptions& options);

struct SearchOptions {
  int64_t max_global_batch = 0;  // 0: any
  int64_t certainty_percent = 95;
  int64_t margin_percent = 1;
  // "remat", "cores=8,16"; batch and steps-per-execution are knobs, too.
  std::vector<std::string> knobs;
  std::string objective = "throughput";
  std::vector<std::string> prices;  // "v5e=1.2"
  bool exhaustive = false;
  std::string strategy;  // empty: that of `exhaustive`
  int64_t trials = 64;
  int64_t seed = 1;
};

void Add(Arguments& arguments, SearchOptions& options);

struct ModelOptions {
  InputOptions inputs;
  ConfigOptions config;
  TargetOptions target;
  TrainingOptions training;
  LoopOptions loop;
  LoweringOptions lowering;
};

// Adds all options but those of the lowering.
void Add(Arguments& arguments, ModelOptions& options);

}  // namespace tilewise
