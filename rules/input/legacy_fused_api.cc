// Flags transformations of earlier releases that the runtime now fuses itself.

#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "rules/edits.h"
#include "rules/input/chain.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP005",
    .name = "legacy-fused-api",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kSafe,
    .summary = "a deprecated fused transformation stands for plain stages",
    .doc = R"(
What: map_and_batch, shuffle_and_repeat or parallel_interleave given to apply().
Why: they are deprecated. What they once saved, the default rewrites of the
runtime do to map().batch() and shuffle().repeat(); interleave() itself has
num_parallel_calls. The plain stages let AUTOTUNE choose the parallelism.
Remedy: the plain stages, in the same order. Do not write the fused form for
speed: advice to do so is out of date.
Ignore: programs that pin TensorFlow 1; the rule is silent when it sees that.
Sources: tf.data API, grappler tf.data meta optimizer.)",
};

std::string ArgumentText(const Facts& facts, const Stage& stage,
                         std::string_view parameter) {
  const WrittenArgument* argument = stage.Written(parameter);
  return argument == nullptr
             ? ""
             : std::string(TextOf(facts.workload, argument->value));
}

// ", name=text" where there is a text.
std::string Keyword(std::string_view name, const std::string& text) {
  return text.empty() ? "" : fmt::format(", {}={}", name, text);
}

std::string MapAndBatch(const Facts& facts, const Stage& first) {
  const auto text = [&](std::string_view name) {
    return ArgumentText(facts, first, name);
  };
  std::string calls = text("num_parallel_calls");
  if (calls.empty()) calls = AutotuneIn(facts.workload, first.location.file);
  if (text("map_func").empty() || text("batch_size").empty()) return "";
  return fmt::format(".map({}, num_parallel_calls={}).batch({}{})",
                     text("map_func"), calls, text("batch_size"),
                     Keyword("drop_remainder", text("drop_remainder")));
}

std::string ShuffleAndRepeat(const Facts& facts, const Stage& first) {
  const auto text = [&](std::string_view name) {
    return ArgumentText(facts, first, name);
  };
  if (text("buffer_size").empty()) return "";
  return fmt::format(".shuffle({}{}).repeat({})", text("buffer_size"),
                     Keyword("seed", text("seed")), text("count"));
}

std::string Interleave(const Facts& facts, const Stage& first) {
  const auto text = [&](std::string_view name) {
    return ArgumentText(facts, first, name);
  };
  if (text("map_func").empty()) return "";
  std::string order;
  if (text("sloppy") == "True") {
    order = ", deterministic=False";
  } else if (!text("sloppy").empty() && text("sloppy") != "False") {
    order = fmt::format(", deterministic=not ({})", text("sloppy"));
  }
  return fmt::format(".interleave({}{}{}, num_parallel_calls={}{})",
                     text("map_func"),
                     Keyword("cycle_length", text("cycle_length")),
                     Keyword("block_length", text("block_length")),
                     AutotuneIn(facts.workload, first.location.file), order);
}

std::string_view LastName(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
}

struct Modern {
  std::string_view legacy;
  std::string_view plain;  // for the message
  std::string_view why;
  std::string (*written)(const Facts&, const Stage&);
};
constexpr std::string_view kFused = "the runtime fuses them by itself";
constexpr Modern kModern[] = {
    {"map_and_batch", "map() and batch()", kFused, MapAndBatch},
    {"shuffle_and_repeat", "shuffle() and repeat()", kFused, ShuffleAndRepeat},
    {"parallel_interleave", "interleave(num_parallel_calls=...)",
     "it opens files in parallel itself", Interleave},
};

void Report(const Facts& facts, const Pipeline& pipeline, const Stage& first,
            Sink& sink) {
  for (const Modern& modern : kModern) {
    if (LastName(first.legacy) != modern.legacy) continue;
    Finding& found = sink.Report(
        first.location,
        fmt::format("{} is deprecated, expected {}: {}", modern.legacy,
                    modern.plain,
                    modern.why == kFused && pipeline.rewrites_disabled
                        ? "its default rewrite is turned off here, so turn "
                          "that on as well"
                        : modern.why));
    found.cost.unknown = "the plain stages run as fast; they can be tuned";
    found.fix.text = fmt::format("write {} instead", modern.plain);
    const WrittenArgument* apply = first.Written("apply");
    const std::string text = modern.written(facts, first);
    if (apply != nullptr && !text.empty()) {
      found.fix.edits = {{.span = apply->value, .replacement = text}};
    }
  }
}

void Check(const Facts& facts, Sink& sink) {
  std::set<Location> seen;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const std::optional<RuntimeVersion> runtime = RuntimeOf(facts, *pipeline);
    if (runtime && runtime->major < 2) continue;
    for (const Stage& stage : pipeline->stages) {
      if (stage.legacy.empty() || !seen.insert(stage.location).second) continue;
      Report(facts, *pipeline, stage, sink);
    }
  }
}

}  // namespace

TW_RULE(IP005)

}  // namespace tilewise
