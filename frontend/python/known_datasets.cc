// keras.datasets.X.load_data() and tfds.load("X"): sizes and shapes are facts
// of the named public dataset, so nothing needs to be downloaded to know them.

#include <charconv>

#include <fmt/format.h>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/dataset_evidence.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

struct KnownDataset {
  std::string_view keras, tfds;
  int64_t train = 0, test = 0;
  std::string_view dtype;
  std::vector<int64_t> dims, label_dims;
};

const std::vector<KnownDataset>& KnownDatasets() {
#define TW_DIMS(...) \
  { __VA_ARGS__ }
#define TW_KNOWN_DATASET(keras, tfds, train, test, dtype, dims, label_dims) \
  {keras, tfds, train, test, dtype, TW_DIMS dims, TW_DIMS label_dims},
  static const std::vector<KnownDataset> kDatasets = {
#include "frontend/python/known_datasets.def"
  };
#undef TW_KNOWN_DATASET
#undef TW_DIMS
  return kDatasets;
}

Value ArrayOf(Interpreter& in, std::string_view dtype, int64_t count, std::vector<int64_t> dims) {
  dims.insert(dims.begin(), count);
  return in.MakeArray(std::string(dtype), std::move(dims));
}

std::optional<Value> LoadData(Interpreter& in, const Call& call) {
  std::string_view name = call.name;
  constexpr std::string_view kPrefix = "tensorflow.keras.datasets.";
  constexpr std::string_view kSuffix = ".load_data";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return {};
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  for (const KnownDataset& known : KnownDatasets()) {
    if (known.keras != name || name.empty()) continue;
    const std::string_view label_type = known.dtype == "uint8" ? "uint8" : "int64";
    std::vector<Value> splits;
    for (const int64_t count : {known.train, known.test}) {
      splits.push_back(in.MakeTuple({ArrayOf(in, known.dtype, count, known.dims),
                                     ArrayOf(in, label_type, count, known.label_dims)}));
    }
    return in.MakeTuple(std::move(splits));
  }
  return std::nullopt;
}

// "train[:80%]" -> 0.8 of the training examples; nothing when not understood.
std::optional<int64_t> SplitItems(const KnownDataset& known, std::string_view split) {
  const size_t bracket = split.find('[');
  const std::string_view part = split.substr(0, bracket);
  const int64_t all = part == "train"                          ? known.train
                      : part == "test" || part == "validation" ? known.test
                                                               : 0;
  if (all == 0) return std::nullopt;
  if (bracket == std::string_view::npos) return all;
  std::string_view range = split.substr(bracket + 1);
  const size_t colon = range.find(':');
  if (colon == std::string_view::npos || !range.ends_with(']')) return {};
  range.remove_suffix(1);
  const auto bound = [all](std::string_view text, int64_t missing) {
    if (text.empty()) return missing;
    int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.ends_with('%')) {
      if (number < -100 || number > 100) return missing;
      number = all * number / 100;
    }
    return number < 0 ? all + number : number;
  };
  const int64_t first = bound(range.substr(0, colon), 0);
  const int64_t last = bound(range.substr(colon + 1), all);
  if (first < 0 || last > all || first >= last) return std::nullopt;
  return last - first;
}

Value TfdsElement(Interpreter& in, const KnownDataset* known, bool supervised, Node at) {
  if (known == nullptr) {
    return in.MakeUnknown("the element of the named dataset", at);
  }
  std::vector<int64_t> dims = known->dims;
  if (dims.size() == 2 && dims[0] > 0) dims.push_back(1);  // gray images
  const Value image = in.MakeArray(std::string(known->dtype), dims);
  const Value label = in.MakeArray("int64", {});
  if (supervised) return in.MakeTuple({image, label});
  Dict* dict = in.arena.New(Dict{});
  dict->items.emplace_back(Value{std::string("image")}, image);
  dict->items.emplace_back(Value{std::string("label")}, label);
  return {dict};
}

Value TfdsSplit(Interpreter& in, const Call& call, const KnownDataset* known, const Value& split) {
  const Value* as_supervised = call.arguments.Keyword("as_supervised");
  const bool supervised = as_supervised != nullptr && Truth(*as_supervised).value_or(false);
  Dataset* dataset = NewSource(in, call, StageKind::kNamedDataset);
  dataset->element = TfdsElement(in, known, supervised, call.node);
  dataset->pipeline.stages.front().element = LeavesOf(dataset->element);
  const std::string* text = split.as<std::string>();
  if (known != nullptr && text != nullptr) {
    dataset->pipeline.source_items = SplitItems(*known, *text);
  }
  if (text != nullptr) {
    dataset->pipeline.name = *text;
    dataset->pipeline.role =
        text->starts_with("train") ? PipelineRole::kUnknown : PipelineRole::kEvaluation;
  }
  dataset->pipeline.source_item_bytes = ElementBytes(dataset->element, 0);
  dataset->pipeline.item_bytes = dataset->pipeline.source_item_bytes;
  const Value* batch = call.arguments.Get(2, "batch_size");
  if (batch == nullptr || batch->none()) return {dataset};
  return ImpliedBatch(in, *dataset, call, *batch);
}

