// Reading arguments, paths, elements and options of datasets.

#include "frontend/python/dataset_evidence.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr size_t kMaxLeaves = 1000;
constexpr size_t kMaxPaths = 64;
constexpr int kMaxEvidenceNesting = 8;

bool AddLeaves(const Value& element, int nesting, std::vector<Leaf>& leaves) {
  if (nesting > kMaxEvidenceNesting || leaves.size() > kMaxLeaves) return false;
  if (const Array* array = element.ref<Array>()) {
    leaves.push_back({array->dtype, array->dims});
    return true;
  }
  // What TensorFlow makes of constants.
  if (element.as<bool>() != nullptr) {
    leaves.push_back({"bool", {}});
    return true;
  }
  if (element.as<int64_t>() != nullptr || element.as<double>() != nullptr) {
    leaves.push_back({element.as<double>() != nullptr ? "float32" : "int32", {}});
    return true;
  }
  if (const std::vector<Value>* items = Items(element)) {
    return std::ranges::all_of(
        *items, [&](const Value& item) { return AddLeaves(item, nesting + 1, leaves); });
  }
  const Dict* dict = element.ref<Dict>();
  if (dict == nullptr) return false;
  return std::ranges::all_of(
      dict->items, [&](const auto& item) { return AddLeaves(item.second, nesting + 1, leaves); });
}

std::string TextOfOption(const Value& value) {
  if (const bool* flag = value.as<bool>()) return *flag ? "True" : "False";
  if (const auto number = AsInt(value)) return fmt::format("{}", *number);
  if (const std::string* text = value.as<std::string>()) return *text;
  if (const Path* path = value.as<Path>()) {
    return std::string(LastPart(path->name));
  }
  return "";
}

void AddOptions(const Object& group, const std::string& prefix, int nesting,
                std::vector<PipelineOption>& options) {
  for (const auto& [name, value] : group.attributes) {
    const std::string full = prefix.empty() ? name : prefix + "." + name;
    const Object* inner = value.ref<Object>();
    const bool below = inner != nullptr && nesting < kMaxEvidenceNesting && inner != &group;
    if (below && LastPart(inner->path).ends_with("Options")) {
      AddOptions(*inner, full, nesting + 1, options);
      continue;
    }
    const std::string text = TextOfOption(value);
    if (text.empty()) continue;
    PipelineOption option{full, text, group.location, {}};
    const auto place = group.places.find(name);
    if (place != group.places.end()) {
      option.location = place->second.first;
      option.target = place->second.second;
    }
    options.push_back(std::move(option));
  }
}

// Options whose value False turns rewrites off that a rule counts on.
bool DisablesRewrites(const PipelineOption& option) {
  if (option.value != "False") return false;
  const std::string_view name = LastPart(option.name);
  return name == "apply_default_optimizations" || name == "map_and_batch_fusion" ||
         name == "map_parallelization" || name == "autotune" || option.name == "autotune.enabled";
}

Value Image(Interpreter& in, const Call& call) {
  const Value* channels = call.arguments.Get(1, "channels");
  const int64_t depth = channels == nullptr ? -1 : AsInt(*channels).value_or(-1);
  const Value* dtype = call.arguments.Keyword("dtype");
  std::string type = "uint8";
  if (const Path* path = dtype == nullptr ? nullptr : dtype->as<Path>()) {
    type = std::string(LastPart(path->name));
  }
  return in.MakeArray(type, {-1, -1, depth > 0 ? depth : -1});
}

// {"image": FixedLenFeature([], tf.string), ...} as what parsing yields.
Value Parsed(Interpreter& in, const Call& call) {
  const Value* given = call.arguments.Get(1, "features");
  const Dict* features = given == nullptr ? nullptr : given->ref<Dict>();
  if (features == nullptr) {
    return in.MakeUnknown("what parsing yields", call.node);
  }
  Dict* parsed = in.arena.New(Dict{});
  in.Charge(static_cast<int64_t>(features->items.size()));
  for (const auto& [key, feature] : features->items) {
    const Array* array = feature.ref<Array>();
    parsed->items.emplace_back(key, array == nullptr
                                        ? in.MakeUnknown("a feature of any length", call.node)
                                        : in.MakeArray(array->dtype, array->dims));
  }
  return {parsed};
}

