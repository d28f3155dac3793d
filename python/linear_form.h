// Sums of names that are not known, each times a number: i * 32 + 5.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "python/node.h"

namespace tilewise::py {

class LinearForm {
 public:
  using Evaluate = std::function<Value(const Node&)>;
  // The form of an expression, whose names and attributes `evaluate` gives; no form where it is no
  // such sum.
  static LinearForm Of(const Node* expression, const Evaluate& evaluate);
  // The number by which it is more than the other; nothing where that is not known.
  std::optional<int64_t> Minus(const LinearForm& other) const;

 private:
  void Add(const LinearForm& other, int64_t times);
  bool constant() const { return known_ && times_.empty(); }

  bool known_ = false;
  int64_t sum_ = 0;
  std::map<Symbol, int64_t> times_;  // no entry is 0
};

}  // namespace tilewise::py