// The dataset that tfds.load(name) or tfds.builder(name) names; null: not
// known.
const KnownDataset* FindTfds(const Call& call) {
  const Value* name = call.arguments.Get(0, "name");
  const std::string* text = name == nullptr ? nullptr : name->as<std::string>();
  if (text == nullptr) return nullptr;
  const std::string_view base = std::string_view(*text).substr(0, text->find_first_of(":/"));
  for (const KnownDataset& candidate : KnownDatasets()) {
    if (!base.empty() && candidate.tfds == base) return &candidate;
  }
  return nullptr;
}

// info.splits["train"].num_examples; other members are not known.
Value InfoOf(Interpreter& in, const KnownDataset* known, const Call& call) {
  if (known == nullptr) {
    return in.MakeUnknown("the info object of the named dataset", call.node);
  }
  Dict* splits = in.arena.New(Dict{});
  for (const auto& [name, count] :
       {std::pair("train", known->train), std::pair("test", known->test),
        std::pair("validation", known->test)}) {
    const Value split = in.MakeObject("tensorflow_datasets.SplitInfo", call);
    split.ref<Object>()->attributes["num_examples"] = {count};
    splits->items.emplace_back(Value{std::string(name)}, split);
  }
  const Value info = in.MakeObject("tensorflow_datasets.DatasetInfo", call);
  info.ref<Object>()->attributes["splits"] = {splits};
  return info;
}

Value LoadTfds(Interpreter& in, const Call& call) {
  const KnownDataset* known = FindTfds(call);
  const Value* split = call.arguments.Get(1, "split");
  Value result;
  if (split == nullptr || split->none()) {
    Dict* dict = in.arena.New(Dict{});
    for (const char* part : {"train", "test"}) {
      const Value key{std::string(part)};
      dict->items.emplace_back(key, TfdsSplit(in, call, known, key));
    }
    result = {dict};
  } else if (const std::vector<Value>* parts = Items(*split)) {
    std::vector<Value> datasets;
    for (const Value& part : *parts) {
      datasets.push_back(TfdsSplit(in, call, known, part));
    }
    result = in.MakeList(std::move(datasets));
  } else {
    result = TfdsSplit(in, call, known, *split);
  }
  const Value* info = call.arguments.Keyword("with_info");
  if (info == nullptr || !Truth(*info).value_or(false)) return result;
  return in.MakeTuple({result, InfoOf(in, known, call)});
}

// tfds.builder(name).as_dataset(...) is tfds.load(name, ...).
std::optional<Value> AsDataset(Interpreter& in, const Object& builder, const Call& call) {
  Call load = call;
  load.arguments.positional.clear();
  if (const Value* name = builder.arguments.Get(0, "name")) {
    load.arguments.keyword.emplace_back("name", *name);
  }
  constexpr std::string_view kOrder[] = {"split", "batch_size"};
  for (size_t i = 0; i < call.arguments.positional.size() && i < 2; ++i) {
    load.arguments.keyword.emplace_back(std::string(kOrder[i]), call.arguments.positional[i]);
  }
  return LoadTfds(in, load);
}

}  // namespace

std::optional<Value> CallNamedDatasetMethod(Interpreter& in, const Call& call) {
  const Object* builder = call.self->ref<Object>();
  if (builder == nullptr || builder->path != "tensorflow_datasets.builder") {
    return std::nullopt;
  }
  if (call.name == "as_dataset") return AsDataset(in, *builder, call);
  if (call.name == "download_and_prepare") return Value{None{}};
  return std::nullopt;
}

std::optional<Value> CallKnownDataset(Interpreter& in, const Call& call) {
  if (call.name == "tensorflow_datasets.builder") {
    const Value builder = in.MakeObject(call.name, call);
    builder.ref<Object>()->attributes["info"] = InfoOf(in, FindTfds(call), call);
    return builder;
  }
  if (call.name == "tensorflow_datasets.load") return LoadTfds(in, call);
  return LoadData(in, call);
}

}  // namespace tilewise::python
