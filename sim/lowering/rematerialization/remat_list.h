// The kernels of a step and the values between them, while kernels are put in a
// second time.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

using RematValueId = Id<struct RematValue>;
using RematRunId = Id<struct RematRun>;

// A value from the run of a kernel that writes it to its last reader; an
// argument of the step has no writer.
struct RematValue {
  OpId value = kNoOp;
  RematRunId writer;
  Bytes bytes;                      // in HBM; 0: on-chip
  std::vector<RematRunId> readers;  // in order
  size_t placed = 0;                // of these, how many the walk has passed
  bool stays = false;               // to the end of the step
  bool held = false;                // in use since a run before that of its writer
  bool is_live = false;             // written by the walk, and neither read last nor dropped yet

  bool has_readers_left() const { return placed < readers.size(); }
};

// A kernel at its place in the step.
struct RematRun {
  KernelId kernel = 0;
  std::vector<RematValueId> reads, writes;
  Bytes shared;       // of `writes`, what is written over dying operands
  Bytes held;         // of values that later runs write, in use from here on
  int64_t label = 0;  // ascending in issue order
  RematRunId next, before;
  bool is_copy = false;
  bool is_gone = false;  // it was moved: the copy runs instead
  Phase phase = Phase::kForward;
};

class RematList {
 public:
  // The buffers of the program must have their offsets.
  explicit RematList(const Program& program);

  RematRunId first() const { return first_; }
  RematRun& run(RematRunId i) { return runs_[i]; }
  const RematRun& run(RematRunId i) const { return runs_[i]; }
  RematValue& value(RematValueId i) { return values_[i]; }
  const RematValue& value(RematValueId i) const { return values_[i]; }
  Bytes arguments() const { return arguments_; }

  // The one of a value's runs of writing that is the last before run `at`;
  // or none.
  RematValueId NewestBefore(OpId id, RematRunId at) const;
  // Values of the op that were written, the first and each time again.
  int64_t versions(OpId id) const { return static_cast<int64_t>(written_[id].size()); }
  // The first of the readers of `run`'s results that the walk has not passed;
  // or none.
  RematRunId NextReader(const RematRun& run) const;
  // Whether the new value of variable `id` is written before run `at`.
  bool IsOverwrittenBefore(OpId id, RematRunId at) const;

  // Puts a run of the same kernel before run `at`, which gets all readers that
  // the walk has not passed; `reads` are its operands.
  RematRunId RunAgain(RematRunId run, std::vector<RematValueId> reads, RematRunId at);

  // The kernels in issue order.
  std::vector<Kernel> Kernels(const Program& program) const;

 private:
  void AddKernels(const Program& program);
  void KeepArrays(const Program& program);
  void FindOverwriters(const Program& program);
  void InsertBefore(RematRunId run, RematRunId at);
  void Relabel();
  void AddReader(RematValueId value, RematRunId run);

  RematRunId first_;
  std::vector<RematRun> runs_;
  std::vector<RematValue> values_;
  std::vector<std::vector<RematValueId>> written_;  // by op
  std::vector<RematRunId> overwriter_;              // by op
  Bytes arguments_;
};

}  // namespace tilewise
