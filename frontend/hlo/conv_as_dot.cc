// Convolutions that are dots. Compilers write a dot's batch dims as spatial
// dims whose dilation and stride meet each element once, summed dims as windows
// over all of the dim, and dims of the right side as reversed windows over
// padding.

#include <algorithm>

#include "frontend/hlo/products.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

enum class Role : uint8_t { kNone, kBatch, kSum, kLeft, kRight };

Role RoleOf(const HloWindowDim& w, int64_t lhs, int64_t out) {
  const bool unpadded = w.pad_low == 0 && w.pad_high == 0;
  if (w.size == lhs && w.size == out && unpadded && w.size > 1 && w.base_dilation == w.size &&
      w.stride == w.size - 1 && w.window_dilation == 1 && !w.reversal) {
    return Role::kBatch;
  }
  if (w.stride != 1 || w.base_dilation != 1 || w.window_dilation != 1) {
    return Role::kNone;
  }
  if (w.size == 1 && unpadded) return Role::kLeft;
  if (w.size == lhs && out == 1 && unpadded && !w.reversal) return Role::kSum;
  if (lhs == 1 && w.size == out && w.pad_low == w.size - 1 && w.pad_high == w.size - 1 &&
      w.reversal) {
    return Role::kRight;
  }
  return Role::kNone;
}

// Operands with the dims of groups apart, and the output dim that each of their
// dims becomes: -1 for none.
struct Sides {
  OpId lhs = kNoOp, rhs = kNoOp;
  std::vector<int64_t> lhs_out, rhs_out;
  DotDims dot;
};

// Splits `dim` of x into [parts, rest]; later dims move up by one.
OpId SplitDim(GraphBuilder& e, OpId x, int64_t dim, int64_t parts) {
  std::vector<Dim> dims = e.shape(x).dims;
  Dim& whole = dims[dim];
  if (parts < 1 || whole.factor % parts != 0) {
    e.Fail("found groups that do not divide their dim");
    return kNoOp;
  }
  whole.factor /= parts;
  dims.insert(dims.begin() + dim, Dim{parts, false});
  return e.Reshape(x, std::move(dims));
}

void ShiftFrom(std::vector<int64_t>& dims, int64_t from) {
  for (int64_t& dim : dims) dim += dim >= from ? 1 : 0;
}

// What the dot's result dims are in the output: the batch dims, then what is
// left of each side. -2: the groups, which are the major part of the feature.
std::vector<int64_t> ResultDims(const Sides& s) {
  std::vector<int64_t> result;
  for (const int64_t dim : s.dot.lhs_batch) {
    result.push_back(s.lhs_out[dim]);
  }
  const auto append_free = [&](const std::vector<int64_t>& out, const std::vector<int64_t>& batch,
                               const std::vector<int64_t>& contract) {
    for (size_t i = 0; i < out.size(); ++i) {
      const auto dim = static_cast<int64_t>(i);
      if (std::find(batch.begin(), batch.end(), dim) != batch.end()) continue;
      if (std::find(contract.begin(), contract.end(), dim) != contract.end()) {
        continue;
      }
      result.push_back(out[i]);
    }
  };
  append_free(s.lhs_out, s.dot.lhs_batch, s.dot.lhs_contract);
  append_free(s.rhs_out, s.dot.rhs_batch, s.dot.rhs_contract);
  return result;
}

// The result in the order of the output: dims that are in no output dim are of
// size 1 and go, the groups come just before the feature and join it.
OpId Arranged(GraphBuilder& e, OpId x, const std::vector<int64_t>& result, const Site& site) {
  if (x == kNoOp) return x;
  std::vector<std::pair<int64_t, int64_t>> order;  // output position, dim of x
  std::vector<Dim> kept;
  const int64_t feature = site.more().conv->output_feature;
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] == -1) continue;
    const int64_t place = result[i] == -2 ? 2 * feature : 2 * result[i] + 1;
    order.emplace_back(place, static_cast<int64_t>(kept.size()));
    kept.push_back(e.shape(x).dims[i]);
  }
  x = e.Reshape(x, std::move(kept));
  std::sort(order.begin(), order.end());
  std::vector<int64_t> permutation;
  permutation.reserve(order.size());
  for (const auto& [place, dim] : order) permutation.push_back(dim);
  x = e.Transpose(x, std::move(permutation));
  if (x == kNoOp) return x;
  std::vector<Dim> dims = GraphDims(site.shape);
  const size_t batch = site.more().conv->output_batch;
  // The output's batch is the only dim that may depend on that of the operands.
  for (const Dim& dim : e.shape(x).dims) {
    if (dim.per_batch && batch < dims.size()) dims[batch] = dim;
  }
  return e.Reshape(x, std::move(dims));
}