std::optional<Value> FixedFeature(Interpreter& in, const Call& call) {
  const Value* shape = call.arguments.Get(0, "shape");
  const Value* dtype = call.arguments.Get(1, "dtype");
  const std::vector<Value>* items = shape == nullptr ? nullptr : Items(*shape);
  if (items == nullptr || dtype == nullptr) return std::nullopt;
  std::vector<int64_t> dims;
  dims.reserve(items->size());
  for (const Value& dim : *items) dims.push_back(AsInt(dim).value_or(-1));
  const Path* type = dtype->as<Path>();
  return in.MakeArray(type == nullptr ? "" : std::string(LastPart(type->name)), dims);
}

}  // namespace

std::vector<WrittenArgument> WrittenArguments(const Call& call,
                                              std::span<const std::string_view> parameters) {
  std::vector<WrittenArgument> written;
  const Node list = call.node.field("arguments");
  if (!list.is("argument_list")) return written;
  const std::vector<Node> children = list.children();
  written.reserve(children.size());
  size_t position = 0;
  for (const Node& child : children) {
    if (child.is("keyword_argument")) {
      written.push_back({std::string(child.field("name").text()), child.field("value").span()});
      continue;
    }
    if (child.is("list_splat") || child.is("dictionary_splat")) break;
    if (position < parameters.size() && !parameters[position].empty()) {
      written.push_back({std::string(parameters[position]), child.span()});
    }
    ++position;
  }
  return written;
}

std::optional<std::vector<Leaf>> LeavesOf(const Value& element) {
  std::vector<Leaf> leaves;
  if (!AddLeaves(element, 0, leaves)) return std::nullopt;
  return leaves;
}

namespace {

bool IsPattern(std::string_view path) {
  return path.find_first_of("*?[") != std::string_view::npos;
}

// "gs://bucket" of f"gs://{name}/train-*" and "gs://bucket" + name: what an
// expression that is not constant certainly starts with.
void ReadScheme(Node at, Stage& stage) {
  const std::string_view text = at.text().substr(0, 400);
  const size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return;
  const size_t quote = text.find_last_of("\"'", scheme);
  if (quote == std::string_view::npos) return;
  const std::string_view rest = text.substr(quote + 1);
  stage.paths.emplace_back(rest.substr(0, rest.find_first_of("\"'{")));
}

}  // namespace

void ReadPaths(const Value* files, Node at, Stage& stage) {
  if (files == nullptr) return;
  const bool names = stage.kind == StageKind::kListFiles;
  if (const std::string* path = files->as<std::string>()) {
    stage.paths = {*path};
    if (!names && !IsPattern(*path)) stage.files = 1;
    return;
  }
  const List* list = files->ref<List>();
  if (list == nullptr) {
    if (files->unknown() != nullptr) ReadScheme(at, stage);
    return;
  }
  bool sure = !list->open;
  for (const Value& item : list->items) {
    const std::string* path = item.as<std::string>();
    sure = sure && path != nullptr && !IsPattern(*path);
    if (path != nullptr && stage.paths.size() < kMaxPaths) {
      stage.paths.push_back(*path);
    }
  }
  if (sure && !list->items.empty()) {
    stage.files = static_cast<int64_t>(list->items.size());
  }
}

void ApplyOptions(const Value* options, Pipeline& pipeline) {
  const Object* object = options == nullptr ? nullptr : options->ref<Object>();
  if (object == nullptr || LastPart(object->path) != "Options") return;
  std::vector<PipelineOption> set;
  AddOptions(*object, "", 0, set);
  std::ranges::stable_sort(set, {}, &PipelineOption::location);
  pipeline.options.reserve(pipeline.options.size() + set.size());
  for (PipelineOption& option : set) {
    if (DisablesRewrites(option)) pipeline.rewrites_disabled = true;
    const bool ordered =
        option.name == "deterministic" || option.name == "experimental_deterministic";
    if (ordered && option.value == "True") pipeline.reproducible = true;
    pipeline.options.push_back(std::move(option));
  }
}

std::optional<Value> CallDecoding(Interpreter& in, const Call& call) {
  if (!Under(call.name, "tensorflow")) return std::nullopt;
  const std::string_view last = LastPart(call.name);
  if (last == "decode_jpeg" || last == "decode_png" || last == "decode_image" ||
      last == "decode_bmp" || last == "decode_and_crop_jpeg") {
    return Image(in, call);
  }
  if (last == "decode_raw") {
    const Value* type = call.arguments.Get(1, "out_type");
    const Path* path = type == nullptr ? nullptr : type->as<Path>();
    if (path == nullptr) return std::nullopt;
    return in.MakeArray(std::string(LastPart(path->name)), {-1});
  }
  if (last == "parse_single_example") return Parsed(in, call);
  if (last == "FixedLenFeature") return FixedFeature(in, call);
  return std::nullopt;
}

}  // namespace tilewise::python
