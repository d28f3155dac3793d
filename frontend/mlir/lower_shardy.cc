// Shardy's collectives, which lead from one sharding of a value to another. The
// shapes in the text are those of all devices: an operation takes the part that
// a device has, runs a collective on that, and stands for the whole again. What
// a device only cuts off from or adds up later to what it has (all_slice,
// sharded_to_unreduced, replicated_to_unreduced) goes between no devices and is
// not here; nor is reshard, whose collectives the partitioner chooses.

#include <algorithm>
#include <utility>

#include "base/math.h"
#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/sharding.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// How an operation divides its operand and its result among the devices.
struct Divided {
  Dims before, after;  // parts of each dim
  std::vector<AxisList> lists;
  int64_t mesh = 1;  // devices
};

const Attribute* AxesOf(const Operation& op) {
  return op.FindAny(
      {"ranges", "braces", "gathering_axes", "reduction_axes", "reduce_scatter_axes", "params"});
}

// Makes `devices` times as many parts of `dim`, or as many fewer.
bool Rescale(Dims& parts, int64_t dim, int64_t devices, bool finer) {
  if (dim < 0 || dim >= static_cast<int64_t>(parts.size())) return false;
  int64_t& count = parts[dim];
  if (!finer && count % devices != 0) return false;
  count = finer ? CheckedMul(count, devices).value_or(0) : count / devices;
  return count > 0;
}

// False: the text does not say.
bool ReadDivision(Body& body, const Operation& op, size_t rank, Divided& divided) {
  const Attribute* out = op.Find("out_sharding");
  if (out == nullptr) return false;
  const ModuleLowering& lowering = body.lowering();
  const auto axes = AxesOfSharding(lowering, out->text);
  divided.after = SdySharding(lowering, out->text).tiles;
  if (axes.empty() || divided.after.size() < rank) return false;
  divided.after.resize(rank);
  divided.before = divided.after;
  for (const auto& [name, size] : axes) {
    divided.mesh = CheckedMul(divided.mesh, size).value_or(divided.mesh);
  }
  if (const Attribute* lists = AxesOf(op)) {
    divided.lists = ReadAxisLists(lists->text, axes);
  }
  const std::string_view name = NameOf(op.name);
  const bool gathers = name == "all_gather";
  for (size_t i = 0; i < divided.lists.size(); ++i) {
    const auto& [devices, numbers] = divided.lists[i];
    if (gathers || name == "reduce_scatter") {
      if (!Rescale(divided.before, static_cast<int64_t>(i), devices, gathers)) {
        return false;
      }
    } else if (name == "all_to_all") {
      if (numbers.size() != 2 || !Rescale(divided.before, numbers[0], devices, true) ||
          !Rescale(divided.before, numbers[1], devices, false)) {
        return false;
      }
    }
  }
  return true;
}

// x cut or filled up to `dims`.
Index Fitted(Body& body, const Operation& op, Index x, const Dims& dims) {
  const DType dtype = body.shape(x).dtype;
  Dims common = body.shape(x).dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    common[i] = std::min(common[i], dims[i]);
  }
  const Index cut = ChangeShards(body, op, x, ArrayShape(dtype, common), /*to_shard=*/true);
  return ChangeShards(body, op, cut, ArrayShape(dtype, dims), false);
}

// The part that a device has before, so large that all its parts are alike.
Index PartOf(Body& body, const Operation& op, Index x, const Divided& divided) {
  Dims dims = body.shape(x).dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t before = divided.before[i];
    const int64_t finest = std::max(before, divided.after[i]);
    dims[i] = CeilDiv(dims[i], finest) * (finest / before);
  }
  return Fitted(body, op, x, dims);
}

// One collective of `devices` along `dim`, whose size changes by `factor`.
Index Exchange(Body& body, const Operation& op, Opcode opcode, Index x, int64_t dim,
               int64_t devices) {
  Instruction exchange;
  exchange.opcode = opcode;
  exchange.operands = {x};
  exchange.shape = body.shape(x);
  exchange.Extras().devices->group_size = devices;
  if (opcode == Opcode::kAllGather || opcode == Opcode::kReduceScatter) {
    exchange.dims = {dim};
    int64_t& size = exchange.shape.dims[dim];
    size = opcode == Opcode::kAllGather ? size * devices : size / devices;
  }
  return body.Add(op, std::move(exchange));
}

Index AlongDims(Body& body, const Operation& op, Opcode opcode, Index x, const Divided& divided) {
  for (size_t i = 0; i < divided.lists.size(); ++i) {
    const int64_t devices = divided.lists[i].devices;
    if (devices == 1) continue;
    x = Exchange(body, op, opcode, x, static_cast<int64_t>(i), devices);
  }
  return x;
}

// Parts of one dim become parts of another.
Index BetweenDims(Body& body, const Operation& op, Index x, const Divided& divided) {
  for (const auto& [devices, dims] : divided.lists) {
    if (devices == 1) continue;
    HloShape shape = body.shape(x);
    shape.dims[dims[0]] *= devices;
    shape.dims[dims[1]] /= devices;
    Instruction exchange;
    exchange.opcode = Opcode::kAllToAll;
    exchange.operands = {x};
    exchange.Extras().devices->group_size = devices;
    Instruction joined = JoinedElsewhere(body, op, std::move(exchange), dims[1], dims[0], devices);
    joined.shape = std::move(shape);
    x = body.Add(op, std::move(joined));
  }
  return x;
}

}  // namespace

absl::Status LowerShardyCollective(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const HloShape whole = body.shape(x);
  Divided divided;
  if (whole.kind != HloShape::Kind::kArray || HasOpenDims(whole) ||
      !ReadDivision(body, op, whole.dims.size(), divided)) {
    return LowerIdentity(body, op);
  }
  Index part = PartOf(body, op, x, divided);
  const std::string_view name = NameOf(op.name);
  if (name == "all_gather") {
    part = AlongDims(body, op, Opcode::kAllGather, part, divided);
  } else if (name == "reduce_scatter") {
    part = AlongDims(body, op, Opcode::kReduceScatter, part, divided);
  } else if (name == "all_to_all") {
    part = BetweenDims(body, op, part, divided);
  } else if (name == "all_reduce") {
    const int64_t devices = divided.lists.empty() ? 1 : divided.lists[0].devices;
    part = Exchange(body, op, Opcode::kAllReduce, part, 0, devices);
  } else {
    part = Exchange(body, op, Opcode::kCollectivePermute, part, 0, divided.mesh);
  }
  return body.Alias(op, Fitted(body, op, part, whole.dims));
}

}  // namespace tilewise::mlir
