// A value is computed again when the kernels that need it can make it from few
// values that are in HBM anyway, with little vector work: ReLU masks,
// normalisations, converts, activations, small per-channel arithmetic. The
// exponential of a softmax is one of them: the published v6e dump of an
// attention computes it again in the fusion with the values (tpu-lowering 4).
// So are masks made of positions alone, which are computed from nothing.

#include "sim/lowering/fusion/recompute.h"

#include <algorithm>

#include "graph/op_traits.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// Vector instructions per register of the value. While HBM brings the register
// in as bf16 and takes it away again, the vector units issue 9 (v6e) to 17 (v3)
// of them: so much is hidden behind what recomputing saves.
constexpr double kMaxWork = 12;
constexpr size_t kMaxSmallSources = 8;
constexpr size_t kMaxLargeSources = 1;
constexpr int64_t kSmallShare = 16;  // a source below this part of the value

class Finder {
 public:
  Finder(const Program& program, const Chip& chip)
      : program_(program), chip_(chip), work_(Count(), 0) {
    facts_.may_repeat.assign(Count(), false);
    facts_.is_virtual.assign(Count(), false);
    facts_.is_epilogue.assign(Count(), false);
    facts_.sources.resize(Count());
    facts_.padded.resize(Count());
    facts_.is_output.assign(Count(), false);
    facts_.is_fenced.assign(Count(), false);
  }

  RecomputeFacts Run() {
    for (const Op& op : program_.graph.ops()) {
      facts_.is_virtual[op.id] = IsVirtual(program_, op, chip_);
    }
    for (const Output& output : program_.graph.outputs()) {
      facts_.is_output[Underlying(output.value)] = true;
    }
    for (const Op& op : program_.graph.ops()) {
      if (TraitsOf(op.kind).waits) Fence(op);
    }
    for (const Op& op : program_.graph.ops()) Visit(op);
    return std::move(facts_);
  }

 private:
  size_t Count() const { return program_.graph.ops().size(); }

  // The value in memory that a bitcast stands for.
  OpId Underlying(OpId id) const {
    while (IsBitcastOp(id)) id = program_.graph.op(id).operands[0];
    return id;
  }
  bool IsBitcastOp(OpId id) const {
    const OpKind kind = program_.graph.op(id).kind;
    return facts_.is_virtual[id] &&
           (kind == OpKind::kReshape || kind == OpKind::kTranspose || kind == OpKind::kBarrier);
  }

  // What a barrier holds back or waits for is computed before it.
  void Fence(const Op& barrier) {
    for (const OpId id : barrier.operands) {
      facts_.is_fenced[Underlying(id)] = true;
    }
  }

  void Visit(const Op& op) {
    facts_.padded[op.id] = PaddedBytes(op.shape, program_.layouts[op.id], chip_);
    if (facts_.is_virtual[op.id]) {
      PassThrough(op);
      return;
    }
    if (ClassOf(op.kind) != OpClass::kElementwise) return;
    facts_.is_epilogue[op.id] = EndsEpilogue(op) && !IsSharedWidening(op);
    FindSources(op);
  }

  // A bitcast or broadcast comes from where its operand comes from.
  void PassThrough(const Op& op) {
    if (op.operands.empty()) return;
    const size_t from = op.operands[0];
    facts_.is_epilogue[op.id] = op.kind != OpKind::kBroadcast &&
                                (facts_.is_epilogue[from] || IsSoleMatrix(op)) &&
                                program_.graph.users(op.id).size() == 1;
  }

  // `op` is the only user of a matrix op's result.
  bool IsSoleMatrix(const Op& op) const {
    for (const OpId id : op.operands) {
      if (ClassOf(program_.graph.op(id).kind) == OpClass::kMxu &&
          program_.graph.users(id).size() == 1 && !facts_.is_output[id]) {
        return true;
      }
    }
    return false;
  }

  bool EndsEpilogue(const Op& op) const {
    if (IsSoleMatrix(op)) return true;
    for (const OpId id : op.operands) {
      if (facts_.is_epilogue[id] && !facts_.is_output[id] && program_.graph.users(id).size() == 1) {
        return true;
      }
    }
    return false;
  }

  // A narrow value that several kernels use in f32: it is the narrow one that
  // is written, and each of them widens it.
  bool IsSharedWidening(const Op& op) const {
    if (op.kind != OpKind::kConvert) return false;
    const DType from = program_.graph.operand(op, 0).shape.dtype;
    return BitWidth(from) < BitWidth(op.shape.dtype) && program_.graph.users(op.id).size() > 1;
  }

  // A chain of ops that a value is computed from `sources` by.
  struct Chain {
    std::vector<OpId> sources;
    double work = 0;  // vector instructions
    bool allowed = true;
  };

