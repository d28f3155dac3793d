// One walk in issue order with the bytes in use at hand; see rematerialize.h.
// What is freed at a kernel may make a later one too large, which is dealt with
// when the walk gets there.

#include "sim/lowering/rematerialization/rematerialize.h"

#include <algorithm>
#include <optional>

#include "sim/lowering/buffer_assignment/live_ranges.h"
#include "sim/lowering/buffer_assignment/second_runs.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/rematerialization/remat_list.h"

namespace tilewise {
namespace {

// XLA's flag as found in a published v6e dump (tpu-lowering 3).
constexpr Bytes kLeast = {10 << 20};

// Kernels before one that runs again that may have to run again for it, one
// after the other; assumed: as many as a transformer's block has between its
// input and any value. XLA looks for longer and longer blocks, within a limit
// on their size and on the effort.
constexpr int kLongestChain = 8;

// Compilers of newer chips look at single kernels only. They leave the scores of attention alone,
// too: those stand for the probabilities that XLA keeps, which a chain from the scores on makes.
int LongestChain(const Chip& chip) { return chip.rematerializes_chains ? kLongestChain : 0; }

// Operands that are looked at for one candidate, and in a walk: a chain of eight
// kernels may branch at each operand, and a graph made to be searched without
// end would be. Steps of published models take less than a hundredth of it.
constexpr int64_t kMostLooksAtCandidate = 20'000;
constexpr int64_t kMostLooks = 100'000'000;

// Placing buffers anew may keep others on-chip, which is then seen to.
constexpr int kMostRounds = 3;

// Returns for each op whether it is a variable that gets a new value.
std::vector<bool> FindOverwritten(const Graph& graph) {
  std::vector<bool> is_overwritten(graph.size(), false);
  for (const Output& output : graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    is_overwritten[output.variable] = true;
  }
  return is_overwritten;
}

bool HasBatchedMatmul(const Graph& graph, const Kernel& kernel) {
  return std::any_of(kernel.ops.begin(), kernel.ops.end(), [&](OpId id) {
    const Op& op = graph.op(id);
    return op.kind == OpKind::kDot && !op.as<DotAttrs>().lhs_batch.empty();
  });
}

bool MayRunAgain(const Graph& graph, const Kernel& kernel, const Chip& chip) {
  if (kernel.phase == Phase::kUpdate || kernel.repeat > 1) return false;
  if (!chip.rematerializes_chains && HasBatchedMatmul(graph, kernel)) return false;
  switch (kernel.kind) {
    case KernelKind::kLoop:
    case KernelKind::kMatrix:
    case KernelKind::kReduce:
    case KernelKind::kCopy:
    case KernelKind::kIndexed:
    case KernelKind::kSort:
      break;
    default:
      return false;
  }
  return std::none_of(kernel.ops.begin(), kernel.ops.end(), [&](OpId id) {
    const OpKind kind = graph.op(id).kind;
    return ClassOf(kind) == OpClass::kRandom || kind == OpKind::kDynamicUpdateSlice;
  });
}

class Rematerializer {
 public:
  Rematerializer(const Program& program, const Chip& chip, const CompilerHabits& compiler,
                 Bytes limit)
      : program_(program),
        list_(program),
        limit_(limit),
        longest_chain_(LongestChain(chip)),
        in_use_(list_.arguments()) {
    const std::vector<bool> overwritten = FindOverwritten(program.graph);
    const auto is_overwritten = [&](OpId id) { return overwritten[id]; };
    for (const Kernel& kernel : program.kernels) {
      const bool is_barred =
          program.graph.op(kernel.root).loop.is_one_trip() ||
          (!compiler.recomputes_weight_readers &&
           std::any_of(kernel.inputs.begin(), kernel.inputs.end(), is_overwritten));
      may_run_again_.push_back(!is_barred && MayRunAgain(program.graph, kernel, chip));
    }
  }

  // Frees what it can, and keeps to the limit if that does.
  void Run() {
    for (RematRunId at = list_.first(); at >= 0; at = list_.run(at).next) {
      if (list_.run(at).is_gone) continue;
      Begin(at);
      while (in_use_ > limit_) {
        std::optional<Choice> choice = Best(0);
        if (!choice && longest_chain_ > 0) choice = Best(longest_chain_);
        if (!choice || made_ >= program_.kernels.size() || looks_ > kMostLooks) {
          keeps_to_limit_ = false;
          break;
        }
        Apply(*choice);
      }
      End(at);
    }
  }

  std::vector<Kernel> Kernels() const { return list_.Kernels(program_); }

  bool found_any() const { return made_ > 0; }
  bool keeps_to_limit() const { return keeps_to_limit_; }

 private:
  struct Choice {
    RematRunId run, before;
    bool is_move = false;
    Bytes freed;
  };

