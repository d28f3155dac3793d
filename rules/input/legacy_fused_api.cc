// Flags transformations of earlier releases that the runtime now fuses itself.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/input/feed.h"
#include "rules/rule.h"
#include "workload/blocks.h"
#include "workload/versions.h"

namespace tilewise::IP005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP005",
    .name = "legacy-fused-api",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kSafe,
    .summary = "a deprecated form of tf.data stands for a plain one",
    .doc = R"(
What: map_and_batch, shuffle_and_repeat or parallel_interleave given to apply();
make_one_shot_iterator; tf.data.experimental.AUTOTUNE.
Why: they are deprecated. What they once saved, the default rewrites of the
runtime do to map().batch() and shuffle().repeat(); interleave() itself has
num_parallel_calls. The plain stages let AUTOTUNE choose the parallelism. A
dataset is iterated over as it is since TensorFlow 2, and AUTOTUNE left the
experimental module in 2.4.
Remedy: the plain stages, in the same order; iter(dataset); tf.data.AUTOTUNE. Do
not write the fused form for speed: advice to do so is out of date.
Ignore: programs that pin TensorFlow 1, or for AUTOTUNE a release before 2.4, or
that turn eager execution off; the rule is silent when it sees that.
Sources: tf.data API, grappler tf.data meta optimizer.)",
};

constexpr std::string_view kOldAutotune = "data.experimental.AUTOTUNE";

// The newest release that the program may run on is at least this one, as far
// as it says.
bool MayRunOn(const Facts& facts, Release release) {
  const SourceFacts& source = facts.workload.facts;
  const auto newest = NewestRelease(source, "tensorflow");
  if (newest && *newest < release) return false;
  return std::ranges::none_of(source.calls, [](const SourceCall& call) {
    const std::string_view last = LastName(call.name);
    return call.name.starts_with("tensorflow.contrib.") || last == "disable_eager_execution" ||
           last == "disable_v2_behavior";
  });
}

// "dataset.make_one_shot_iterator()" and the same as a function become
// "iter(dataset)". Empty where the call is written otherwise.
std::vector<TextEdit> IterateOver(const Workload& workload, const SourceCall& call) {
  if (call.receiver.empty() || call.arguments.size() == 1) {
    return ReplaceCallName(workload, call.arguments_span, "iter");
  }
  const std::string before = fmt::format("{}.{}(", call.receiver, LastName(call.name));
  Span whole = call.arguments_span;
  whole.begin -= static_cast<int64_t>(before.size());
  if (whole.begin < 0 || whole.begin + static_cast<int64_t>(before.size()) != whole.end) {
    return {};
  }
  if (TextOf(workload, whole) != before) return {};
  ++whole.end;
  return {{whole, fmt::format("iter({})", call.receiver)}};
}

// Returns where tf.data.experimental.AUTOTUNE is used first in each file.
std::map<std::string, Location> OldAutotunes(const SourceFacts& source) {
  constexpr std::string_view kName = "tensorflow.data.experimental.AUTOTUNE";
  std::map<std::string, Location> first;
  const auto add = [&](const std::string& name, const Location& location) {
    if (name != kName) return;
    const auto [known, added] = first.try_emplace(location.file, location);
    const auto order = [](const Location& at) { return std::tie(at.cell, at.line, at.column); };
    if (!added && order(location) < order(known->second)) known->second = location;
  };
  for (const SourceCall& call : source.calls) {
    for (const SourceArgument& argument : call.arguments) {
      add(argument.name, call.location);
    }
  }
  for (const SourceAssignment& assignment : source.assignments) {
    add(assignment.name, assignment.location);
  }
  return first;
}

// Whether the place is in a line that is a comment, which stays as its author wrote it.
bool IsInComment(std::string_view text, size_t at) {
  const size_t line = text.rfind('\n', at) + 1;  // npos + 1 is the start
  return text.substr(text.find_first_not_of(" \t", line)).starts_with('#');
}

// Every mention of it in the code of the file, its cells included, gets its new name.
std::vector<TextEdit> RenameAutotune(const SourceFile& file) {
  std::vector<TextEdit> edits;
  const auto add = [&](const std::string& text, int32_t cell) {
    for (size_t at = text.find(kOldAutotune); at != std::string::npos;
         at = text.find(kOldAutotune, at + 1)) {
      if (IsInComment(text, at)) continue;
      const size_t end = at + kOldAutotune.size();
      edits.push_back({{file.path, cell, static_cast<int64_t>(at), static_cast<int64_t>(end)},
                       "data.AUTOTUNE"});
    }
  };
  add(file.text, 0);
  for (size_t i = 0; i < file.cells.size(); ++i) {
    add(file.cells[i], static_cast<int32_t>(i) + 1);
  }
  return edits;
}

// An argument of the transformation by its name, as written; empty: not given.
using TextOfArgument = std::function<std::string(std::string_view)>;

// ", name=text" where there is a text.
std::string Keyword(const TextOfArgument& text, std::string_view name) {
  return text(name).empty() ? "" : fmt::format(", {}={}", name, text(name));
}

