// Operations between devices.

#include <algorithm>
#include <utility>

#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

using hlo::Instruction;
using hlo::InstructionExtras;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>: one group a row.
void ReadGroups(const Body& body, const Operation& op, InstructionExtras& extras) {
  const Attribute* groups = op.Find("replica_groups");
  if (groups == nullptr || groups->type == kNoType) return;
  const Dims dims = body.file().types[groups->type].shape.dims;
  if (dims.size() != 2 || dims[0] < 1 || dims[1] < 1) return;
  extras.devices->group_count = dims[0];
  extras.devices->group_size = dims[1];
  const auto ids = Integers(*groups, body.file().types);
  if (!ids || static_cast<int64_t>(ids->size()) != dims[0] * dims[1]) return;
  for (int64_t i = 0; i < dims[0]; ++i) {
    const auto begin = ids->begin() + i * dims[1];
    extras.devices->groups.emplace_back(begin, begin + dims[1]);
  }
}

void ReadChannel(const Operation& op, InstructionExtras& extras) {
  if (const Attribute* channel = op.FindAny({"channel_handle"})) {
    const Dims handle = FieldIntegers(channel->text, "handle");
    if (!handle.empty()) extras.channel_id = handle[0];
  } else if (op.FindAny({"channel_id"}) != nullptr) {
    extras.channel_id = IntegerOr(op, {"channel_id"}, 0);
  }
}

}  // namespace

absl::Status LowerCollective(Body& body, const Operation& op) {
  Instruction collective;
  collective.opcode = OpcodeOf(NameOf(op.name));
  if (NameOf(op.name) == "cross-replica-sum") {
    collective.opcode = Opcode::kAllReduce;
  }
  TW_ASSIGN_OR_RETURN(collective.operands, body.Operands(op));
  if (collective.operands.empty()) {
    return body.lowering().Error(op, "expected operands");
  }
  InstructionExtras& extras = collective.Extras();
  ReadGroups(body, op, extras);
  ReadChannel(op, extras);
  const size_t rank = body.shape(collective.operands[0]).dims.size();
  if (collective.opcode == Opcode::kAllGather) {
    collective.dims = {IntegerOr(op, {"all_gather_dim"}, 0)};
  } else if (collective.opcode == Opcode::kReduceScatter) {
    collective.dims = {IntegerOr(op, {"scatter_dimension"}, 0)};
  } else if (collective.opcode == Opcode::kAllToAll) {
    return LowerAllToAll(body, op, std::move(collective));
  }
  TW_RETURN_IF_ERROR(CheckDims(body, op, collective.dims, rank));
  if (!op.regions.empty()) {
    TW_ASSIGN_OR_RETURN(const int32_t join, LowerReducer(body, op, 0));
    collective.called = {join};
  }
  return body.Finish(op, std::move(collective));
}

// XLA's all-to-all splits and joins the same dim: a split dim of its own is
// moved next to the joined one around it.
Instruction JoinedElsewhere(Body& body, const Operation& op, Instruction exchange, int64_t split,
                            int64_t join, int64_t count) {
  const Dims x = body.shape(exchange.operands[0]).dims;
  const DType dtype = body.shape(exchange.operands[0]).dtype;
  // [.., count * part, .., joined, ..]: all-to-all of the parts; then the
  // device that each came from becomes the slow part of the joined dim.
  exchange.dims = {split};
  exchange.shape = ArrayShape(dtype, x);
  const Index exchanged = body.Add(op, std::move(exchange));
  Dims apart;
  Dims order;
  for (size_t i = 0; i < x.size(); ++i) {
    if (static_cast<int64_t>(i) != split) {
      apart.push_back(x[i]);
      continue;
    }
    apart.push_back(count);
    apart.push_back(x[i] / count);
  }
  const auto place = [&](int64_t dim) {  // of a dim of x, in `apart`
    return dim < split ? dim : dim + 1;
  };
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t dim = static_cast<int64_t>(i);
    if (dim == join) order.push_back(split);
    order.push_back(place(dim));
  }
  const Index parted = body.Reshape(op, exchanged, apart);
  Instruction transpose;
  transpose.opcode = Opcode::kTranspose;
  transpose.operands = {parted};
  transpose.dims = order;
  Dims moved;
  for (int64_t dim : order) moved.push_back(apart[dim]);
  transpose.shape = ArrayShape(dtype, moved);
  Instruction result;
  result.opcode = Opcode::kReshape;
  result.operands = {body.Add(op, std::move(transpose))};
  return result;
}

absl::Status LowerAllToAll(Body& body, const Operation& op, Instruction exchange) {
  const Dims x = body.shape(exchange.operands[0]).dims;
  const int64_t split = IntegerOr(op, {"split_dimension"}, 0);
  const int64_t join = IntegerOr(op, {"concat_dimension"}, split);
  const int64_t count = IntegerOr(op, {"split_count"}, 1);
  TW_RETURN_IF_ERROR(CheckDims(body, op, {split, join}, x.size()));
  exchange.dims = {split};
  const bool in_place =
      split == join || exchange.operands.size() != 1 || count < 1 || x[split] % count != 0;
  return body.Finish(op, in_place
                             ? std::move(exchange)
                             : JoinedElsewhere(body, op, std::move(exchange), split, join, count));
}

absl::Status LowerCollectivePermute(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction permute, body.OnOperands(op, OpcodeOf(NameOf(op.name))));
  if (permute.operands.empty()) {
    return body.lowering().Error(op, "expected an operand");
  }
  InstructionExtras& extras = permute.Extras();
  ReadGroups(body, op, extras);
  ReadChannel(op, extras);
  const Dims pairs = IntegersOf(body, op, {"source_target_pairs"});
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    extras.devices->source_target.emplace_back(pairs[i], pairs[i + 1]);
  }
  return body.Finish(op, std::move(permute));
}

}  // namespace tilewise::mlir
