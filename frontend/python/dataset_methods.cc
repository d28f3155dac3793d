// The table of dataset methods, and calls of them as stages. The place of a
// stage is its method's name; its `call` span runs from the dot before that
// name to the closing parenthesis (line breaks and blanks before the dot stay
// outside).

#include "frontend/python/dataset_methods.h"

#include <fmt/format.h>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/dataset_evidence.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr DatasetMethod kMethods[] = {
    {"map", StageKind::kMap, "", {"map_func", "num_parallel_calls", "deterministic"}},
    {"filter", StageKind::kFilter, "", {"predicate"}},
    {"flat_map", StageKind::kFlatMap, "", {"map_func"}},
    {"interleave",
     StageKind::kInterleave,
     "cycle_length",
     {"map_func", "cycle_length", "block_length", "num_parallel_calls", "deterministic"}},
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
    {"ragged_batch", StageKind::kBatch, "batch_size", {"batch_size", "drop_remainder"}},
    {"snapshot", StageKind::kOther, "", {"path"}},
    {"ignore_errors", StageKind::kOther, "", {}},
    {"apply", StageKind::kOther, "", {"transformation_func"}},
    {"bucket_by_sequence_length", StageKind::kOther, "", {}},
    {"group_by_window", StageKind::kOther, "", {}},
    {"prefetch_to_device", StageKind::kPrefetch, "buffer_size", {"device", "buffer_size"}},
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

// Whether the last batch is short cannot be told then: no rule may say it is.
void SettleDropRemainder(Interpreter& in, const DatasetMethod& method, const Call& call,
                         Stage& stage) {
  for (size_t i = 0; i < method.arguments.size(); ++i) {
    if (method.arguments[i] != "drop_remainder") continue;
    const Value* value = call.arguments.Get(i, "drop_remainder");
    if (value == nullptr || value->none() || stage.drop_remainder) return;
    in.NoteUnknown(fmt::format("drop_remainder of {}()", method.name), *value,
                   call.argument_node(i, "drop_remainder"),
                   "the last batch is taken to be full or left out");
    stage.drop_remainder = true;
  }
}

}  // namespace

const DatasetMethod* FindDatasetMethod(std::string_view name) {
  for (const DatasetMethod& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

Stage StageOf(Interpreter& in, const DatasetMethod& method, const Call& call) {
  const Arguments& arguments = call.arguments;
  Stage stage;
  stage.kind = method.kind;
  stage.text = std::string(method.name);
  stage.location = call.location;
  const auto argument = [&](std::string_view name) { return ArgumentOf(method, arguments, name); };
  if (!method.amount.empty()) {
    stage.amount = ToCount(argument(method.amount));
    // repeat(-1) and take(-1) mean all, as without an argument.
    const bool all = stage.kind == StageKind::kRepeat;
    if (all && stage.amount.kind == Count::Kind::kAutotune) stage.amount = {};
  }
  stage.parallel_calls = ToCount(argument("num_parallel_calls"));
  stage.drop_remainder = FlagOf(argument("drop_remainder"));
  stage.deterministic = FlagOf(argument("deterministic"));
  stage.reshuffles = FlagOf(argument("reshuffle_each_iteration")).value_or(true);
  const Value* seed = argument("seed");
  stage.seeded = seed != nullptr && !seed->none();
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
    stage.written = WrittenArguments(call, method.arguments);
  }
  SettleDropRemainder(in, method, call, stage);
  return stage;
}

void NoteAmount(Interpreter& in, const DatasetMethod& method, const Call& call,
                const Stage& stage) {
  if (stage.amount.kind != Count::Kind::kUnresolved) return;
  size_t position = 0;
  while (method.arguments[position] != method.amount) ++position;
  const Value* value = call.arguments.Get(position, method.amount);
  const bool batch = stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch;
  if (value == nullptr) return;
  in.NoteUnknown(fmt::format("{} of {}()", method.amount, method.name), *value,
                 call.argument_node(position, method.amount),
                 batch ? "give the batch size with --batch" : "what depends on it is not checked");
}

}  // namespace tilewise::python
