// Methods of datasets: each adds a stage to a copy of the chain.

#include "frontend/python/dataset_calls.h"

#include "frontend/python/dataset_methods.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {

Count ToCount(const Value* value) {
  if (value == nullptr || value->none()) return {};
  if (const std::optional<int64_t> number = AsInt(*value)) {
    if (*number == -1) return {Count::Kind::kAutotune, -1};
    return {Count::Kind::kValue, *number};
  }
  const Path* path = value->as<Path>();
  if (path != nullptr && LastPart(path->name) == "AUTOTUNE") {
    return {Count::Kind::kAutotune, -1};
  }
  // Floats that are whole stand for counts in practice: steps = n / batch.
  const double* real = value->as<double>();
  if (real != nullptr && *real >= 0 && *real < 1e15) {
    return {Count::Kind::kValue, static_cast<int64_t>(*real)};
  }
  return {Count::Kind::kUnresolved, 0};
}

Value AddStage(Interpreter& in, Dataset& from, Stage stage) {
  Dataset* dataset = in.arena.New(from);
  in.Charge(Interpreter::kStageUnits * static_cast<int64_t>(from.pipeline.stages.size()));
  dataset->from = &from;
  dataset->continued = 0;
  dataset->reported = !in.in_dataset_function;
  // What derives from an evaluation split stays one; training is decided anew.
  if (dataset->pipeline.role == PipelineRole::kTraining) {
    dataset->pipeline.role = PipelineRole::kUnknown;
  }
  ++from.continued;
  dataset->pipeline.stages.push_back(std::move(stage));
  in.datasets.push_back(dataset);
  return {dataset};
}

std::optional<Value> AddMethod(Interpreter& in, Dataset& from, const Call& call) {
  const DatasetMethod* method = FindDatasetMethod(call.name);
  if (method == nullptr) return std::nullopt;
  const Stage stage = StageOf(in, *method, call);
  const Value result = AddStage(in, from, stage);
  Dataset& dataset = *result.ref<Dataset>();
  NoteAmount(in, *method, call, stage);
  ApplyStage(in, stage, call, dataset);
  dataset.pipeline.item_bytes = ElementBytes(dataset.element, dataset.batch_levels);
  return result;
}

namespace {

// A dataset whose source is out of sight, such as a parameter: recognized by
// the customary names and by a method that only datasets have.
Dataset* UnseenDataset(Interpreter& in, const Call& call) {
  if (call.self->unknown() == nullptr || !call.chained) return nullptr;
  const Node object = call.node.field("function").field("object");
  const std::string_view name = object.text();
  const bool named =
      name == "ds" || name == "dataset" || name.ends_with("_ds") || name.ends_with("_dataset");
  const bool method = FindDatasetMethod(call.name) != nullptr;
  if (!object.is("identifier") || !named || !method) return nullptr;
  Call source = call;
  source.node = object;
  source.location = object.location();
  source.text = std::string(name);
  Dataset* dataset = NewSource(in, source, StageKind::kUnknownSource);
  dataset->element = *call.self;
  dataset->pipeline.name = std::string(name);
  return dataset;
}

}  // namespace

std::optional<Value> CallDatasetMethod(Interpreter& in, const Call& call) {
  Dataset* from = call.self->ref<Dataset>();
  if (from == nullptr) from = UnseenDataset(in, call);
  if (from == nullptr) return std::nullopt;
  if (call.name == "apply" && !call.arguments.positional.empty()) {
    return ApplyTransformation(in, *from, call);
  }
  if (auto result = AddMethod(in, *from, call)) return result;
  if (call.name == "as_numpy_iterator" || call.name == "__iter__" ||
      call.name == "make_one_shot_iterator" || call.name == "make_initializable_iterator") {
    return *call.self;
  }
  if (call.name == "get_next" || call.name == "next") return from->element;
  if (call.name == "cardinality" && from->pipeline.source_items.has_value() &&
      from->batch_levels == 0) {
    return Value{*from->pipeline.source_items};
  }
  return std::nullopt;
}

}  // namespace tilewise::python
