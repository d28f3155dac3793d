// Flags cheap element-wise maps that run once per item in front of a batch.

#include <algorithm>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/cpp/written_layers.h"
#include "rules/input/feed.h"
#include "workload/blocks.h"

namespace tilewise::IP004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP004",
    .name = "scalar-map-before-batch",
    .fix = Applicability::kUnsafe,
    .needs = {.or_cpp = true},
    .summary = "a cheap element-wise map runs per item in front of batch",
    .doc = R"(
What: a map of a few element-wise operations (casts, arithmetic, one_hot) stands
directly in front of batch(). In C++: map(Normalize) in front of map(Stack).
Why: every call of a map function costs the host some microseconds, whatever the
function does. Behind batch one call works on the whole batch, with vector
instructions. The fusion of map and batch that the runtime does by default still
calls the function for each item.
Remedy: batch first, then map. The function has to cope with the leading batch
dim; element-wise operations do.
Numbers: the simulated loop with the two stages in the other order.
Ignore: functions that look at single items: shapes, indices, conditions. The
rule is silent when it meets anything but element-wise operations, decoding,
random operations, or items of different sizes.
Sources: tf.data performance guide.)",
    .thresholds = {{"max-ops", 12, "operations of a map up to which its calls cost more"}},
};

// Last parts of names, in lower case without underscores: the same in scripts
// ("tf.one_hot") and in graphs ("tf.raw_ops.OneHot").
constexpr std::string_view kElementwise =
    "cast|add|addv2|subtract|sub|multiply|mul|divide|div|realdiv|truediv|divnonan|floordiv|abs|"
    "square|sqrt|rsqrt|pow|exp|log|log1p|negative|neg|maximum|minimum|clipbyvalue|onehot|tofloat|"
    "toint32|toint64|convertimagedtype|sigmoid|tanh|identity";

std::string Plain(std::string_view name) {
  std::string result;
  const size_t dot = name.rfind('.');
  for (const char c : name.substr(dot == std::string_view::npos ? 0 : dot + 1)) {
    if (c != '_') result += static_cast<char>(std::tolower(c));
  }
  return result;
}

bool IsElementwise(const MapFunction& function) {
  return std::ranges::all_of(function.calls, [](const std::string& call) {
    return IsOneOfWords(Plain(call), kElementwise);
  });
}

// Items that batch() can put together without looking at their values.
bool SameSizes(const Stage& map) {
  if (!map.element) return true;
  return std::ranges::all_of(*map.element, [](const Leaf& leaf) {
    return leaf.known_rank && std::ranges::find(leaf.dims, -1) == leaf.dims.end();
  });
}

bool IsScalarMap(const Stage& map, double max_ops) {
  const MapFunction& function = map.function;
  return map.kind == StageKind::kMap && function.resolved && function.nodes > 0 &&
         static_cast<double>(function.nodes) <= max_ops && !function.random && !function.stateful &&
         !function.decodes && !function.indexes && IsElementwise(function) && SameSizes(map);
}

// This looks at one chain in C++, whose calls may stand on lines of their own.
constexpr int32_t kChainLines = 6;

bool IsPlainBatch(const Stage& stage) {
  return stage.kind == StageKind::kBatch && !stage.amount.is(1) &&
         stage.text.find("agged") == std::string::npos &&
         stage.text.find("Sparse") == std::string::npos;
}

// Checks C++: map(Normalize) in a chain that Stack ends.
void CheckTransforms(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const auto maps = [&](const SourceCall& call, std::string_view transform) {
    return LastName(call.name) == "map" && call.arguments.size() == 1 &&
           Contains(call.arguments[0].text, transform);
  };
  for (const SourceCall& stack : source.calls) {
    if (!maps(stack, "transforms::Stack")) continue;
    if (Mentions(stack.receiver, "test") || Mentions(stack.receiver, "val")) continue;
    for (const SourceCall& call : source.calls) {
      if (!maps(call, "transforms::Normalize")) continue;
      const bool chained = Contains(stack.receiver, call.arguments[0].text);
      if (!chained ||
          FunctionAround(source, call.context) != FunctionAround(source, stack.context)) {
        continue;
      }
      const bool again = call.location.line > stack.location.line;
      if (again || stack.location.line - call.location.line > kChainLines) continue;
      Finding& found = sink.Report(
          call.location,
          "Normalize runs once per item in front of Stack, expected it on the whole batch");
      found.severity = Severity::kInfo;
      found.cost.unknown = "how many items a step takes from the data set is not in the source";
      found.no_change = "what an item costs the host is not in the source";
      found.fix.applicability = Applicability::kShow;
      found.fix.text =
          "leave it out of the data set, and take the mean off and divide in the loop: "
          "batch.data.sub(mean).div(deviation)";
    }
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (SpeaksWithoutModel(facts) && MayTrain(facts)) CheckTransforms(facts, sink);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 0; i + 1 < pipeline->stages.size(); ++i) {
      const Stage& map = pipeline->stages[i];
      const Stage& batch = pipeline->stages[i + 1];
      if (!IsPlainBatch(batch) || TakesBatches(*pipeline, i)) continue;
      if (!IsScalarMap(map, sink.threshold("max-ops"))) continue;
      const bool sized = batch.amount.kind == Count::Kind::kValue;
      Finding& found =
          sink.Report(map.location,
                      "{} runs once per item in front of batch, expected the batch first: one call "
                      "then works on {} items",
                      NameOfStage(map), sized ? FormatCount(batch.amount.value) : "all its");
      AddLoopFix(facts, *pipeline, MovingStage(*pipeline, i, i + 2), found);
      // What one call for each item costs is little where nothing is known of the step.
      if (!found.cost.unknown.empty()) found.severity = Severity::kInfo;
      found.fix.text =
          fmt::format("move {} behind batch, where it takes whole batches", NameOfStage(map));
      if (map.legacy.empty() && batch.legacy.empty() && InOneBlock(facts, map, batch)) {
        found.fix.edits = MoveCallAfter(facts.workload, map.call, batch.call);
      }
    }
  }
}

}  // namespace

TW_RULE(IP004)

}  // namespace tilewise::IP004
