// Facts of stages and the calls that made them. The location of a stage is its
// method's name; its `call` span runs from the dot before that name to the
// closing parenthesis (line breaks and blanks before the dot stay outside).

#include "frontend/program/stages.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise::program {
namespace {

constexpr std::pair<std::string_view, StageKind> kStageKinds[] = {
    {"from_tensor_slices", StageKind::kFromTensorSlices},
    {"from_generator", StageKind::kFromGenerator},
    {"range", StageKind::kRange},
    {"list_files", StageKind::kListFiles},
    {"record_files", StageKind::kRecordFiles},
    {"named_dataset", StageKind::kNamedDataset},
    {"zip", StageKind::kZip},
    {"queue", StageKind::kQueue},
    {"unknown_source", StageKind::kUnknownSource},
    {"map", StageKind::kMap},
    {"filter", StageKind::kFilter},
    {"flat_map", StageKind::kFlatMap},
    {"interleave", StageKind::kInterleave},
    {"batch", StageKind::kBatch},
    {"unbatch", StageKind::kUnbatch},
    {"padded_batch", StageKind::kPaddedBatch},
    {"shuffle", StageKind::kShuffle},
    {"repeat", StageKind::kRepeat},
    {"cache", StageKind::kCache},
    {"prefetch", StageKind::kPrefetch},
    {"take", StageKind::kTake},
    {"skip", StageKind::kSkip},
    {"shard", StageKind::kShard},
    {"enumerate", StageKind::kEnumerate},
    {"with_options", StageKind::kWithOptions},
};

// The parameters of methods in their order; `amount` is the one that becomes
// Stage::amount.
struct StageMethod {
  std::string_view name, amount;
  std::array<std::string_view, 5> parameters;
};
constexpr StageMethod kStageMethods[] = {
    {"map", "", {"map_func", "num_parallel_calls", "deterministic"}},
    {"filter", "", {"predicate"}},
    {"flat_map", "", {"map_func"}},
    {"interleave",
     "cycle_length",
     {"map_func", "cycle_length", "block_length", "num_parallel_calls", "deterministic"}},
    {"batch",
     "batch_size",
     {"batch_size", "drop_remainder", "num_parallel_calls", "deterministic"}},
    {"padded_batch",
     "batch_size",
     {"batch_size", "padded_shapes", "padding_values", "drop_remainder"}},
    {"shuffle", "buffer_size", {"buffer_size", "seed", "reshuffle_each_iteration"}},
    {"repeat", "count", {"count"}},
    {"cache", "", {"filename"}},
    {"prefetch", "buffer_size", {"buffer_size"}},
    {"take", "count", {"count"}},
    {"skip", "count", {"count"}},
    {"shard", "num_shards", {"num_shards", "index"}},
    {"enumerate", "", {"start"}},
    {"with_options", "", {"options"}},
    {"concatenate", "", {"dataset"}},
    {"window", "", {"size", "shift", "stride"}},
    {"scan", "", {"initial_state", "scan_func"}},
    {"take_while", "", {"predicate"}},
    {"rebatch", "", {"batch_size", "drop_remainder"}},
    {"ragged_batch", "batch_size", {"batch_size", "drop_remainder"}},
    {"snapshot", "", {"path"}},
    {"apply", "", {"transformation_func"}},
    {"prefetch_to_device", "buffer_size", {"device", "buffer_size"}},
    // Fused transformations of earlier versions, for apply().
    {"map_and_batch",
     "",
     {"map_func", "batch_size", "num_parallel_batches", "drop_remainder", "num_parallel_calls"}},
    {"shuffle_and_repeat", "", {"buffer_size", "count", "seed"}},
    {"parallel_interleave",
     "",
     {"map_func", "cycle_length", "block_length", "sloppy", "buffer_output_elements"}},
};

std::span<const std::string_view> ParametersOf(std::string_view method) {
  for (const StageMethod& known : kStageMethods) {
    if (known.name == method) return known.parameters;
  }
  return {};
}

std::string_view AmountOf(std::string_view method) {
  for (const StageMethod& known : kStageMethods) {
    if (known.name == method) return known.amount;
  }
  return "";
}

// nullopt: absent, None or not known.
std::optional<bool> FlagOf(const py::Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->tag == py::Value::Tag::kBool) return value->truth;
  const std::optional<int64_t> number = py::AsInt(*value);
  return number.has_value() ? std::optional<bool>(*number != 0) : std::nullopt;
}

