// ds.apply(...): a function of the script is followed; the deprecated fused
// transformations become the parts they stand for, without edit spans.

#include <array>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/dataset_evidence.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

Call PartOf(const Call& apply, const Object& object, std::string name) {
  Call part = apply;
  part.name = std::move(name);
  part.location = object.location;
  part.chained = false;
  part.arguments = {};
  return part;
}

void Pass(const Value* value, std::string name, Call& to) {
  if (value != nullptr) to.arguments.keyword.emplace_back(std::move(name), *value);
}

// What map_and_batch does in parallel: a batch, or as many as it names.
Value CallsAtOnce(const Arguments& given) {
  if (const Value* calls = given.Get(4, "num_parallel_calls")) {
    if (!calls->none()) return *calls;
  }
  const Value* batch = given.Get(1, "batch_size");
  const Value* batches = given.Get(2, "num_parallel_batches");
  const auto size = batch == nullptr ? std::nullopt : AsInt(*batch);
  const auto number = batches == nullptr ? std::nullopt : AsInt(*batches);
  if (!size) return {Path{"tensorflow.data.AUTOTUNE"}};
  int64_t calls = *size;
  if (number && __builtin_mul_overflow(*size, *number, &calls)) calls = *size;
  return {calls};
}

Value MapAndBatch(Interpreter& in, Dataset& from, const Call& apply, const Object& object) {
  const Arguments& given = object.arguments;
  Call map = PartOf(apply, object, "map");
  Pass(given.Get(0, "map_func"), "map_func", map);
  const Value calls = CallsAtOnce(given);
  Pass(&calls, "num_parallel_calls", map);
  const Value mapped = AddMethod(in, from, map).value_or(Value{&from});
  Call batch = PartOf(apply, object, "batch");
  Pass(given.Get(1, "batch_size"), "batch_size", batch);
  Pass(given.Get(3, "drop_remainder"), "drop_remainder", batch);
  return AddMethod(in, *mapped.ref<Dataset>(), batch).value_or(mapped);
}

Value ShuffleAndRepeat(Interpreter& in, Dataset& from, const Call& apply, const Object& object) {
  const Arguments& given = object.arguments;
  Call shuffle = PartOf(apply, object, "shuffle");
  Pass(given.Get(0, "buffer_size"), "buffer_size", shuffle);
  const Value shuffled = AddMethod(in, from, shuffle).value_or(Value{&from});
  Call repeat = PartOf(apply, object, "repeat");
  Pass(given.Get(1, "count"), "count", repeat);
  return AddMethod(in, *shuffled.ref<Dataset>(), repeat).value_or(shuffled);
}

// Always parallel: cycle_length files at a time.
Value ParallelInterleave(Interpreter& in, Dataset& from, const Call& apply, const Object& object) {
  const Arguments& given = object.arguments;
  Call part = PartOf(apply, object, "interleave");
  Pass(given.Get(0, "map_func"), "map_func", part);
  Pass(given.Get(1, "cycle_length"), "cycle_length", part);
  Pass(given.Get(1, "cycle_length"), "num_parallel_calls", part);
  Pass(given.Get(2, "block_length"), "block_length", part);
  if (const Value* sloppy = given.Get(3, "sloppy")) {
    const auto loose = Truth(*sloppy);
    if (loose) part.arguments.keyword.emplace_back("deterministic", !*loose);
  }
  return AddMethod(in, from, part).value_or(Value{&from});
}

// The fused transformations of earlier versions and their parameters in order.
struct Legacy {
  std::string_view name;
  Value (*apply)(Interpreter&, Dataset&, const Call&, const Object&);
  std::array<std::string_view, 5> parameters;
};
constexpr Legacy kLegacy[] = {
    {"map_and_batch",
     MapAndBatch,
     {"map_func", "batch_size", "num_parallel_batches", "drop_remainder", "num_parallel_calls"}},
    {"shuffle_and_repeat", ShuffleAndRepeat, {"buffer_size", "count", "seed"}},
    {"parallel_interleave",
     ParallelInterleave,
     {"map_func", "cycle_length", "block_length", "sloppy", "buffer_output_elements"}},
};

// The stages that were added after `first` came from one call.
void MarkLegacy(const Legacy& legacy, const Call& apply, const Object& object, size_t first,
                Pipeline& pipeline) {
  for (size_t i = first; i < pipeline.stages.size(); ++i) {
    pipeline.stages[i].legacy = object.path;
    pipeline.stages[i].written.clear();
  }
  if (first >= pipeline.stages.size()) return;
  const Node callee = apply.node.field("function");
  const Node given = apply.argument_node(0, "transformation_func");
  if (!apply.chained || !callee.is("attribute") || !given.is("call")) return;
  Call inner = apply;
  inner.node = given;
  std::vector<WrittenArgument>& written = pipeline.stages[first].written;
  written = WrittenArguments(inner, legacy.parameters);
  written.push_back({"apply", callee.span(callee.token(".").begin(), apply.node.end())});
}

}  // namespace

Value ApplyTransformation(Interpreter& in, Dataset& from, const Call& call) {
  const Value& transformation = call.arguments.positional[0];
  const Object* object = transformation.ref<Object>();
  if (object == nullptr) {
    Call inner = call;
    inner.self = nullptr;
    inner.arguments = {{Value{&from}}, {}};
    const Value result = in.CallValue(transformation, std::move(inner));
    if (result.ref<Dataset>() != nullptr) return result;
    return AddMethod(in, from, call).value_or(Value{&from});
  }
  const std::string name(LastPart(object->path));
  for (const Legacy& legacy : kLegacy) {
    if (legacy.name != name) continue;
    const Value made = legacy.apply(in, from, call, *object);
    if (Dataset* dataset = made.ref<Dataset>()) {
      MarkLegacy(legacy, call, *object, from.pipeline.stages.size(), dataset->pipeline);
    }
    return made;
  }
  if (name == "batch_and_drop_remainder") {
    Call part = PartOf(call, *object, "batch");
    Pass(object->arguments.Get(0, "batch_size"), "batch_size", part);
    part.arguments.keyword.emplace_back("drop_remainder", Value{true});
    return AddMethod(in, from, part).value_or(Value{&from});
  }
  Call part = PartOf(call, *object, name);
  part.arguments = object->arguments;
  if (auto result = AddMethod(in, from, part)) return *result;
  return AddMethod(in, from, call).value_or(Value{&from});
}

std::optional<Value> CallTransformation(Interpreter& in, const Call& call) {
  const bool below = Under(call.name, "tensorflow.data.experimental") ||
                     Under(call.name, "tensorflow.contrib.data");
  if (below || call.name == "tensorflow.data.Options") {
    return in.MakeObject(call.name, call);
  }
  return std::nullopt;
}

}  // namespace tilewise::python
