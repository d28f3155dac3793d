// The kernels of a step and the values between them, while kernels are put in a
// second time.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// A value from the run of a kernel that writes it to its last reader; an
// argument of the step has no writer.
struct RematValue {
  OpId value = kNoOp;
  int32_t writer = -1;           // run
  Bytes bytes;                   // in HBM; 0: on-chip
  std::vector<int32_t> readers;  // runs, in order
  size_t placed = 0;             // of these, how many the walk has passed
  bool stays = false;            // to the end of the step

  bool has_readers_left() const { return placed < readers.size(); }
};

// A kernel at its place in the step.
struct RematRun {
  int32_t kernel = 0;                  // index in Program::kernels
  std::vector<int32_t> reads, writes;  // values
  Bytes shared;                        // of `writes`, what is written over dying operands
  int64_t label = 0;                   // ascending in issue order
  int32_t next = -1;                   // run; -1: the last
  int32_t before = -1;                 // run
  bool is_copy = false;
  bool is_gone = false;  // it was moved: the copy runs instead
  Phase phase = Phase::kForward;
};

class RematList {
 public:
  // Of a program whose buffers are placed.
  explicit RematList(const Program& program);

  int32_t first() const { return first_; }
  RematRun& run(int32_t i) { return runs_[i]; }
  const RematRun& run(int32_t i) const { return runs_[i]; }
  RematValue& value(int32_t i) { return values_[i]; }
  const RematValue& value(int32_t i) const { return values_[i]; }
  Bytes arguments() const { return arguments_; }

  // The one of a value's runs of writing that is the last before run `at`; -1
  // for none.
  int32_t NewestBefore(OpId id, int32_t at) const;
  // The first of the readers of `run`'s results that the walk has not passed;
  // -1 for none.
  int32_t NextReader(const RematRun& run) const;
  // Whether the new value of variable `id` is written before run `at`.
  bool IsOverwrittenBefore(OpId id, int32_t at) const;

  // Puts a run of the same kernel before run `at`, which gets all readers that
  // the walk has not passed; `reads` are its operands.
  int32_t RunAgain(int32_t run, std::vector<int32_t> reads, int32_t at);

  // The kernels in issue order.
  std::vector<Kernel> Kernels(const Program& program) const;

 private:
  void AddKernels(const Program& program);
  void FindOverwriters(const Program& program);
  void InsertBefore(int32_t run, int32_t at);
  void Relabel();
  void AddReader(int32_t value, int32_t run);

  int32_t first_ = -1;
  std::vector<RematRun> runs_;
  std::vector<RematValue> values_;
  std::vector<std::vector<int32_t>> written_;  // values, by op
  std::vector<int32_t> overwriter_;            // run, by op; -1: none
  Bytes arguments_;
};

}  // namespace tilewise