int64_t DTypeBytes(std::string_view dtype) {
  constexpr std::pair<std::string_view, int64_t> kBytes[] = {
      {"bool", 1},    {"uint8", 1},    {"int8", 1},    {"float16", 2}, {"uint16", 2},
      {"int16", 2},   {"bfloat16", 2}, {"float32", 4}, {"int32", 4},   {"uint32", 4},
      {"float64", 8}, {"int64", 8},    {"uint64", 8},
  };
  for (const auto& [name, bytes] : kBytes) {
    if (name == dtype) return bytes;
  }
  return 0;
}

constexpr size_t kMaxLeaves = 1000;
constexpr size_t kMaxPaths = 64;
constexpr int kMaxElementNesting = 8;

const py::Value* AttributeOf(const py::Value& value, std::string_view name) {
  const py::Instance* instance = value.as<py::Instance>();
  return instance == nullptr ? nullptr : instance->attributes.Find(py::SymbolOf(name));
}

bool AddLeaf(const py::Value& value, std::vector<PlacedLeaf>& leaves) {
  const py::Value* shape = AttributeOf(value, "shape");
  const py::Value* dtype = AttributeOf(value, "dtype");
  const py::Value* batch = AttributeOf(value, "batch");
  if (shape == nullptr || dtype == nullptr) return false;
  PlacedLeaf made;
  const py::Value* name = AttributeOf(*dtype, "name");
  if (name != nullptr && py::TextOf(*name) != nullptr) made.leaf.dtype = *py::TextOf(*name);
  made.batch = batch == nullptr ? 0 : py::AsInt(*batch).value_or(0);
  const py::Sequence* dims = shape->as<py::Sequence>();
  made.leaf.known_rank = dims != nullptr;
  if (dims != nullptr) {
    for (const py::Value& dim : dims->items) made.leaf.dims.push_back(py::AsInt(dim).value_or(-1));
  }
  leaves.push_back(std::move(made));
  return true;
}

bool AddLeaves(const py::Value& element, int nesting, std::vector<PlacedLeaf>& leaves) {
  if (nesting > kMaxElementNesting || leaves.size() > kMaxLeaves) return false;
  if (py::IsUnknown(element)) return false;
  if (element.none()) return true;
  const py::Value& plain = py::Plain(element);
  if (const py::Sequence* items = plain.as<py::Sequence>()) {
    return std::ranges::all_of(
        items->items, [&](const py::Value& item) { return AddLeaves(item, nesting + 1, leaves); });
  }
  if (const py::Dict* dict = plain.as<py::Dict>()) {
    return std::ranges::all_of(dict->entries, [&](const py::Dict::Entry& entry) {
      return !entry.live || AddLeaves(entry.value, nesting + 1, leaves);
    });
  }
  return AddLeaf(element, leaves);
}

bool IsPattern(std::string_view path) {
  return path.find_first_of("*?[") != std::string_view::npos;
}

}  // namespace

StageFacts StageFactsOf(const py::Value& tuple) {
  StageFacts stage;
  const py::Sequence* parts = tuple.as<py::Sequence>();
  if (parts == nullptr || parts->items.size() != 4) return stage;
  const std::string *kind = py::TextOf(parts->items[0]), *name = py::TextOf(parts->items[1]);
  stage.kind = kind == nullptr ? "" : *kind;
  stage.name = name == nullptr ? "" : *name;
  const py::Value& place = parts->items[2];
  if (place.is_object()) stage.place = dynamic_cast<const Place*>(place.object);
  stage.facts = parts->items[3].as<py::Dict>();
  return stage;
}

const py::Value* FactOf(const StageFacts& stage, std::string_view name) {
  if (stage.facts == nullptr) return nullptr;
  for (const py::Dict::Entry& entry : stage.facts->entries) {
    const std::string* key = entry.live ? py::TextOf(entry.key) : nullptr;
    if (key != nullptr && *key == name) return &entry.value;
  }
  return nullptr;
}

