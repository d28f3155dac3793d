// One measured run: what was run on which machine, and the figure that was
// published for it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/pipeline_run.h"
#include "accuracy/stated_windows.h"
#include "base/units.h"
#include "graph/training.h"
#include "pipeline/host_loop.h"
#include "sim/lowering/lower.h"

namespace tilewise {

// What the clock that was read had around the step.
enum class Clock : uint8_t {
  kDevice,     // the device's own profile, or a loop that hides its host
  kHostCall,   // one call from Python until its result is there
  kTrainLoop,  // the host loop of the workload: dispatch, input, transfer
  kRun,        // the run of a program from end to end: its start and compilation, too
};

enum class Quantity : uint8_t {
  kTime,       // scale x span
  kRate,       // scale / span
  kModelRate,  // scale x model FLOPs of all devices / span
  kModelUse,   // scale x model FLOPs / (peak FLOPs x span): MFU
  kDeviceUse,  // scale x FLOPs that the device did / (peak FLOPs x span)
  kFits,       // 1 when the step fits HBM, else 0
  kPeak,       // HBM of a device at the peak of a step, GiB
};

// A published figure. The span is `steps` training (or inference) steps and
// `evaluations` forward passes of the same batch, in seconds.
struct Figure {
  Quantity quantity = Quantity::kTime;
  double value = 0;  // in the unit of the source, > 0 unless kFits
  double scale = 1;
  double steps = 1;
  double evaluations = 0;
  // Model FLOPs are six for each parameter and token, those of attention left
  // out; 0: the FLOPs of all matmuls.
  double tokens_by_parameters = 0;  // of a step
  std::string unit;                 // "us", "img/s"
};

struct Point {
  int64_t line = 0;  // in its file
  std::string label;
  std::string source;      // who measured it; empty: as the set's
  std::string group;       // rows of a set that are also summed up on their own
  bool in_sample = false;  // constants were read off figures of its source
  bool counted = true;     // false: grade C and the like, shown apart from the set

  // The workload: zoo:NAME,... or a file; empty with a reason why not.
  std::string spec;
  std::string not_simulated;
  // What its source does not say and was set all the same.
  std::vector<std::string> assumed;
  bool training = false;
  std::optional<OptimizerKind> optimizer;  // none: the workload's own
  std::optional<DType> momentum_type;      // none: as the weights have
  std::optional<DType> gradient_type;
  int64_t global_batch = 0;  // 0: one per device

  // The machine. Empty and 0: as the caller or the set says.
  std::string chip, host;
  int64_t cores = 0;      // devices
  double chips = 0;       // instead of cores; a half is one core of two
  std::string mesh;       // "fsdp=64,tensor=8"; empty: data parallel
  int64_t slices = 1;     // that the data centre's network joins
  std::string remat;      // "full"; empty: the workload's own
  std::string xla_flags;  // of the compiler, as a published script has them

  // The loop around the step; only for Clock::kTrainLoop.
  Clock clock = Clock::kDevice;
  Framework framework = Framework::kUnknown;   // kUnknown: the workload's own
  std::optional<int64_t> steps_per_execution;  // none: the workload's own
  int64_t examples_per_epoch = 0;              // the figure is of an epoch where > 0
  // The input function makes whole batches, of so many host bytes an example;
  // labels are made one-hot there.
  bool whole_batch_source = false;
  Bytes bytes_per_example;
  Bytes one_hot_bytes_per_example;

  // The prompts that a server reads while it answers others: the workload of one,
  // and how many it reads in a step.
  std::string prompt;
  double prompts_per_step = 0;

  // The cuts of a single matmul's dims that the table states.
  std::optional<MatmulCuts> matmul_cuts;

  // The windows that a compiled kernel ran with.
  std::optional<StatedWindows> windows;

  // The result stays in on-chip memory: it is not written to HBM.
  bool result_on_chip = false;

  Figure figure;
  bool out_of_memory = false;  // it did not run; only a peak means something then
  // The point is an input pipeline without a model: no chip takes part.
  std::shared_ptr<const PipelineComparison> input;
  // Points of one machine and its data, set up in several configurations;
  // empty: none.
  std::string variants;
  // Points of one network at several batch sizes; empty: no choice to make.
  std::string network;

  // Whether it fit the memory of the machine.
  bool ran() const {
    return figure.quantity == Quantity::kFits ? figure.value > 0 : !out_of_memory;
  }
  // Whether the figure is one that a simulated one can be held against.
  bool has_figure() const {
    if (figure.quantity == Quantity::kPeak) return true;
    return !out_of_memory && figure.quantity != Quantity::kFits;
  }
};

}  // namespace tilewise
