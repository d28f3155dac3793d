// What each stage does to the structure, the shapes and the number of a
// dataset's elements.

#include <algorithm>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/dataset_evidence.h"
#include "frontend/python/dataset_methods.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

Arguments ElementArguments(const Value& element) {
  Arguments arguments;
  const List* list = element.ref<List>();
  if (list != nullptr && list->tuple) {
    arguments.positional = list->items;
  } else {
    arguments.positional.push_back(element);
  }
  return arguments;
}

// What map's function makes of the element, and its growth in bytes.
void MapElement(Interpreter& in, const Value& function, Dataset& dataset, Node at) {
  const std::optional<Bytes> before = ElementBytes(dataset.element, dataset.batch_levels);
  dataset.element = in.CallInDataset(function, ElementArguments(dataset.element), at);
  const std::optional<Bytes> after = ElementBytes(dataset.element, dataset.batch_levels);
  if (before.has_value() && after.has_value() && before->value > 0) {
    dataset.pipeline.stages.back().function.growth =
        static_cast<double>(after->value) / static_cast<double>(before->value);
  }
}

// Elements per item when a count of elements is turned into items.
std::optional<int64_t> BatchFactor(const Dataset& dataset) {
  int64_t factor = 1;
  for (const Stage& stage : dataset.pipeline.stages) {
    if (stage.kind != StageKind::kBatch && stage.kind != StageKind::kPaddedBatch) continue;
    if (stage.amount.kind != Count::Kind::kValue || stage.amount.value <= 0 ||
        stage.amount.value > (1 << 24)) {
      return std::nullopt;
    }
    factor *= stage.amount.value;
    if (factor > (int64_t{1} << 36)) return std::nullopt;
  }
  return factor;
}

void LimitItems(Dataset& dataset, const Stage& stage) {
  std::optional<int64_t>& items = dataset.pipeline.source_items;
  const std::optional<int64_t> factor = BatchFactor(dataset);
  const bool known = factor.has_value() && stage.amount.kind == Count::Kind::kValue &&
                     stage.amount.value > 0 && stage.amount.value < (int64_t{1} << 24);
  if (stage.kind == StageKind::kShard) {
    if (items.has_value() && known) items = *items / stage.amount.value;
    if (!known) items.reset();
    return;
  }
  if (!known) {
    items.reset();
    return;
  }
  const int64_t count = *factor * stage.amount.value;
  if (stage.kind == StageKind::kTake) {
    items = std::min(items.value_or(count), count);
  } else if (items.has_value()) {
    items = std::max<int64_t>(0, *items - count);
  }
}

// What the function of flat_map or interleave opens: a dataset that it makes,
// or the class of one, as in interleave(tf.data.TFRecordDataset).
void NoteInner(const Value& function, const Dataset* made, Stage& stage) {
  if (made != nullptr) {
    const Stage& source = made->pipeline.stages.front();
    stage.inner_source = source.kind;
    stage.inner_parallel_reads = source.parallel_calls;
    return;
  }
  const Path* path = function.as<Path>();
  const bool reads = path != nullptr && path->name.ends_with("RecordDataset");
  if (reads) stage.inner_source = StageKind::kRecordFiles;
}

// The items of a list of names that an interleave opens are files.
void NoteFiles(Pipeline& pipeline) {
  Stage& source = pipeline.stages.front();
  const bool opens = pipeline.stages.back().inner_source == StageKind::kRecordFiles;
  if (opens && source.kind == StageKind::kFromTensorSlices && !source.files) {
    source.files = pipeline.source_items;
  }
}

void ApplyToElement(Interpreter& in, const Stage& stage, const Call& call, Dataset& dataset) {
  const Value* first =
      call.arguments.positional.empty()
          ? (call.arguments.keyword.empty() ? nullptr : &call.arguments.keyword[0].second)
          : &call.arguments.positional[0];
  if (const Value* named = call.arguments.Keyword("map_func")) first = named;
  switch (stage.kind) {
    case StageKind::kMap:
      if (first != nullptr) MapElement(in, *first, dataset, call.node);
      break;
    case StageKind::kFlatMap:
    case StageKind::kInterleave: {
      if (first == nullptr) break;
      const Value inner = in.CallInDataset(*first, ElementArguments(dataset.element), call.node);
      const Dataset* made = inner.ref<Dataset>();
      NoteInner(*first, made, dataset.pipeline.stages.back());
      NoteFiles(dataset.pipeline);
      dataset.element =
          made != nullptr ? made->element : in.MakeUnknown("what it yields", call.node);
      dataset.pipeline.source_items.reset();
      break;
    }
    case StageKind::kFilter:
      dataset.pipeline.source_items.reset();
      break;
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      dataset.element = AddLeadingDim(
          in, dataset.element, stage.amount.kind == Count::Kind::kValue ? stage.amount.value : -1);
      ++dataset.batch_levels;
      break;
    case StageKind::kUnbatch:
      dataset.element = DropLeadingDim(in, dataset.element);
      dataset.batch_levels = std::max(0, dataset.batch_levels - 1);
      break;
    case StageKind::kEnumerate:
      dataset.element = in.MakeTuple({in.MakeArray("int64", {}), dataset.element});
      break;
    case StageKind::kTake:
    case StageKind::kSkip:
    case StageKind::kShard:
      LimitItems(dataset, stage);
      break;
    case StageKind::kOther:
      if (stage.text != "concatenate" && stage.text != "snapshot") {
        dataset.element = in.MakeUnknown("what it yields", call.node);
        dataset.pipeline.source_items.reset();
      }
      break;
    default:
      break;
  }
}

void Concatenate(const Value* other, Dataset& dataset) {
  Dataset* second = other == nullptr ? nullptr : other->ref<Dataset>();
  std::optional<int64_t>& items = dataset.pipeline.source_items;
  const bool known =
      second != nullptr && items.has_value() && second->pipeline.source_items.has_value();
  items = known ? std::optional<int64_t>(*items + *second->pipeline.source_items) : std::nullopt;
  if (second != nullptr) ++second->continued;
}

}  // namespace

void ApplyStage(Interpreter& in, const Stage& stage, const Call& call, Dataset& dataset) {
  ApplyToElement(in, stage, call, dataset);
  const Value* first = call.arguments.positional.empty() ? nullptr : &call.arguments.positional[0];
  if (stage.text == "concatenate") Concatenate(first, dataset);
  if (stage.kind == StageKind::kWithOptions) {
    ApplyOptions(call.arguments.Get(0, "options"), dataset.pipeline);
  }
  dataset.pipeline.stages.back().element = LeavesOf(dataset.element);
}

}  // namespace tilewise::python