std::string MapAndBatch(const TextOfArgument& text, const std::string& tune) {
  std::string calls = text("num_parallel_calls");
  if (calls.empty()) calls = tune;
  if (text("map_func").empty() || text("batch_size").empty()) return "";
  return fmt::format(".map({}, num_parallel_calls={}).batch({}{})", text("map_func"), calls,
                     text("batch_size"), Keyword(text, "drop_remainder"));
}

std::string ShuffleAndRepeat(const TextOfArgument& text, const std::string& /*tune*/) {
  if (text("buffer_size").empty()) return "";
  return fmt::format(".shuffle({}{}).repeat({})", text("buffer_size"), Keyword(text, "seed"),
                     text("count"));
}

std::string Interleave(const TextOfArgument& text, const std::string& tune) {
  if (text("map_func").empty()) return "";
  std::string order;
  if (text("sloppy") == "True") {
    order = ", deterministic=False";
  } else if (!text("sloppy").empty() && text("sloppy") != "False") {
    order = fmt::format(", deterministic=not ({})", text("sloppy"));
  }
  return fmt::format(".interleave({}{}{}, num_parallel_calls={}{})", text("map_func"),
                     Keyword(text, "cycle_length"), Keyword(text, "block_length"), tune, order);
}

struct FusedStage {
  std::string_view name;
  std::string_view plain;  // what stands for it now, for messages
  bool fused;              // by the runtime: else the plain stage does as much
  // ".map(f, num_parallel_calls=n).batch(b)", with arguments as written; empty
  // where one that it needs is not known.
  std::string (*written)(const TextOfArgument& text, const std::string& tune);
};
constexpr std::array kFusedStages = {
    FusedStage{"map_and_batch", "map() and batch()", true, MapAndBatch},
    FusedStage{"shuffle_and_repeat", "shuffle() and repeat()", true, ShuffleAndRepeat},
    FusedStage{"parallel_interleave", "interleave(num_parallel_calls=...)", false, Interleave},
};

void ReportStage(const Facts& facts, const Pipeline& pipeline, const Stage& stage, Sink& sink) {
  const auto* fused = std::ranges::find(kFusedStages, LastName(stage.legacy), &FusedStage::name);
  if (fused == kFusedStages.end()) return;
  std::string_view why = "it opens files in parallel itself";
  if (fused->fused) {
    why = pipeline.rewrites_disabled
              ? "its default rewrite is turned off here, so turn that on as well"
              : "the runtime fuses them by itself";
  }
  Finding& found = sink.Report(stage.location, "{} is deprecated, expected {}: {}", fused->name,
                               fused->plain, why);
  found.cost.unknown = "the plain stages run as fast; they can be tuned";
  found.fix.text = fmt::format("write {} instead", fused->plain);
  const WrittenArgument* apply = stage.Written("apply");
  const auto text_of = [&](std::string_view parameter) {
    const WrittenArgument* argument = stage.Written(parameter);
    return std::string(argument == nullptr ? "" : TextOf(facts.workload, argument->value));
  };
  const std::string tune = AutotuneIn(facts.workload, stage.location.file);
  const std::string text = tune.empty() ? "" : fused->written(text_of, tune);
  if (apply != nullptr && !text.empty()) {
    found.fix.edits = {{.span = apply->value, .replacement = text}};
  }
}

void CheckStages(const Facts& facts, Sink& sink) {
  std::set<Location> seen;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const std::optional<RuntimeVersion>& runtime = pipeline->runtime;
    if (runtime && runtime->major < 2) continue;
    for (const Stage& stage : pipeline->stages) {
      if (stage.legacy.empty() || !seen.insert(stage.location).second) continue;
      ReportStage(facts, *pipeline, stage, sink);
    }
  }
}

void CheckIterators(const Facts& facts, Sink& sink) {
  if (!MayRunOn(facts, {2, 0})) return;
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (LastName(call.name) != "make_one_shot_iterator") continue;
    Finding& found = sink.Report(call.location,
                                 "make_one_shot_iterator is of TensorFlow 1, expected iter(): a "
                                 "dataset is iterated over as it is");
    found.cost.unknown = "both read the same elements";
    found.fix.text =
        "iterate over the dataset, or write iter(dataset); a function that feeds an Estimator "
        "returns the dataset itself";
    // iter() wants eager execution or a tf.function around it.
    found.fix.applicability = Applicability::kUnsafe;
    found.fix.edits = IterateOver(facts.workload, call);
  }
}

void CheckAutotune(const Facts& facts, Sink& sink) {
  if (!MayRunOn(facts, {2, 4})) return;
  for (const auto& [path, location] : OldAutotunes(facts.workload.facts)) {
    Finding& found = sink.Report(location,
                                 "tf.data.experimental.AUTOTUNE is deprecated since TensorFlow "
                                 "2.4, expected tf.data.AUTOTUNE");
    found.cost.unknown = "both are the same number";
    found.fix.text = "write tf.data.AUTOTUNE";
    for (const SourceFile& file : facts.workload.files) {
      if (file.path == path) found.fix.edits = RenameAutotune(file);
    }
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckIterators(facts, sink);
  CheckAutotune(facts, sink);
  CheckStages(facts, sink);
}

}  // namespace

TW_RULE(IP005)

}  // namespace tilewise::IP005
