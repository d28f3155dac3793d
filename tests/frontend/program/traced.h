// Short forms of calls of a tracer, for tests: a failure ends the test.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/program/tracer.h"

namespace tilewise::program {

inline Value Valid(absl::StatusOr<Value> value) {
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *std::move(value) : Value();
}

class Trace {
 public:
  Tracer& tracer() { return tracer_; }
  Value Input(const std::vector<int64_t>& sizes, DType dtype = DType::kF32,
              std::optional<int64_t> batch_dim = 0) {
    return Valid(tracer_.Input(Shape::Of(dtype, sizes), "x", batch_dim));
  }
  Value Weight(const std::vector<int64_t>& sizes, std::string name = "w", bool trainable = true) {
    return Valid(tracer_.Weight(Shape::Of(DType::kF32, sizes), std::move(name), trainable));
  }
  std::vector<Value> Ops(std::string_view name, std::vector<Value> inputs,
                         const AttributeMap& attrs = {}, int outputs = 1) {
    auto values = tracer_.Op(name, std::move(inputs), attrs, outputs);
    EXPECT_TRUE(values.ok()) << name << ": " << values.status();
    return values.ok() ? *std::move(values) : std::vector<Value>(outputs);
  }
  Value Op(std::string_view name, std::vector<Value> inputs, const AttributeMap& attrs = {}) {
    return Ops(name, std::move(inputs), attrs)[0];
  }
  std::string ShapeOf(const Value& value) const {
    const std::optional<Shape> shape = tracer_.ShapeOf(value);
    return shape ? FormatShape(*shape) : "none";
  }
  TracedStep Finished(const StepRequest& request) const {
    auto step = tracer_.Finish(request);
    EXPECT_TRUE(step.ok()) << step.status();
    return step.ok() ? *std::move(step) : TracedStep();
  }

 private:
  Tracer tracer_{"test"};
};

using Ints = std::vector<int64_t>;

inline std::string Text(std::string_view text) { return std::string(text); }

inline const tilewise::Op* Find(const Graph& graph, OpKind kind) {
  for (const tilewise::Op& op : graph.ops()) {
    if (op.kind == kind) return &op;
  }
  return nullptr;
}

inline int64_t Count(const Graph& graph, OpKind kind) {
  int64_t count = 0;
  for (const tilewise::Op& op : graph.ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

}  // namespace tilewise::program