Count ToCount(const py::Value* value) {
  if (value == nullptr || !value->set() || value->none()) return {};
  if (const std::optional<int64_t> number = py::AsInt(*value)) {
    if (*number == -1) return {Count::Kind::kAutotune, -1};
    return {Count::Kind::kValue, *number};
  }
  // Floats that are whole stand for counts in practice: steps = n / batch.
  const std::optional<double> real = py::AsNumber(*value);
  if (real.has_value() && *real >= 0 && *real < 1e15) {
    return {Count::Kind::kValue, static_cast<int64_t>(*real)};
  }
  return {Count::Kind::kUnresolved, 0};
}

std::optional<std::vector<PlacedLeaf>> LeavesOf(const py::Value& element) {
  std::vector<PlacedLeaf> leaves;
  if (!AddLeaves(element, 0, leaves)) return std::nullopt;
  return leaves;
}

std::optional<Bytes> ElementBytes(const std::vector<PlacedLeaf>& leaves, int64_t batch) {
  constexpr int64_t kMost = int64_t{1} << 50;
  Bytes total;
  for (const PlacedLeaf& placed : leaves) {
    int64_t bytes = placed.leaf.known_rank ? DTypeBytes(placed.leaf.dtype) : 0;
    if (bytes == 0) return std::nullopt;
    const bool leads = placed.batch > 0 && !placed.leaf.dims.empty() &&
                       (placed.leaf.dims[0] < 0 || placed.leaf.dims[0] == batch);
    const bool moved = batch > 0 && placed.batch < 2 && !leads;
    const size_t first = moved ? 0 : static_cast<size_t>(placed.batch);
    for (size_t i = first; i < placed.leaf.dims.size(); ++i) {
      if (placed.leaf.dims[i] < 0) return std::nullopt;
      const std::optional<int64_t> product = CheckedMul(bytes, placed.leaf.dims[i]);
      if (!product.has_value() || *product > kMost) return std::nullopt;
      bytes = *product;
    }
    total += Bytes{moved ? bytes / batch : bytes};
  }
  return total;
}

Location NamePlace(python::Node call) {
  const python::Node callee = call.field("function");
  return callee.is("attribute") ? callee.field("attribute").location() : callee.location();
}

Span ArgumentsOf(python::Node call) {
  const python::Node list = call.field("arguments");
  if (!list.is("argument_list")) return {};
  return list.span(list.begin() + 1, list.end() - 1);
}

