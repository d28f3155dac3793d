// How much work a computation is, to tell the branches of a conditional apart.

#pragma once

#include <map>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

class BranchWork {
 public:
  explicit BranchWork(const Module& module) : module_(module) {}

  // Multiply-adds of its matmuls and elements that it makes, calls included. A
  // rough figure for comparison only. Each computation is looked at once.
  double Of(const Computation& computation) { return Count(computation, 0); }

 private:
  double Count(const Computation& computation, int depth);
  double Called(const Instruction& instruction, int depth);

  const Module& module_;
  std::map<const Computation*, double> known_;  // never iterated
};

}  // namespace tilewise::hlo
