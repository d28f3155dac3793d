// See record_facts.h. A sharding counts for the array that it stands at: of an
// annotation that is the array that goes through it.

#include "frontend/hlo/record_facts.h"

#include <algorithm>

#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

std::string_view LastPart(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// A loop that stands for a scatter: the framework's name for it says so.
bool IsScatterLoop(const Instruction& instruction) {
  return instruction.opcode == Opcode::kWhile &&
         LastPart(instruction.metadata.op_name).starts_with("scatter");
}

bool HasDynamicDims(const HloShape& shape) {
  if (shape.kind == HloShape::Kind::kTuple) {
    return std::any_of(shape.elements.begin(), shape.elements.end(), HasDynamicDims);
  }
  return !shape.dynamic.empty();
}

// Whether a size of the result is data here for the first time.
bool MakesDataSize(const Site& site) {
  if (site.more().data_sized) return true;
  const Opcode opcode = site.instruction.opcode;
  if (opcode == Opcode::kSetDimensionSize) {
    return site.instruction.operands.size() > 1 && site.producer(1).opcode != Opcode::kConstant;
  }
  if (opcode == Opcode::kCustomCall || !site.instruction.called.empty() ||
      site.instruction.operands.empty() || !HasDynamicDims(site.shape)) {
    return false;
  }
  for (size_t i = 0; i < site.instruction.operands.size(); ++i) {
    if (HasDynamicDims(site.producer(i).shape)) return false;
  }
  return true;
}

std::string_view NameOf(const Instruction& instruction) {
  if (!instruction.more().custom_call_target.empty()) {
    return instruction.more().custom_call_target;
  }
  return OpcodeName(instruction.opcode);
}

void RecordSharding(const Sharding& sharding, const Shape& shape, OpId op, ModuleFacts& facts) {
  if (sharding.kind != Sharding::Kind::kReplicated && sharding.kind != Sharding::Kind::kTiled) {
    return;
  }
  ArraySharding array;
  array.tiles.assign(shape.dims.size(), 1);
  if (sharding.kind == Sharding::Kind::kTiled) {
    if (sharding.tiles.size() < shape.dims.size()) return;
    for (size_t i = 0; i < array.tiles.size(); ++i) {
      array.tiles[i] = std::max<int64_t>(1, sharding.tiles[i]);
    }
  }
  facts.shardings.try_emplace(op, std::move(array));
}

SourceOp SourceOpOf(const Translation& t, const Site& site, OpTrait trait, OpId first, OpId end) {
  SourceOp op;
  op.trait = trait;
  op.kind = NameOf(site.instruction);
  op.location = t.Place(site.instruction);
  op.reads_device = true;
  op.first = first;
  op.end = end;
  return op;
}

bool IsCollective(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kReduceScatter:
    case Opcode::kAllToAll:
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return true;
    default:
      return false;
  }
}

}  // namespace

void RecordFacts(Translation& t, const Site& site, OpId first, const Value& value,
                 ModuleFacts& facts) {
  const Instruction& instruction = site.instruction;
  const OpId end(t.emit().size());
  if (instruction.opcode == Opcode::kConstant && value.is_op() &&
      t.emit().op(value.op()).kind == OpKind::kVariable) {
    facts.constants.push_back({value.op(), kNoOp});
  }
  if (instruction.opcode == Opcode::kScatter || instruction.opcode == Opcode::kGather) {
    const IndexFlags flags = {site.more().unique_indices, site.more().sorted_indices};
    for (OpId op = first; op < end; ++op) {
      if (ClassOf(t.emit().op(op).kind) == OpClass::kIndex) {
        facts.index_flags[op] = flags;
      }
    }
  }
  if (instruction.name.find(".remat") != std::string_view::npos) {
    for (OpId op = first; op < end; ++op) facts.recomputed.push_back(op);
  }
  if (IsScatterLoop(instruction)) {
    facts.ops.push_back(SourceOpOf(t, site, OpTrait::kScatterLoop, first, end));
  }
  if (MakesDataSize(site)) {
    facts.ops.push_back(SourceOpOf(t, site, OpTrait::kDataDependentShape, first, end));
  }
  if (instruction.extras && value.is_op()) {
    RecordSharding(instruction.extras->sharding, t.emit().shape(value.op()), value.op(), facts);
  }
}

void RecordArgument(const Instruction& parameter, const HloShape& shape, OpId op,
                    ModuleFacts& facts) {
  for (size_t i = 1; i < shape.dims.size(); ++i) {
    if (shape.dims[i] >= 0 && !shape.dynamic[i]) continue;
    UnknownDim unknown;
    unknown.op = op;
    unknown.dim = static_cast<int64_t>(i);
    unknown.taken = std::max<int64_t>(0, shape.dims[i]);
    unknown.bounded = shape.dynamic[i];
    facts.unknown_dims.push_back(unknown);
  }
  if (parameter.shape.kind == HloShape::Kind::kArray) {
    RecordSharding(parameter.more().sharding, GraphShape(shape), op, facts);
  }
}

void CloseFacts(const Module& module, ModuleFacts& facts) {
  facts.partitions = std::max<int64_t>(1, module.num_partitions);
  facts.states_aliases = true;
  bool partitioned = module.is_scheduled || HasTiledLayouts(module);
  for (const Computation& computation : module.computations) {
    partitioned =
        partitioned || std::any_of(computation.instructions.begin(), computation.instructions.end(),
                                   [](const Instruction& i) { return IsCollective(i.opcode); });
  }
  if (partitioned) facts.shardings.clear();
}

}  // namespace tilewise::hlo
