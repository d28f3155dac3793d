// ds.apply(...): a function of the script is followed; the deprecated fused
// transformations become the parts they stand for, without edit spans.

#include "frontend/python/dataset_calls.h"
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
  if (value != nullptr)
    to.arguments.keyword.emplace_back(std::move(name), *value);
}

Value MapAndBatch(Interpreter& in, Dataset& from, const Call& apply,
                  const Object& object) {
  const Arguments& given = object.arguments;
  Call map = PartOf(apply, object, "map");
  Pass(given.Get(0, "map_func"), "map_func", map);
  const Value* calls = given.Get(4, "num_parallel_calls");
  if (calls == nullptr) calls = given.Get(2, "num_parallel_batches");
  Pass(calls, "num_parallel_calls", map);
  const Value mapped = AddMethod(in, from, map).value_or(Value{&from});
  Call batch = PartOf(apply, object, "batch");
  Pass(given.Get(1, "batch_size"), "batch_size", batch);
  Pass(given.Get(3, "drop_remainder"), "drop_remainder", batch);
  return AddMethod(in, *mapped.ref<Dataset>(), batch).value_or(mapped);
}

Value ShuffleAndRepeat(Interpreter& in, Dataset& from, const Call& apply,
                       const Object& object) {
  const Arguments& given = object.arguments;
  Call shuffle = PartOf(apply, object, "shuffle");
  Pass(given.Get(0, "buffer_size"), "buffer_size", shuffle);
  const Value shuffled = AddMethod(in, from, shuffle).value_or(Value{&from});
  Call repeat = PartOf(apply, object, "repeat");
  Pass(given.Get(1, "count"), "count", repeat);
  return AddMethod(in, *shuffled.ref<Dataset>(), repeat).value_or(shuffled);
}

// Always parallel: cycle_length files at a time.
Value ParallelInterleave(Interpreter& in, Dataset& from, const Call& apply,
                         const Object& object) {
  const Arguments& given = object.arguments;
  Call part = PartOf(apply, object, "interleave");
  Pass(given.Get(0, "map_func"), "map_func", part);
  Pass(given.Get(1, "cycle_length"), "cycle_length", part);
  Pass(given.Get(1, "cycle_length"), "num_parallel_calls", part);
  return AddMethod(in, from, part).value_or(Value{&from});
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
  if (name == "map_and_batch") return MapAndBatch(in, from, call, *object);
  if (name == "shuffle_and_repeat") {
    return ShuffleAndRepeat(in, from, call, *object);
  }
  if (name == "parallel_interleave") {
    return ParallelInterleave(in, from, call, *object);
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
