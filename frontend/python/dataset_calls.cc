// Methods of datasets: each adds a stage to a copy of the chain. The place of
// a stage is its method's name; its `call` span runs from the dot before that
// name to the closing parenthesis (line breaks and blanks before the dot stay
// outside).

#include "frontend/python/dataset_calls.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

// A method and the order of its arguments. `amount` is the argument that
// becomes Stage::amount.
struct DatasetMethod {
  std::string_view name;
  StageKind kind;
  std::string_view amount;
  std::array<std::string_view, 5> arguments;
};

constexpr DatasetMethod kMethods[] = {
    {"map",
     StageKind::kMap,
     "",
     {"map_func", "num_parallel_calls", "deterministic"}},
    {"filter", StageKind::kFilter, "", {"predicate"}},
    {"flat_map", StageKind::kFlatMap, "", {"map_func"}},
    {"interleave",
     StageKind::kInterleave,
     "cycle_length",
     {"map_func", "cycle_length", "block_length", "num_parallel_calls",
      "deterministic"}},
    {"batch",
     StageKind::kBatch,
     "batch_size",
     {"batch_size", "drop_remainder", "num_parallel_calls", "deterministic"}},
    {"padded_batch",
     StageKind::kPaddedBatch,
     "batch_size",
     {"batch_size", "padded_shapes", "padding_values", "drop_remainder"}},
    {"unbatch", StageKind::kUnbatch, "", {}},
    {"shuffle",
     StageKind::kShuffle,
     "buffer_size",
     {"buffer_size", "seed", "reshuffle_each_iteration"}},
    {"repeat", StageKind::kRepeat, "count", {"count"}},
    {"cache", StageKind::kCache, "", {"filename"}},
    {"prefetch", StageKind::kPrefetch, "buffer_size", {"buffer_size"}},
    {"take", StageKind::kTake, "count", {"count"}},
    {"skip", StageKind::kSkip, "count", {"count"}},
    {"shard", StageKind::kShard, "num_shards", {"num_shards", "index"}},
    {"enumerate", StageKind::kEnumerate, "", {"start"}},
    {"with_options", StageKind::kWithOptions, "", {"options"}},
    {"concatenate", StageKind::kOther, "", {"dataset"}},
    {"window", StageKind::kOther, "", {"size", "shift", "stride"}},
    {"scan", StageKind::kOther, "", {"initial_state", "scan_func"}},
    {"take_while", StageKind::kOther, "", {"predicate"}},
    {"unique", StageKind::kOther, "", {}},
    {"rebatch", StageKind::kOther, "", {"batch_size", "drop_remainder"}},
    {"ragged_batch",
     StageKind::kBatch,
     "batch_size",
     {"batch_size", "drop_remainder"}},
    {"snapshot", StageKind::kOther, "", {"path"}},
    {"ignore_errors", StageKind::kOther, "", {}},
    {"apply", StageKind::kOther, "", {"transformation_func"}},
    {"bucket_by_sequence_length", StageKind::kOther, "", {}},
    {"group_by_window", StageKind::kOther, "", {}},
    {"prefetch_to_device",
     StageKind::kPrefetch,
     "buffer_size",
     {"device", "buffer_size"}},
};

const Value* ArgumentOf(const DatasetMethod& method, const Arguments& arguments,
                        std::string_view name) {
  for (size_t i = 0; i < method.arguments.size(); ++i) {
    if (method.arguments[i] == name) return arguments.Get(i, name);
  }
  return nullptr;
}

std::optional<bool> FlagOf(const Value* value) {
  return value == nullptr || value->none() ? std::nullopt : Truth(*value);
}

Stage StageOf(Interpreter& in, const DatasetMethod& method, const Call& call) {
  const Arguments& arguments = call.arguments;
  Stage stage;
  stage.kind = method.kind;
  stage.text = std::string(method.name);
  stage.location = call.location;
  const auto argument = [&](std::string_view name) {
    return ArgumentOf(method, arguments, name);
  };
  if (!method.amount.empty()) {
    stage.amount = ToCount(argument(method.amount));
    // repeat(-1) and take(-1) mean all, as without an argument.
    const bool all = stage.kind == StageKind::kRepeat;
    if (all && stage.amount.kind == Count::Kind::kAutotune) stage.amount = {};
  }
  stage.parallel_calls = ToCount(argument("num_parallel_calls"));
  stage.drop_remainder = FlagOf(argument("drop_remainder"));
  stage.deterministic = FlagOf(argument("deterministic"));
  stage.reshuffles =
      FlagOf(argument("reshuffle_each_iteration")).value_or(true);
  const Value* file = argument("filename");
  stage.cache_to_file = file != nullptr && Truth(*file).value_or(true);
  if (method.arguments[0] == "map_func" || method.kind == StageKind::kFilter) {
    if (const Value* function = argument(method.arguments[0])) {
      stage.function = AnalyzeMapFunction(in, *function);
    }
  }
  const Node callee = call.node.field("function");
  const Node list = call.node.field("arguments");
  if (call.chained && callee.is("attribute") && list.is("argument_list")) {
    stage.call = callee.span(callee.token(".").begin(), call.node.end());
    stage.arguments = list.span(list.begin() + 1, list.end() - 1);
  }
  return stage;
}

