// tf.data: sources, methods of datasets, and what they do to an element.

#pragma once

#include <optional>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// tf.data.Dataset.from_tensor_slices(...), TFRecordDataset, tfds.load...
std::optional<Value> CallDatasetSource(Interpreter& in, const Call& call);
// ds.map(...), ds.batch(...), also ds.apply(...).
std::optional<Value> CallDatasetMethod(Interpreter& in, const Call& call);
// tf.data.experimental.map_and_batch and other transformations for apply().
std::optional<Value> CallTransformation(Interpreter& in, const Call& call);
// keras.datasets.X.load_data() and tfds.load with the facts that are known.
std::optional<Value> CallKnownDataset(Interpreter& in, const Call& call);
// tfds.builder("X").as_dataset(...).
std::optional<Value> CallNamedDatasetMethod(Interpreter& in, const Call& call);

// A count as datasets take it; None counts as absent.
Count ToCount(const Value* value);

// What the function given to map() does (calls, randomness, decoding).
MapFunction AnalyzeMapFunction(Interpreter& in, const Value& function);

// Bytes of the element without its first `levels` dims; nothing if not known.
std::optional<Bytes> ElementBytes(const Value& element, int levels);
int64_t DTypeBytes(std::string_view dtype);  // 0: not known

// A new dataset with a source stage, recorded.
Dataset* NewSource(Interpreter& in, const Call& call, StageKind kind);
Value AddStage(Interpreter& in, Dataset& from, Stage stage);
// The dataset method `call.name` on `from`; nothing when there is none.
std::optional<Value> AddMethod(Interpreter& in, Dataset& from, const Call& call);
// ds.apply(transformation): the parts that the transformation stands for.
Value ApplyTransformation(Interpreter& in, Dataset& from, const Call& call);

// The batch stage that a source's own batch_size= stands for.
Value ImpliedBatch(Interpreter& in, Dataset& dataset, const Call& call, const Value& batch);

// The element with the leading dim of every array dropped, or put before it;
// unknown parts stay unknown.
Value DropLeadingDim(Interpreter& in, const Value& value);
Value AddLeadingDim(Interpreter& in, const Value& value, int64_t dim);
// Length of the leading dim of the first array; nothing if not known.
std::optional<int64_t> LeadingDim(const Value& value);

}  // namespace tilewise::python
