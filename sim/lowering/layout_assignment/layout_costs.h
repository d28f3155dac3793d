// What a dim order costs the ops that make and use a value, in HBM bytes.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/units.h"
#include "graph/graph.h"
#include "hardware/chip.h"
#include "sim/lowering/layout_assignment/layout_classes.h"

namespace tilewise {

// Batch size shared by most convolutions, the smaller one of equals; 0 without
// convolutions. From 64 on batch goes to the lanes (tpu-lowering 2.1).
// `counts` by op: how many ops of the step it stands for.
int64_t MostCommonConvBatch(const Graph& graph, const std::vector<double>& counts);
inline constexpr int64_t kBatchInLanesFrom = 64;

// Whether `user` can read its operand number `index` in `order` without a
// copy.
bool AcceptsOperand(const Op& user, size_t index, const DimOrder& order);
// Whether `op` can write its result in `order`.
bool AcceptsResult(const Graph& graph, const Op& op, const DimOrder& order);

struct LayoutCosts {
  const Graph& graph;
  const Chip& chip;
  const std::vector<double>& counts;  // by op: ops of the step it stands for
  bool batch_in_lanes = false;

  // Returns the cost of holding the value of `op` in `order`, where it takes
  // `padded` bytes, unless it stays within a kernel, and of every use of it,
  // reshapes and transposes excepted. Never negative.
  double Of(const Op& op, const DimOrder& order, Bytes padded) const;
  // Returns the cost of a kernel that brings a value into another order and
  // moves so many bytes for it, and takes what any kernel takes.
  double OfCopy(double moved) const;

 private:
  using Acceptance = std::function<bool(const DimOrder&)>;
  // Returns the cost of a copy between an order in which a value takes so many
  // bytes and the best that is accepted, which is then moved by the op itself.
  double OfDetour(const Shape& shape, double bytes, const Acceptance& accepts) const;
  bool IsWithinKernel(const Op& op) const;
  double OfUse(const Op& user, size_t index, const DimOrder& order, double bytes) const;
  // A small preference for the order that the batch-64 rule names.
  double OfConvRule(const Op& conv, const DimOrder& order, double bytes) const;
};

}  // namespace tilewise