// Takes the groups out of the features (or the batch) and the outputs, as a
// batch dim of the dot.
void SplitGroups(GraphBuilder& e, const Site& site, Sides& s, int64_t& lhs_feature,
                 int64_t& rhs_in) {
  const InstructionExtras& more = site.more();
  const int64_t groups = std::max(more.feature_groups, more.batch_groups);
  if (groups <= 1) return;
  const int64_t lhs_dim =
      more.feature_groups > 1 ? more.conv->input_feature : more.conv->input_batch;
  const int64_t rhs_dim = more.conv->kernel_out;
  s.lhs = SplitDim(e, s.lhs, lhs_dim, groups);
  s.rhs = SplitDim(e, s.rhs, rhs_dim, groups);
  s.lhs_out.insert(s.lhs_out.begin() + lhs_dim, -2);
  s.rhs_out.insert(s.rhs_out.begin() + rhs_dim, -2);
  for (std::vector<int64_t>* side : {&s.dot.lhs_batch, &s.dot.lhs_contract}) {
    ShiftFrom(*side, lhs_dim);
  }
  for (std::vector<int64_t>* side : {&s.dot.rhs_batch, &s.dot.rhs_contract}) {
    ShiftFrom(*side, rhs_dim);
  }
  lhs_feature += lhs_feature >= lhs_dim ? 1 : 0;
  rhs_in += rhs_in >= rhs_dim ? 1 : 0;
  s.dot.lhs_batch.push_back(lhs_dim);
  s.dot.rhs_batch.push_back(rhs_dim);
}

// The roles of the spatial dims; empty when one has none.
std::vector<Role> Roles(const Site& site, const Shape& lhs) {
  const InstructionExtras& more = site.more();
  std::vector<Role> roles;
  roles.reserve(more.window.size());
  for (size_t i = 0; i < more.window.size(); ++i) {
    const Dim in = lhs.dims[more.conv->input_spatial[i]];
    const int64_t out = site.shape.dims[more.conv->output_spatial[i]];
    roles.push_back(in.per_batch ? Role::kNone : RoleOf(more.window[i], in.factor, out));
  }
  return roles;
}

}  // namespace

OpId ConvolutionAsDot(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const InstructionExtras& more = site.more();
  const ConvDims& conv = more.conv;
  const std::vector<Role> roles = Roles(site, e.shape(site.operand(0)));
  const auto has = [&](Role role) {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
  };
  // Windows of one element are what convolutions often have too.
  const bool is_dot = roles.empty() || has(Role::kBatch) || has(Role::kRight) || has(Role::kSum);
  if (!is_dot || has(Role::kNone)) return kNoOp;
  Sides s;
  s.lhs = site.operand(0);
  s.rhs = site.operand(1);
  s.lhs_out.assign(e.shape(s.lhs).dims.size(), -1);
  s.rhs_out.assign(e.shape(s.rhs).dims.size(), -1);
  s.lhs_out[conv.input_batch] = conv.output_batch;
  s.rhs_out[conv.kernel_out] = conv.output_feature;
  for (size_t i = 0; i < roles.size(); ++i) {
    const int64_t left = conv.input_spatial[i];
    const int64_t right = conv.kernel_spatial[i];
    if (roles[i] == Role::kBatch) {
      s.dot.lhs_batch.push_back(left);
      s.dot.rhs_batch.push_back(right);
    } else if (roles[i] == Role::kSum) {
      s.dot.lhs_contract.push_back(left);
      s.dot.rhs_contract.push_back(right);
    }
    if (roles[i] == Role::kBatch || roles[i] == Role::kLeft) {
      s.lhs_out[left] = conv.output_spatial[i];
    } else if (roles[i] == Role::kRight) {
      s.rhs_out[right] = conv.output_spatial[i];
    }
  }
  int64_t lhs_feature = conv.input_feature;
  int64_t rhs_in = conv.kernel_in;
  SplitGroups(e, site, s, lhs_feature, rhs_in);
  s.dot.lhs_contract.push_back(lhs_feature);
  s.dot.rhs_contract.push_back(rhs_in);
  const std::vector<int64_t> result = ResultDims(s);
  const OpId made = EmitDot(e, s.lhs, s.rhs, s.dot, site.shape.dtype, PrecisionPasses(more));
  return Arranged(e, made, result, site);
}

}  // namespace tilewise::hlo
