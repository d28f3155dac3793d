// The lowered step: what the device will run, in issue order.
//
// Passes fill it from top to bottom: those up to `quantize` rewrite `graph`,
// `assign_layouts` fills `layouts`, `fuse` `kernels` (ops only), `lower_ops`
// their work, `choose_tiles` their windows, `place_buffers` `buffers` and the
// memory figures, `schedule` the order of `kernels`.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "graph/graph.h"
#include "graph/training.h"
#include "hardware/target.h"
#include "sim/lowering/layout.h"

namespace tilewise {

enum class KernelKind : uint8_t {
  kMatrix,   // dot or convolution with what fused around it
  kLoop,     // elementwise
  kReduce,   // reductions and windows
  kCopy,     // layout change, transpose, slice, concatenate, pad
  kIndexed,  // gather, scatter
  kRandom,
  kRecurrent,  // one device loop: `repeat` iterations of the same work
  kCollective,
  kOpaque,     // moves its operands and result, nothing else is known
  kSort,       // sort, top-k
  kAttention,  // flash attention: matmuls and softmax in one kernel
  kHostCopy,   // between HBM and the memory of the host
};
std::string_view KernelKindName(KernelKind kind);

// Work for the matrix units: `weight_tiles` tiles of side x side are loaded in
// turn, and `rows_per_tile` rows stream past each, `passes` times.
struct MatrixWork {
  int64_t weight_tiles = 0;   // over all groups and window taps
  int64_t rows_per_tile = 0;  // padded to the sublanes
  int64_t passes = 1;
  // This is the rate of the operands' type over bf16: of rows that stream past in a cycle, and of
  // weight tiles that are latched in the same time.
  double rate = 1;
  double useful_flops = 0;  // 2 x multiply-adds without padding and zeros
  double padded_flops = 0;  // as the array performs them
  // The array waits for this part of the kernel's VectorWork::alu: operands that it has no path for
  // are converted each time that a window is taken in.
  double feed_alu = 0;
  double busiest_core = 1;  // work of the busiest core over the cores' mean
  // Times that the array is filled anew, as matmuls wait for the results of
  // others in the same block.
  int64_t fills = 1;
  // The array and the vector unit wait for each other all along.
  bool in_turns = false;
};

// Work for the vector unit, in instructions on one 8 x 128 register.
struct VectorWork {
  double alu = 0;
  double transcendental = 0;
  double cross_lane = 0;
  double loads = 0;
  double stores = 0;
};

// One dim of the grid is enough: a kernel runs `steps` equal steps, each with
// its own windows of the operands and result.
struct Windows {
  int64_t steps = 1;
  Bytes vmem;       // of one step's windows, single-buffered
  int buffers = 2;  // 1 when VMEM has no room for two
  // The loop over them is not the compiler's: what the next window costs is no
  // part of the MXU's achieved share of its peak.
  bool hand_written = false;
  Bytes read_per_step;   // HBM -> VMEM, with re-reads of operands
  Bytes write_per_step;  // VMEM -> HBM
  // These are of the first step, which loads all of its windows, and of the last step that writes;
  // 0 where they are those of any step. A step that finds a window of the step before still there
  // does not load it again.
  Bytes first_read;
  Bytes first_on_chip_read;
  Bytes last_write;
};

// How a kernel reads one of its inputs.
struct InputTraffic {
  double times = 1;    // each byte, by all steps of one iteration
  Bytes first_window;  // of the first step; 0: as of any other
};

using KernelId = Id<struct Kernel>;  // in Program::kernels
using BufferId = Id<struct Buffer>;  // in Program::buffers

struct Kernel {
  std::string name;  // "fusion.12", "convolution.3"
  KernelKind kind = KernelKind::kLoop;
  OpId root = kNoOp;         // the op that names it: the conv, dot or reduce; else the last
  std::vector<OpId> ops;     // ascending, the root included
  std::vector<OpId> inputs;  // values read from HBM, each once
  std::vector<InputTraffic> traffic;  // by input; empty: all in the same way
  std::vector<OpId> outputs;          // values written to HBM
  Phase phase = Phase::kForward;
  OpId origin = kNoOp;  // the source op of the root
  MatrixWork matrix;
  VectorWork vector;
  Bytes hbm_read;  // padded bytes, re-reads by the grid included
  Bytes hbm_write;
  // These are the bytes, of those, of values that stay in on-chip memory between kernels.
  Bytes on_chip_read;
  Bytes on_chip_write;
  Bytes from_hbm() const { return hbm_read - on_chip_read; }
  Bytes to_hbm() const { return hbm_write - on_chip_write; }
  double dma_row_efficiency = 1;  // < 1 when contiguous runs are short
  Windows windows;
  int64_t repeat = 1;  // iterations of a device loop
  // Collectives: padded bytes of the value where it is whole, on every core
  // (all-reduce) or after all parts are joined.
  Bytes collective_bytes;
  int64_t participants = 1;
  OpKind collective = OpKind::kAllReduce;
  std::string mesh_axis;  // of the participants; empty: all cores, or any
  // A collective or host copy that may overlap kernels.
  bool overlappable = false;
  // A gather that is made as a sum: each core adds its part to the zeros of all others.
  bool by_sum = false;
  // A gather whose parts are multiplied as they come: what reads its result
  // starts at once, and has its own result after the last part.
  bool in_pieces = false;
  // Returns the direction of a host copy: the way to host memory reads HBM, the way back writes it.
  bool goes_to_host() const { return kind == KernelKind::kHostCopy && hbm_read > Bytes{}; }
  // This numbers the iterations of a loop over layers from 1 in the order in which they run: before
  // an iteration begins, what overlaps the kernels of the one before has ended. 0: outside, or a
  // collective or copy that may run from one into the next.
  int32_t iteration = 0;
  // Runs an earlier kernel again, so that its results need not be kept until
  // they are used: they are values that two kernels write.
  bool rematerialized = false;
};

enum class BufferUse : uint8_t {
  kInput,
  kVariable,
  kOptimizerState,
  kActivation,
  kGradient,
  kTemporary,
};
std::string_view BufferUseName(BufferUse use);

// A value in HBM. Live from the issue of kernel `first` to that of `last`,
// inclusive; variables and inputs from 0 to the end. A value that is
// rematerialised has a buffer for each kernel that writes it.
struct Buffer {
  OpId value = kNoOp;
  BufferUse use = BufferUse::kTemporary;
  Bytes padded;
  Bytes unpadded;
  KernelId first = 0;
  KernelId last = 0;
  // Last kernel that finds the value in on-chip memory. Kernels after that one
  // read a copy in HBM.
  KernelId on_chip_until;
  // An argument that a copy before the program's start puts in on-chip memory.
  bool prefetched = false;
  // A part of an array that a loop over layers fills iteration by iteration: the
  // kernel that the array is there from. None: kernel `first`.
  KernelId held_from;
  // The kernel that its bytes are in use to, where that is after `last`.
  KernelId held_to;
  // The buffer that ends with kernel `first` and gives its bytes to this one;
  // none: bytes of its own.
  BufferId in_place_of;
  bool never_in_hbm() const { return on_chip_until >= last && !prefetched; }
  KernelId begins() const { return held_from >= 0 ? held_from : first; }
  KernelId ends() const { return held_to >= 0 ? held_to : last; }
  // Whether it adds bytes of its own to those in use at a kernel.
  bool adds_at(KernelId kernel) const {
    return adds_from() <= kernel && kernel <= ends() && !never_in_hbm();
  }
  KernelId adds_from() const {
    if (held_from >= 0) return held_from;
    return in_place_of < 0 ? first : first + 1;
  }
};

struct Memory {
  Bytes available;  // usable HBM of one core
  Bytes peak;       // largest sum of live padded buffers
  KernelId peak_at = 0;
  Bytes variables;  // weights
  Bytes optimizer_state;
  Bytes arguments;  // inputs of the step
  // A step that is made to fit has these: what iterations over layers free early, or kernels that
  // run again, if all that can be is, and the peak that is left.
  Bytes freed_early, least;
  // The part of it that has room; none where nothing is freed early.
  std::optional<double> roomy_part() const {
    if (freed_early <= Bytes{}) return std::nullopt;
    return static_cast<double>((available - least).value) / static_cast<double>(freed_early.value);
  }
  // The peak if nothing were rematerialised; 0: nothing is.
  Bytes without_rematerialization;
  // The peak if the compiler drops the barriers that keep second runs behind a gradient, where it
  // is not known whether it does; 0: known, or the same.
  Bytes without_barriers;
  bool fits() const { return peak <= available; }
};

struct PassRecord {
  std::string name;
  Seconds wall;     // not part of any output that must be deterministic
  int32_t ops = 0;  // graph size after it
  int32_t kernels = 0;
};

// How often the whole step has each op and kernel of a program in which a few layers stand for all.
struct Repetitions {
  std::vector<int32_t> ops, kernels;
};

struct Program {
  Graph graph;                  // bound: all dims constant
  std::vector<Layout> layouts;  // by op
  std::vector<Kernel> kernels;  // in issue order
  std::vector<Buffer> buffers;
  Memory memory;
  int64_t batch_per_core = 1;
  bool training = true;
  bool compiled = false;  // layouts and kernels are those of a compiler's dump
  std::vector<PassRecord> passes;

  // Whether layers are iterations of a loop; tiles of a loss are not layers.
  bool loops_over_layers() const;
};

}  // namespace tilewise
