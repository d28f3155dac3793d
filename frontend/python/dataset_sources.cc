// Where datasets begin: arrays, generators, files, named public datasets.

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/dataset_calls.h"
#include "frontend/python/dataset_evidence.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr std::pair<std::string_view, StageKind> kSources[] = {
    {"tensorflow.data.Dataset.from_tensor_slices", StageKind::kFromTensorSlices},
    {"tensorflow.data.Dataset.from_tensors", StageKind::kFromTensorSlices},
    {"tensorflow.data.Dataset.from_generator", StageKind::kFromGenerator},
    {"tensorflow.data.Dataset.range", StageKind::kRange},
    {"tensorflow.data.Dataset.random", StageKind::kRange},
    {"tensorflow.data.Dataset.list_files", StageKind::kListFiles},
    {"tensorflow.data.TFRecordDataset", StageKind::kRecordFiles},
    {"tensorflow.data.TextLineDataset", StageKind::kRecordFiles},
    {"tensorflow.data.FixedLengthRecordDataset", StageKind::kRecordFiles},
    {"tensorflow.data.experimental.make_csv_dataset", StageKind::kRecordFiles},
    {"tensorflow.data.experimental.CsvDataset", StageKind::kRecordFiles},
    {"tensorflow.data.Dataset.load", StageKind::kRecordFiles},
    {"tensorflow.data.experimental.load", StageKind::kRecordFiles},
};

constexpr std::string_view kDirectoryReaders[] = {
    "image_dataset_from_directory",
    "text_dataset_from_directory",
    "audio_dataset_from_directory",
    "timeseries_dataset_from_array",
};

const Value* FirstArgument(const Call& call) {
  if (!call.arguments.positional.empty()) return &call.arguments.positional[0];
  for (const char* name : {"filenames", "file_pattern"}) {
    if (const Value* value = call.arguments.Keyword(name)) return value;
  }
  return nullptr;
}

void FillSourceElement(Interpreter& in, const Call& call, Dataset& dataset) {
  const Value unknown = in.MakeUnknown("what the source yields", call.node);
  const Value* data = call.arguments.Get(0, "tensors");
  dataset.element = unknown;
  if (call.name.ends_with(".from_tensor_slices") && data != nullptr) {
    dataset.element = DropLeadingDim(in, *data);
    dataset.pipeline.source_items = LeadingDim(*data);
  } else if (call.name.ends_with(".from_tensors") && data != nullptr) {
    dataset.element = *data;
    dataset.pipeline.source_items = 1;
  } else if (call.name.ends_with("Dataset.range")) {
    dataset.element = in.MakeArray("int64", {});
    std::vector<int64_t> bounds;
    for (const Value& value : call.arguments.positional) {
      if (const auto bound = AsInt(value)) bounds.push_back(*bound);
    }
    Range range;
    if (bounds.size() == 1) range = {0, bounds[0], 1};
    if (bounds.size() >= 2) range = {bounds[0], bounds[1], 1};
    if (bounds.size() >= 3) range.step = bounds[2];
    const bool known = !bounds.empty() && bounds.size() == call.arguments.positional.size();
    if (known) dataset.pipeline.source_items = range.size();
  } else if (call.name.ends_with(".from_generator")) {
    // output_signature=(tf.TensorSpec(...), ...) has become arrays.
    const Value* signature = call.arguments.Keyword("output_signature");
    const Value* types = call.arguments.Get(1, "output_types");
    const Path* type = types == nullptr ? nullptr : types->as<Path>();
    if (signature != nullptr) {
      dataset.element = *signature;
    } else if (type != nullptr && LastPart(type->name) == "string") {
      dataset.element = in.MakeArray("string", {});  // names, mostly
    }
  }
}

// Batched by the reader itself: its batch_size is a stage of its own.
Value DirectoryReader(Interpreter& in, const Call& call) {
  Dataset* dataset = NewSource(in, call, StageKind::kNamedDataset);
  dataset->element = in.MakeUnknown("what the directory holds", call.node);
  if (call.name.ends_with("image_dataset_from_directory")) {
    std::vector<int64_t> dims = {256, 256, 3};
    if (const Value* size = call.arguments.Keyword("image_size")) {
      const std::vector<Value>* items = Items(*size);
      for (size_t i = 0; i < 2; ++i) {
        dims[i] = items != nullptr && items->size() == 2 ? AsInt((*items)[i]).value_or(-1) : -1;
      }
    }
    dataset->element = in.MakeTuple({in.MakeArray("float32", dims), in.MakeArray("int32", {})});
  }
  dataset->pipeline.source_item_bytes = ElementBytes(dataset->element, 0);
  dataset->pipeline.item_bytes = dataset->pipeline.source_item_bytes;
  dataset->pipeline.stages.front().element = LeavesOf(dataset->element);
  const Value* batch = call.arguments.Keyword("batch_size");
  if (batch != nullptr && batch->none()) return {dataset};
  return ImpliedBatch(in, *dataset, call, batch == nullptr ? Value{int64_t{32}} : *batch);
}