  void Begin(RematRunId at) {
    now_ = at;
    for (const RematValueId i : list_.run(at).reads) ++list_.value(i).placed;
    in_use_ += list_.run(at).held;
    for (const RematValueId i : list_.run(at).writes) {
      RematValue& value = list_.value(i);
      if (!value.held) in_use_ += value.bytes;
      value.is_live = true;
      if (MayBeDropped(i)) candidates_.push_back(i);
    }
    in_use_ -= list_.run(at).shared;
  }

  // Whether another run of its writer is worth a thought, whatever comes later.
  bool MayBeDropped(RematValueId i) const {
    const RematValue& value = list_.value(i);
    if (value.bytes < kLeast) return false;
    const RematRun& run = list_.run(value.writer);
    return may_run_again_[run.kernel] && std::ranges::none_of(run.writes, [&](RematValueId other) {
             return list_.value(other).stays;
           });
  }

  void End(RematRunId at) {
    in_use_ += list_.run(at).shared;
    for (const RematValueId i : list_.run(at).reads) EndOf(i);
    for (const RematValueId i : list_.run(at).writes) EndOf(i);
    std::erase_if(candidates_, [&](RematValueId i) { return !list_.value(i).is_live; });
  }

  // The kernel that the walk leaves may be the last that uses the value.
  void EndOf(RematValueId i) {
    RematValue& value = list_.value(i);
    if (!value.is_live || value.stays || value.has_readers_left()) return;
    in_use_ -= value.bytes;
    value.is_live = false;
  }

  // Returns whether the kernel that the walk is at uses the value.
  bool IsInUse(RematValueId value) const {
    const RematRun& now = list_.run(now_);
    const auto has = [&](const std::vector<RematValueId>& values) {
      return std::find(values.begin(), values.end(), value) != values.end();
    };
    return has(now.reads) || has(now.writes);
  }

  // A move is better than another run, then what frees more, then what was written first. Operands
  // are looked at last, where the rest is better than the best so far.
  std::optional<Choice> Best(int chain) {
    std::optional<Choice> best;
    for (const RematValueId i : candidates_) {
      if (++looks_ > kMostLooks) break;
      const RematValue& value = list_.value(i);
      if (!value.has_readers_left()) continue;
      const std::optional<Choice> choice = Consider(value.writer);
      if (!choice || (best && !IsBetter(*choice, *best))) continue;
      looks_left_ = kMostLooksAtCandidate;
      if (AreReadable(list_.run(choice->run), choice->before, chain)) best = choice;
      looks_ += kMostLooksAtCandidate - looks_left_;
    }
    return best;
  }

  static bool IsBetter(const Choice& a, const Choice& b) {
    return a.is_move != b.is_move ? a.is_move : a.freed > b.freed;
  }

  std::optional<Choice> Consider(RematRunId at) const {
    const RematRun& run = list_.run(at);
    Choice choice;
    choice.run = at;
    choice.is_move = true;
    for (const RematValueId i : run.writes) {
      const RematValue& value = list_.value(i);
      if (value.placed > 0) choice.is_move = false;
      if (value.has_readers_left() && !IsInUse(i)) {
        choice.freed += value.bytes;
      }
    }
    // A copy stands before its reader already; else two may push each other on.
    if (choice.is_move && run.is_copy) return std::nullopt;
    if (choice.freed <= Bytes{}) return std::nullopt;
    choice.before = list_.NextReader(run);
    return choice;
  }

  // Whether the operands of `run` are there before run `at`, or can be made
  // there by a chain of runs.
  bool AreReadable(const RematRun& run, RematRunId at, int chain) const {
    return std::all_of(run.reads.begin(), run.reads.end(),
                       [&](RematValueId i) { return IsReadable(list_.value(i).value, at, chain); });
  }

  bool IsReadable(OpId id, RematRunId at, int chain) const {
    looks_left_ -= list_.versions(id);
    if (looks_left_ < 0) return false;
    const RematValueId newest = list_.NewestBefore(id, at);
    if (newest < 0) return false;
    const RematValue& value = list_.value(newest);
    if (value.writer < 0) return !list_.IsOverwrittenBefore(id, at);
    if (IsThere(value)) return true;
    if (chain == 0) return false;
    const RematRun& run = list_.run(value.writer);
    const bool is_dropped = std::none_of(run.writes.begin(), run.writes.end(),
                                         [&](RematValueId i) { return IsThere(list_.value(i)); });
    return is_dropped && may_run_again_[run.kernel] && AreReadable(run, at, chain - 1);
  }

  // Returns whether the value is in memory now, or a run that the walk has yet to reach writes it.
  bool IsThere(const RematValue& value) const {
    return value.writer < 0 || value.stays || value.has_readers_left() ||
           list_.run(value.writer).label > list_.run(now_).label;
  }

  // A value as it is before run `at`, made again when it has been dropped.
  RematValueId Readable(OpId id, RematRunId at) {
    const RematValueId newest = list_.NewestBefore(id, at);
    if (IsThere(list_.value(newest))) return newest;
    RunAgain(list_.value(newest).writer, at);
    return list_.NewestBefore(id, at);
  }