std::vector<WrittenArgument> WrittenArguments(python::Node call,
                                              std::span<const std::string_view> parameters) {
  std::vector<WrittenArgument> written;
  const python::Node list = call.field("arguments");
  if (!list.is("argument_list")) return written;
  size_t position = 0;
  for (const python::Node& child : list.children()) {
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

python::Node ArgumentNode(python::Node call, size_t position, std::string_view keyword) {
  const python::Node list = call.field("arguments");
  size_t at = 0;
  python::Node found;
  for (const python::Node& child : list.children()) {
    if (child.is("keyword_argument")) {
      if (child.field("name").text() == keyword) return child.field("value");
    } else if (at++ == position) {
      found = child;
    }
  }
  return found;
}

void StageReader::NoteUnknown(std::string_view what, const py::Value& value, const Location& at,
                              std::string_view consequence) {
  const py::Unknown* unknown = value.as<py::Unknown>();
  if (unknown == nullptr) return;
  const std::string where =
      unknown->location().line > 0 ? fmt::format(", line {}", unknown->location().line) : "";
  note_(at,
        fmt::format("cannot resolve {} ({}{}); {}", what, unknown->reason(), where, consequence));
}

Location StageReader::PlaceOf(const Stage& stage, python::Node call,
                              std::string_view parameter) const {
  const std::span<const std::string_view> parameters = ParametersOf(stage.text);
  const auto at = std::find(parameters.begin(), parameters.end(), parameter);
  const python::Node node =
      call ? ArgumentNode(call, static_cast<size_t>(at - parameters.begin()), parameter)
           : python::Node();
  return node ? node.location() : stage.location;
}

void StageReader::ReadAmounts(const StageFacts& facts, Stage& stage) {
  const py::Value* amount = FactOf(facts, "amount");
  const std::string_view parameter = AmountOf(stage.text);
  if (!parameter.empty()) {
    stage.amount = ToCount(amount);
    // repeat(-1) means all, as without an argument.
    const bool all = stage.kind == StageKind::kRepeat;
    if (all && stage.amount.kind == Count::Kind::kAutotune) stage.amount = {};
  }
  const bool batch = stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch;
  if (stage.amount.kind == Count::Kind::kUnresolved) {
    NoteUnknown(fmt::format("{} of {}()", parameter, stage.text), *amount,
                PlaceOf(stage, call_, parameter),
                batch ? "give the batch size with --batch" : "what depends on it is not checked");
  }
  stage.parallel_calls = ToCount(FactOf(facts, "num_parallel_calls"));
  const py::Value* drop = FactOf(facts, "drop_remainder");
  const bool drop_written = stage.Written("drop_remainder") != nullptr;
  stage.drop_remainder = FlagOf(drop);
  if (drop != nullptr && py::IsUnknown(*drop)) {
    // Whether the last batch is short cannot be told: no rule may say it is.
    NoteUnknown(fmt::format("drop_remainder of {}()", stage.text), *drop,
                PlaceOf(stage, call_, "drop_remainder"),
                "the last batch is taken to be full or left out");
    stage.drop_remainder = true;
  }
  stage.deterministic = FlagOf(FactOf(facts, "deterministic"));
  stage.reshuffles = FlagOf(FactOf(facts, "reshuffle_each_iteration")).value_or(true);
  const py::Value* seed = FactOf(facts, "seed");
  stage.seeded = stage.kind == StageKind::kShuffle && seed != nullptr && !seed->none();
  // A default is not what the program says.
  if (stage.drop_remainder.has_value() && !*stage.drop_remainder && !drop_written) {
    stage.drop_remainder.reset();
  }
  if (const py::Value* file = FactOf(facts, "filename")) {
    const std::string* text = py::TextOf(*file);
    stage.cache_to_file = text != nullptr ? !text->empty() : !file->none();
    if (text != nullptr && !text->empty()) stage.paths = {*text};
  }
}

void StageReader::ReadPaths(const StageFacts& facts, Stage& stage) {
  const py::Value* paths = FactOf(facts, "paths");
  if (paths == nullptr) return;
  const bool names = stage.kind == StageKind::kListFiles;
  if (const std::string* path = py::TextOf(*paths)) {
    stage.paths = {*path};
    const bool is_folder = stage.kind == StageKind::kNamedDataset;
    if (!names && !is_folder && !IsPattern(*path)) stage.files = 1;
    return;
  }
  const py::Value& plain = py::Plain(*paths);
  if (const py::Sequence* items = plain.as<py::Sequence>()) {
    bool sure = true;
    for (const py::Value& item : items->items) {
      const std::string* path = py::TextOf(item);
      sure = sure && path != nullptr && !IsPattern(*path);
      if (path != nullptr && stage.paths.size() < kMaxPaths) stage.paths.push_back(*path);
    }
    if (sure && !items->items.empty()) stage.files = static_cast<int64_t>(items->items.size());
    return;
  }
  // "gs://bucket" of f"gs://{name}/train-*" and "gs://bucket" + name: what an
  // expression that is not constant certainly starts with.
  const python::Node written = call_ ? ArgumentNode(call_, 0, "filenames") : python::Node();
  const std::string_view text = written ? written.text().substr(0, 400) : std::string_view();
  const size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return;
  const size_t quote = text.find_last_of("\"'", scheme);
  if (quote == std::string_view::npos) return;
  const std::string_view rest = text.substr(quote + 1);
  stage.paths.emplace_back(rest.substr(0, rest.find_first_of("\"'{")));
}

// The parts that a fused transformation stands for have the location where it
// is made; the first has its arguments, and the whole `.apply(...)`.
void StageReader::ReadLegacy(const StageFacts& facts, python::Node apply, Stage& stage) {
  const python::Node callee = apply.field("function");
  const python::Node given = ArgumentNode(apply, 0, "transformation_func");
  const py::Value* legacy = FactOf(facts, "legacy");
  const std::string* name = legacy == nullptr ? nullptr : py::TextOf(*legacy);
  if (given.is("call")) stage.location = NamePlace(given);
  if (name == nullptr) return;
  const python::Aliases& aliases = texts_.AliasesOf(facts.place->location.file);
  stage.legacy = given.is("call") ? python::DottedName(given.field("function"), aliases) : "";
  if (!stage.legacy.ends_with("." + *name)) {
    stage.legacy = "tensorflow.data.experimental." + *name;
  }
  const py::Value* first = FactOf(facts, "first");
  if (!given.is("call") || first == nullptr) return;
  call_ = given;
  stage.written = WrittenArguments(given, ParametersOf(*name));
  stage.written.push_back({"apply", callee.span(callee.token(".").begin(), apply.end())});
}

void StageReader::ReadPlace(const StageFacts& facts, const StageFacts* next, Stage& stage) {
  call_ = {};
  if (facts.place == nullptr) return;
  stage.location = facts.place->location;
  const bool source = IsSource(stage.kind);
  if (stage.kind == StageKind::kUnknownSource) {
    // The variable that the next stage is a method of.
    const python::Node call = next == nullptr || next->place == nullptr
                                  ? python::Node()
                                  : texts_.Find(next->place->call, "call");
    const python::Node object = call.field("function").field("object");
    if (object) stage.location = object.location();
    stage.text = facts.name;
    return;
  }
  const python::Node call = texts_.Find(facts.place->call, "call");
  if (!call) return;
  const python::Node callee = call.field("function");
  stage.location = NamePlace(call);
  if (source) {
    stage.text = std::string(callee.text());
    stage.arguments = ArgumentsOf(call);
    stage.written = WrittenArguments(call, {});
    call_ = call;
    return;
  }
  const std::string_view method = callee.is("attribute") ? callee.field("attribute").text() : "";
  const bool chained = method == facts.name && call.field("arguments").is("argument_list");
  if (chained) {
    call_ = call;
    stage.call = callee.span(callee.token(".").begin(), call.end());
    stage.arguments = ArgumentsOf(call);
    stage.written = WrittenArguments(call, ParametersOf(stage.text));
  } else if (method == "apply") {
    ReadLegacy(facts, call, stage);
  }
}

Stage StageReader::Read(const StageFacts& facts, const StageFacts* next) {
  Stage stage;
  for (const auto& [name, kind] : kStageKinds) {
    if (name == facts.kind) stage.kind = kind;
  }
  stage.text = facts.name;
  ReadPlace(facts, next, stage);
  ReadAmounts(facts, stage);
  if (IsSource(stage.kind)) ReadPaths(facts, stage);
  const std::string file = facts.place == nullptr ? "" : facts.place->location.file;
  if (const py::Value* function = FactOf(facts, "function");
      function != nullptr && !IsSource(stage.kind)) {
    python::Node written;
    const std::span<const std::string_view> parameters = ParametersOf(stage.text);
    const std::string_view first = parameters.empty() ? "map_func" : parameters[0];
    if (call_) written = ArgumentNode(call_, 0, first);
    stage.function = functions_.Read(*function, written, file);
    // What an own module does itself has no function of the program's.
    if (py::TextOf(*function) != nullptr) stage.function.name = *py::TextOf(*function);
  }
  if (const py::Value* inner = FactOf(facts, "inner")) {
    const StageFacts source = StageFactsOf(*inner);
    for (const auto& [name, kind] : kStageKinds) {
      if (name == source.kind) stage.inner_source = kind;
    }
    stage.inner_parallel_reads = ToCount(FactOf(source, "num_parallel_calls"));
  }
  if (const py::Value* element = FactOf(facts, "leaves")) {
    if (const auto leaves = LeavesOf(*element)) {
      stage.element.emplace();
      for (const PlacedLeaf& placed : *leaves) stage.element->push_back(placed.leaf);
    }
  }
  return stage;
}

}  // namespace tilewise::program
