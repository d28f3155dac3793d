// Orders that are not for the ops to choose.

#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "hardware/chip.h"
#include "sim/lowering/layout_assignment/layout_classes.h"

namespace tilewise {

// The first of equals.
DimOrder LeastPadded(const Shape& shape, const std::vector<DimOrder>& candidates, const Chip& chip);

// The compact order that a framework holds an array in: logical unless another
// takes fewer bytes.
DimOrder FrameworkOrder(const Shape& shape, const Chip& chip);

// The orders that arguments come in and results go in, where that is not for
// the ops to choose: those that the file of a module states, row-major where it
// states none; else, in a function of arguments alone, the framework's. An array
// that is nearly all padding in rows, as an image of 3 channels, is not held so,
// whatever a file that was written before the compiler ran says.
class GivenOrders {
 public:
  GivenOrders(const Graph& graph, const Chip& chip);

  // Whether any may be given.
  bool any() const { return is_stated_ || gives_results_; }
  // Returns the order of an argument. Matrices of functions are left out: what uses them takes
  // either order.
  const std::optional<DimOrder>& OfArgument(const Op& op) const { return of_argument_[op.id]; }
  std::optional<DimOrder> OfResult(const Shape& shape) const;
  // Returns the order of an argument or result; null where no file states it.
  const DimOrder* Stated(OpId id) const { return stated_[id]; }

 private:
  DimOrder Held(const Shape& shape, const DimOrder& stated) const;

  const Chip& chip_;
  std::vector<std::optional<DimOrder>> of_argument_;  // by op
  std::deque<DimOrder> results_;
  std::vector<const DimOrder*> stated_;  // by op
  bool is_stated_ = false;
  bool gives_results_ = false;
};

}  // namespace tilewise
