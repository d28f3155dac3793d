// Computations written out where they are called.

#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

const Computation* Translation::Callee(const Site& site, size_t i) {
  const std::vector<int32_t>& called = site.instruction.called;
  if (i >= called.size()) {
    emit_.Fail(fmt::format("found {} called computations, expected {}", called.size(), i + 1));
    return nullptr;
  }
  return &module_.computations[called[i]];
}

Value Translation::Inline(const Computation& callee, std::vector<Value> arguments) {
  const Instruction* caller = current_;
  if (compilation_ && fused_ == 0) RecordFree();
  Value result = RunComputation(callee, arguments);
  if (!fatal_.ok()) return {};
  current_ = caller;
  Begin(caller->name, Place(*caller));
  return result;
}

Value Translation::InlineFused(const Computation& callee, std::vector<Value> arguments) {
  ++fused_;
  Value result = Inline(callee, std::move(arguments));
  --fused_;
  return result;
}

Value Translation::InlineMapped(const Computation& callee, std::vector<Value> arguments,
                                const std::vector<int64_t>& dims) {
  const std::vector<int64_t>* outer = std::exchange(mapped_, &dims);
  Value result = InlineFused(callee, std::move(arguments));
  mapped_ = outer;
  return result;
}

}  // namespace tilewise::hlo