  void FindSources(const Op& op) {
    if (facts_.is_epilogue[op.id] || facts_.is_output[op.id]) return;
    Chain chain;
    const OpContext context = {program_, chip_};
    const VectorWork own = LoweringTraitsOf(op.kind).work(context, op).vector;
    chain.work = own.alu + own.transcendental;
    for (const OpId id : op.operands) AddSources(id, op, chain);
    if (!chain.allowed) return;
    const bool is_small = facts_.padded[op.id] <= kSmallValue;
    // A mask has fewer registers than what is compared.
    const double registers =
        std::max(context.registers(op), context.registers(context.operand(op, 0)));
    if (!is_small && chain.work > kMaxWork * registers) return;
    const auto small =
        static_cast<size_t>(std::count_if(chain.sources.begin(), chain.sources.end(),
                                          [&](OpId id) { return IsSmallBeside(id, op.id); }));
    if (small > kMaxSmallSources) return;
    const size_t large = chain.sources.size() - small;
    if (large > (is_small ? 0 : kMaxLargeSources)) return;
    work_[op.id] = chain.work;
    facts_.may_repeat[op.id] = true;
    facts_.sources[op.id] = std::move(chain.sources);
  }

  // Statistics that a normalisation spreads over the value's rows or channels.
  bool IsSmallBeside(OpId id, OpId value) const {
    const Bytes own = facts_.padded[value];
    const Bytes read = facts_.padded[id];
    return read <= kSmallValue || kSmallShare * read <= own;
  }

  void AddSources(OpId id, const Op& value, Chain& chain) const {
    if (facts_.is_virtual[id]) {
      const Op& op = program_.graph.op(id);
      if (!op.operands.empty()) AddSources(op.operands[0], value, chain);
      return;
    }
    if (facts_.may_repeat[id]) {
      chain.work += work_[id];
      for (const OpId source : facts_.sources[id]) {
        Add(source, chain.sources);
      }
      return;
    }
    Add(id, chain.sources);
    // Nothing would be saved if a large source were written in the place of the
    // value.
    if (!IsInHbmAnyway(id) && !IsSharedWidening(value) && !IsSmallBeside(id, value.id)) {
      chain.allowed = false;
    }
  }

  static void Add(OpId id, std::vector<OpId>& sources) {
    if (std::find(sources.begin(), sources.end(), id) == sources.end()) {
      sources.push_back(id);
    }
  }

  // Its kernel writes it whatever its users do.
  bool IsInHbmAnyway(OpId id) const {
    const Op& op = program_.graph.op(id);
    switch (ClassOf(op.kind)) {
      case OpClass::kElementwise:
      case OpClass::kMxu:
      case OpClass::kRandom:
        return program_.graph.users(id).size() > 1 || facts_.is_output[id];
      default:
        return true;
    }
  }

  const Program& program_;
  const Chip& chip_;
  RecomputeFacts facts_;
  std::vector<double> work_;  // of recomputing the value, in instructions
};

// Returns whether an opaque op reads the value, as a kernel of the user's own
// is: nothing fuses with it, so its operands are in memory.
bool IsReadFromMemory(const Program& program, const Op& op, const Chip& chip) {
  if (PaddedBytes(op.shape, program.layouts[op.id], chip) <= kSmallValue) return false;
  const auto users = program.graph.users(op.id);
  return std::any_of(users.begin(), users.end(), [&](OpId id) {
    const Op& user = program.graph.op(id);
    if (user.kind == OpKind::kOpaque) return true;
    const bool is_move = user.kind == OpKind::kReshape || user.kind == OpKind::kTranspose;
    return is_move && IsVirtual(program, user, chip) && IsReadFromMemory(program, user, chip);
  });
}

}  // namespace

bool IsVirtual(const Program& program, const Op& op, const Chip& chip) {
  const auto is_virtual = LoweringTraitsOf(op.kind).is_virtual;
  if (is_virtual == nullptr || !is_virtual(program, op, chip)) return false;
  return !LoweringTraitsOf(op.kind).is_made_where_used || !IsReadFromMemory(program, op, chip);
}

RecomputeFacts FindRecomputable(const Program& program, const Chip& chip) {
  return Finder(program, chip).Run();
}

bool ShouldRecompute(const RecomputeFacts& facts, OpId id, int64_t users) {
  if (!facts.may_repeat[id]) return false;
  Bytes read;
  for (const OpId source : facts.sources[id]) {
    read += facts.padded[source];
  }
  const Bytes own = facts.padded[id];
  if (read <= kSmallValue) return true;
  return read * users <= read + own * (1 + users);
}

}  // namespace tilewise
