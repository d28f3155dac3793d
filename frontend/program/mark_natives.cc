// The part of `_tilewise` that marks what is traced: iterations of scans over layers and what they
// pass on, data that a program makes up for a benchmark.

#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

using py::Arguments;
using py::Interpreter;
using py::Taken;
using PyValue = py::Value;

// iteration_begin(first): what follows is of an iteration, up to iteration_end().
PyValue IterationBegin(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  TraceOf(in).tracer.BeginIteration(in.Truth(taken[0]).value_or(false));
  return py::None();
}
PyValue IterationEnd(Interpreter& in, Arguments&) {
  TraceOf(in).tracer.EndLoop();
  return py::None();
}
const Tensor* TensorIn(const PyValue& value) {
  return value.is_object() ? dynamic_cast<const Tensor*>(value.object) : nullptr;
}
// of_weight(tensor) -> whether it is a weight, maybe in another type or order.
PyValue OfWeight(Interpreter& in, Arguments& arguments) {
  const Tensor* tensor = TensorIn(Taken(in, arguments)[0]);
  return PyValue(tensor != nullptr && TraceOf(in).tracer.IsOfWeight(tensor->value));
}
// loop_row(tensor, dim, index) -> the row of it that is this iteration's, without that dim; None
// when one of them is not known.
PyValue LoopRow(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Tensor* whole = TensorIn(taken[0]);
  const Tensor* index = TensorIn(taken[2]);
  const std::optional<int64_t> dim = py::AsInt(taken[1]);
  if (whole == nullptr || index == nullptr || !dim) return py::None();
  absl::StatusOr<Value> row = TraceOf(in).tracer.RowOf(whole->value, *dim, index->value);
  if (!row.ok()) return py::None();
  const std::optional<Shape> shape = TraceOf(in).tracer.ShapeOf(*row);
  return in.New<Tensor>(*row, shape.value_or(Shape()));
}
// loop_carry(tensors): what the body of the innermost loop leaves for its next iteration.
PyValue LoopCarry(Interpreter& in, Arguments& arguments) {
  std::vector<Value> next;
  for (const PyValue& value : in.Items(Taken(in, arguments)[0])) {
    const Tensor* tensor = TensorIn(value);
    next.push_back(tensor == nullptr ? Value() : tensor->value);
  }
  TraceOf(in).tracer.Carry(next);
  return py::None();
}
// take_as_input(tensor) -> whether it was made up of random numbers and counters; it is an input
// of the step then, with the examples in dim 0.
PyValue TakeAsInput(Interpreter& in, Arguments& arguments) {
  const Tensor* tensor = TensorIn(Taken(in, arguments)[0]);
  return PyValue(tensor != nullptr && TraceOf(in).tracer.TakeAsInput(tensor->value));
}
// take_buffer(tensor) -> whether it is computed of many inputs; it is an input of the step then.
PyValue TakeBuffer(Interpreter& in, Arguments& arguments) {
  const Tensor* tensor = TensorIn(Taken(in, arguments)[0]);
  return PyValue(tensor != nullptr && TraceOf(in).tracer.TakeBuffer(tensor->value));
}

}  // namespace

void DefineMarks(Interpreter& in, py::Module& module) {
  const std::pair<const char*, py::NativeFunction> kFunctions[] = {
      {"iteration_begin", IterationBegin},
      {"iteration_end", IterationEnd},
      {"of_weight", OfWeight},
      {"loop_row", LoopRow},
      {"loop_carry", LoopCarry},
      {"take_as_input", TakeAsInput},
      {"take_buffer", TakeBuffer},
  };
  for (const auto& [name, function] : kFunctions) in.Define(module, name, function);
}

}  // namespace tilewise::program