// zip: the transformations of all inputs run for each element, so they follow
// the zip as stages of one chain.
Value Zip(Interpreter& in, const Call& call) {
  std::vector<Value> inputs = call.arguments.positional;
  if (inputs.size() == 1 && Items(inputs[0]) != nullptr) {
    inputs = *Items(inputs[0]);
  }
  Dataset* dataset = NewSource(in, call, StageKind::kZip);
  std::vector<Value> elements;
  for (const Value& input : inputs) {
    Dataset* part = input.ref<Dataset>();
    if (part == nullptr) {
      elements.push_back(in.MakeUnknown("an input of zip", call.node));
      continue;
    }
    ++part->continued;
    elements.push_back(part->element);
    dataset->batch_levels = part->batch_levels;
    for (const Stage& stage : part->pipeline.stages) {
      if (!IsSource(stage.kind)) dataset->pipeline.stages.push_back(stage);
    }
    in.Charge(Interpreter::kStageUnits * static_cast<int64_t>(part->pipeline.stages.size()));
    const std::optional<int64_t> items = part->pipeline.source_items;
    std::optional<int64_t>& all = dataset->pipeline.source_items;
    if (items.has_value()) all = std::min(all.value_or(*items), *items);
  }
  dataset->element = in.MakeTuple(std::move(elements));
  dataset->pipeline.item_bytes = ElementBytes(dataset->element, dataset->batch_levels);
  dataset->pipeline.source_item_bytes = dataset->pipeline.item_bytes;
  return {dataset};
}

// The files that a pattern means are not known, but where they lie is: an open
// list with the pattern in it.
std::optional<Value> CallFileGlob(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  const bool glob = (last == "glob" || last == "Glob") &&
                    (Under(call.name, "tensorflow") || call.name == "glob.glob");
  const Value* pattern = glob ? FirstArgument(call) : nullptr;
  if (pattern == nullptr) return std::nullopt;
  std::vector<Value> patterns = {*pattern};
  if (const std::vector<Value>* items = Items(*pattern)) patterns = *items;
  const Value files = in.MakeList(std::move(patterns));
  if (List* list = files.ref<List>()) list->open = true;
  return files;
}

}  // namespace

Dataset* NewSource(Interpreter& in, const Call& call, StageKind kind) {
  Dataset* dataset = in.arena.New(Dataset{});
  Stage stage;
  stage.kind = kind;
  stage.text = call.text;
  stage.location = call.location;
  const Node list = call.node.field("arguments");
  if (list.is("argument_list")) {
    stage.arguments = list.span(list.begin() + 1, list.end() - 1);
  }
  stage.parallel_calls = ToCount(call.arguments.Keyword("num_parallel_reads"));
  stage.written = WrittenArguments(call, {});
  dataset->pipeline.name = in.frames.back().function;
  dataset->pipeline.location = call.location;
  dataset->pipeline.stages.push_back(stage);
  dataset->reported = !in.in_dataset_function;
  in.datasets.push_back(dataset);
  return dataset;
}

Value ImpliedBatch(Interpreter& in, Dataset& dataset, const Call& call, const Value& batch) {
  Call part = call;
  part.name = "batch";
  part.chained = false;
  part.arguments = {{}, {{"batch_size", batch}}};
  return AddMethod(in, dataset, part).value_or(Value{&dataset});
}

std::optional<Value> CallDatasetSource(Interpreter& in, const Call& call) {
  if (auto files = CallFileGlob(in, call)) return files;
  if (call.name == "tensorflow.data.Dataset.zip") return Zip(in, call);
  if (call.name == "tensorflow.TensorSpec") {
    const Value* shape = call.arguments.Get(0, "shape");
    const Value* dtype = call.arguments.Get(1, "dtype");
    std::vector<int64_t> dims;
    if (shape != nullptr && Items(*shape) != nullptr) {
      for (const Value& dim : *Items(*shape)) {
        dims.push_back(AsInt(dim).value_or(-1));
      }
    }
    return in.MakeArray(dtype == nullptr ? "float32" : DTypeOf(*dtype), dims);
  }
  if (auto decoded = CallDecoding(in, call)) return decoded;
  for (const std::string_view reader : kDirectoryReaders) {
    if (LastPart(call.name) == reader && Under(call.name, "tensorflow.keras")) {
      return DirectoryReader(in, call);
    }
  }
  for (const auto& [name, kind] : kSources) {
    if (call.name != name) continue;
    Dataset* dataset = NewSource(in, call, kind);
    FillSourceElement(in, call, *dataset);
    Stage& source = dataset->pipeline.stages.front();
    if (kind == StageKind::kRecordFiles || kind == StageKind::kListFiles ||
        kind == StageKind::kFromTensorSlices) {
      ReadPaths(FirstArgument(call), call.argument_node(0, "filenames"), source);
    }
    source.element = LeavesOf(dataset->element);
    dataset->pipeline.source_item_bytes = ElementBytes(dataset->element, 0);
    dataset->pipeline.item_bytes = dataset->pipeline.source_item_bytes;
    return Value{dataset};
  }
  return std::nullopt;
}

}  // namespace tilewise::python