void NoteAmount(Interpreter& in, const DatasetMethod& method, const Call& call,
                const Stage& stage) {
  if (stage.amount.kind != Count::Kind::kUnresolved) return;
  size_t position = 0;
  while (method.arguments[position] != method.amount) ++position;
  const Value* value = call.arguments.Get(position, method.amount);
  const bool batch =
      stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch;
  if (value == nullptr) return;
  in.NoteUnknown(fmt::format("{} of {}()", method.amount, method.name), *value,
                 call.argument_node(position, method.amount),
                 batch ? "give the batch size with --batch"
                       : "what depends on it is not checked");
}

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
void MapElement(Interpreter& in, const Value& function, Dataset& dataset,
                Node at) {
  const std::optional<Bytes> before =
      ElementBytes(dataset.element, dataset.batch_levels);
  dataset.element =
      in.CallInDataset(function, ElementArguments(dataset.element), at);
  const std::optional<Bytes> after =
      ElementBytes(dataset.element, dataset.batch_levels);
  if (before.has_value() && after.has_value() && before->value > 0) {
    dataset.pipeline.stages.back().function.growth =
        static_cast<double>(after->value) / static_cast<double>(before->value);
  }
}

// Elements per item when a count of elements is turned into items.
std::optional<int64_t> BatchFactor(const Dataset& dataset) {
  int64_t factor = 1;
  for (const Stage& stage : dataset.pipeline.stages) {
    if (stage.kind != StageKind::kBatch &&
        stage.kind != StageKind::kPaddedBatch)
      continue;
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
  const bool known =
      factor.has_value() && stage.amount.kind == Count::Kind::kValue &&
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

void ApplyToElement(Interpreter& in, const Stage& stage, const Call& call,
                    Dataset& dataset) {
  const Value* first =
      call.arguments.positional.empty()
          ? (call.arguments.keyword.empty() ? nullptr
                                            : &call.arguments.keyword[0].second)
          : &call.arguments.positional[0];
  if (const Value* named = call.arguments.Keyword("map_func")) first = named;
  switch (stage.kind) {
    case StageKind::kMap:
      if (first != nullptr) MapElement(in, *first, dataset, call.node);
      break;
    case StageKind::kFlatMap:
    case StageKind::kInterleave: {
      if (first == nullptr) break;
      const Value inner = in.CallInDataset(
          *first, ElementArguments(dataset.element), call.node);
      const Dataset* made = inner.ref<Dataset>();
      dataset.element = made != nullptr
                            ? made->element
                            : in.MakeUnknown("what it yields", call.node);
      dataset.pipeline.source_items.reset();
      break;
    }
    case StageKind::kFilter:
      dataset.pipeline.source_items.reset();
      break;
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      dataset.element = AddLeadingDim(
          in, dataset.element,
          stage.amount.kind == Count::Kind::kValue ? stage.amount.value : -1);
      ++dataset.batch_levels;
      break;
    case StageKind::kUnbatch:
      dataset.element = DropLeadingDim(in, dataset.element);
      dataset.batch_levels = std::max(0, dataset.batch_levels - 1);
      break;
    case StageKind::kEnumerate:
      dataset.element =
          in.MakeTuple({in.MakeArray("int64", {}), dataset.element});
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

// Options that switch the runtime's own rewrites off.
bool DisablesRewrites(const Value* value) {
  const Object* options = value == nullptr ? nullptr : value->ref<Object>();
  if (options == nullptr) return false;
  for (const char* group : {"experimental_optimization"}) {
    const auto held = options->attributes.find(group);
    if (held == options->attributes.end()) continue;
    const Object* object = held->second.ref<Object>();
    if (object == nullptr) continue;
    for (const char* name :
         {"apply_default_optimizations", "map_and_batch_fusion", "autotune"}) {
      const auto flag = object->attributes.find(name);
      if (flag != object->attributes.end() &&
          !Truth(flag->second).value_or(true)) {
        return true;
      }
    }
  }
  return false;
}

void Concatenate(const Value* other, Dataset& dataset) {
  Dataset* second = other == nullptr ? nullptr : other->ref<Dataset>();
  std::optional<int64_t>& items = dataset.pipeline.source_items;
  const bool known = second != nullptr && items.has_value() &&
                     second->pipeline.source_items.has_value();
  items = known
              ? std::optional<int64_t>(*items + *second->pipeline.source_items)
              : std::nullopt;
  if (second != nullptr) ++second->continued;
}

}  // namespace

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
  in.Charge(static_cast<int64_t>(from.pipeline.stages.size()));
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

std::optional<Value> AddMethod(Interpreter& in, Dataset& from,
                               const Call& call) {
  for (const DatasetMethod& method : kMethods) {
    if (method.name != call.name) continue;
    const Stage stage = StageOf(in, method, call);
    const Value result = AddStage(in, from, stage);
    Dataset& dataset = *result.ref<Dataset>();
    NoteAmount(in, method, call, stage);
    ApplyToElement(in, stage, call, dataset);
    const Value* first = call.arguments.positional.empty()
                             ? nullptr
                             : &call.arguments.positional[0];
    if (method.name == "concatenate") Concatenate(first, dataset);
    if (method.kind == StageKind::kWithOptions && DisablesRewrites(first)) {
      dataset.pipeline.rewrites_disabled = true;
    }
    dataset.pipeline.item_bytes =
        ElementBytes(dataset.element, dataset.batch_levels);
    return result;
  }
  return std::nullopt;
}

namespace {

// A dataset whose source is out of sight, such as a parameter: recognized by
// the customary names and by a method that only datasets have.
Dataset* UnseenDataset(Interpreter& in, const Call& call) {
  if (call.self->unknown() == nullptr || !call.chained) return nullptr;
  const Node object = call.node.field("function").field("object");
  const std::string_view name = object.text();
  const bool named = name == "ds" || name == "dataset" ||
                     name.ends_with("_ds") || name.ends_with("_dataset");
  const bool method =
      std::any_of(std::begin(kMethods), std::end(kMethods),
                  [&](const DatasetMethod& m) { return m.name == call.name; });
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
      call.name == "make_one_shot_iterator" ||
      call.name == "make_initializable_iterator") {
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