  void RunAgain(RematRunId run, RematRunId at) {
    const std::vector<RematValueId> old = list_.run(run).reads;
    std::vector<RematValueId> reads;
    reads.reserve(old.size());
    for (const RematValueId i : old) {
      reads.push_back(Readable(list_.value(i).value, at));
    }
    list_.RunAgain(run, std::move(reads), at);
    ++made_;
  }

  void Apply(const Choice& choice) {
    const std::vector<RematValueId> writes = list_.run(choice.run).writes;
    RunAgain(choice.run, choice.before);
    in_use_ -= choice.freed;
    // What is in use now is dropped at the end of the kernel.
    for (const RematValueId i : writes) {
      if (!IsInUse(i)) list_.value(i).is_live = false;
    }
    std::erase_if(candidates_, [&](RematValueId i) { return !list_.value(i).is_live; });
  }

  const Program& program_;
  RematList list_;
  const Bytes limit_;
  const int longest_chain_;
  Bytes in_use_;
  std::vector<bool> may_run_again_;       // by kernel
  std::vector<RematValueId> candidates_;  // live values that may be dropped, in order of writing
  int64_t looks_ = 0;                     // operands and values looked at so far
  mutable int64_t looks_left_ = 0;        // for the candidate at hand
  size_t made_ = 0;                       // runs that were put in
  bool keeps_to_limit_ = true;
  RematRunId now_;  // that the walk is at
};

// The arguments alone take more than there is.
bool IsHopeless(const Program& program) {
  Bytes arguments;
  for (const Buffer& buffer : program.buffers) {
    const bool is_argument = IsArgument(program.graph.op(buffer.value));
    if (is_argument && !buffer.never_in_hbm()) arguments += buffer.padded;
  }
  return arguments > program.memory.available;
}

// The kernels of a step with what they need; a program's others stay the same.
struct Placement {
  std::vector<Kernel> kernels;
  std::vector<Buffer> buffers;
  Memory memory;
};

// Gives the program these kernels and places its buffers; returns what it had before.
Placement Replace(Program& program, std::vector<Kernel> kernels, const Chip& chip,
                  const XlaFlags& flags) {
  Placement before{std::move(program.kernels), program.buffers, program.memory};
  program.kernels = std::move(kernels);
  AssignBuffers(program, chip, flags);
  return before;
}

void Restore(Program& program, Placement before) {
  program.kernels = std::move(before.kernels);
  program.buffers = std::move(before.buffers);
  program.memory = std::move(before.memory);
}

}  // namespace

void FitByRematerialization(Program& program, const Chip& chip, const CompilerHabits& compiler,
                            const XlaFlags& flags) {
  if (program.memory.fits() || IsHopeless(program)) return;
  std::optional<Placement> original;
  for (int round = 0; round < kMostRounds && !program.memory.fits(); ++round) {
    Rematerializer rematerializer(program, chip, compiler, program.memory.available);
    rematerializer.Run();
    if (!rematerializer.found_any()) break;
    Placement before = Replace(program, rematerializer.Kernels(), chip, flags);
    if (program.memory.peak >= before.memory.peak) {
      Restore(program, std::move(before));
      break;
    }
    if (!original) original = std::move(before);
    if (!rematerializer.keeps_to_limit()) break;
  }
  if (!original) return;
  const Bytes peak = program.memory.peak;
  const Bytes before = original->memory.peak;
  const bool fits = program.memory.fits();
  if (!fits) {
    Restore(program, *std::move(original));
    program.memory.peak = peak;
  }
  Memory& memory = program.memory;
  memory.without_rematerialization = before;
  if (!fits || memory.freed_early > Bytes{}) return;
  memory.least = peak;
  memory.freed_early = before - peak;
}

namespace {

// The compiler orders kernels once more behind this pass. Without barriers second runs then go
// ahead, whatever that takes. Where flags do not say so, what it would take is noted: for layers
// written out that send values to the host, as the flags that MaxText has for that drop barriers,
// and with a scheduler by layers, with which two published compilations had second runs ahead.
void DropBarriers(Program& program, const Chip& chip, const XlaFlags& flags) {
  const bool is_known = flags.removes_barriers.has_value();
  const bool is_open = OffloadsWrittenOutLayers(program) ||
                       (flags.schedules_by_layer && !program.loops_over_layers());
  if (is_known ? !*flags.removes_barriers : !is_open) return;
  Placement before{program.kernels, program.buffers, program.memory};
  AssignBuffers(program, chip, flags, true);
  if (is_known) {
    program.memory.without_rematerialization = before.memory.without_rematerialization;
    return;
  }
  const Bytes peak = program.memory.peak;
  Restore(program, std::move(before));
  if (peak > program.memory.peak) program.memory.without_barriers = peak;
}

}  // namespace

absl::Status RunRematerialize(Program& program, const LoweringContext& context) {
  FitByRematerialization(program, context.target.chip, context.options.compiler,
                         context.options.xla_flags);
  DropBarriers(program, context.target.chip, context.options.xla_flags);
  return absl::OkStatus();
}

}  // namespace tilewise
