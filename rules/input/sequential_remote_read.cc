// Flags files on remote storage that are read one after the other.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "advice/worth_saying.h"
#include "edit/python.h"
#include "rules/input/feed.h"

namespace tilewise::IP006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP006",
    .name = "sequential-remote-read",
    .fix = Applicability::kUnsafe,
    .summary = "records come from remote files one file at a time",
    .doc = R"(
What: TFRecordDataset over files in a bucket without num_parallel_reads, or
files opened by flat_map, or by interleave without num_parallel_calls.
Why: one stream from object storage waits for the network most of its time and
delivers some 100 MB/s; a TPU needs many streams. Reading several files at once
hides the wait.
Remedy: interleave over the file names with num_parallel_calls=AUTOTUNE and
deterministic=False, or num_parallel_reads=AUTOTUNE.
Numbers: the simulated loop with the reads in parallel, when a model was read.
Local files are named beside the findings alone (RD006).
Ignore: a single file; then there is nothing to read in parallel, and more
shards are needed (IP020). A name that is not known may be one file.
Safety: unsafe: records of several files come mixed. Before a shuffle without a
seed that makes no difference, and the fix is safe.
Sources: tf.data performance guide, xprof.)",
};

// Whether what reads here is on the other side of a network.
bool IsRemote(const Facts& facts, const Pipeline& pipeline) {
  bool paths = false;
  for (const Stage& stage : pipeline.stages) {
    paths = paths || !stage.paths.empty();
    if (std::ranges::any_of(stage.paths, IsRemotePath)) return true;
  }
  const HostLoop& loop = facts.workload.host_loop;
  const bool node = loop.framework == Framework::kTpuEstimator || loop.remote_tpu.value_or(false);
  const Stage& source = pipeline.stages.front();
  return !paths && node && IsOneOf(source.kind, {StageKind::kRecordFiles, StageKind::kListFiles});
}

// The stage that opens the files one by one.
std::optional<size_t> SequentialReader(const Pipeline& pipeline) {
  for (size_t i = 0; i < pipeline.stages.size(); ++i) {
    const Stage& stage = pipeline.stages[i];
    if (stage.files.value_or(2) < 2) return std::nullopt;
    const bool opens = IsOneOf(stage.kind, {StageKind::kFlatMap, StageKind::kInterleave}) &&
                       stage.inner_source == StageKind::kRecordFiles;
    if (stage.kind != StageKind::kRecordFiles && !opens) continue;
    // One name that is not known may be one file.
    if (i == 0 && !stage.files && stage.paths.empty()) return std::nullopt;
    const bool parallel = stage.parallel_calls.present() || stage.inner_parallel_reads.present();
    if (parallel && !stage.parallel_calls.is(1)) return std::nullopt;
    return i;
  }
  return std::nullopt;
}

bool IsShuffledAfter(const Pipeline& pipeline, size_t at) {
  const auto shuffle = FirstOf(pipeline, {StageKind::kShuffle}, at + 1);
  return shuffle && !pipeline.stages[*shuffle].seeded;
}

std::vector<TextEdit> Edits(const Facts& facts, const Stage& stage) {
  const Workload& workload = facts.workload;
  const std::string tune = AutotuneIn(workload, stage.location.file);
  if (stage.arguments.begin >= stage.arguments.end || tune.empty()) return {};
  if (stage.kind == StageKind::kRecordFiles) {
    return SetArgument(workload, stage.arguments, "num_parallel_reads", tune);
  }
  std::vector<TextEdit> edits = AppendArgument(
      workload, stage.arguments, fmt::format("num_parallel_calls={}, deterministic=False", tune));
  if (stage.kind == StageKind::kInterleave || stage.call.begin >= stage.call.end) {
    return stage.parallel_calls.present() ? std::vector<TextEdit>{} : edits;
  }
  // The name stands between the dot and the parenthesis.
  const std::string_view text = TextOf(workload, stage.call);
  const size_t name = text.find("flat_map");
  if (name == std::string_view::npos) return {};
  Span span = stage.call;
  span.begin += static_cast<int64_t>(name);
  span.end = span.begin + static_cast<int64_t>(std::string_view("flat_map").size());
  edits.insert(edits.begin(), {.span = span, .replacement = "interleave"});
  return edits;
}

Finding& Report(const Facts& facts, const Pipeline& pipeline, size_t at, bool remote, Sink& sink) {
  const Stage& stage = pipeline.stages[at];
  const bool source = stage.kind == StageKind::kRecordFiles;
  const std::string files = fmt::format(
      "{}{}files", stage.files ? FormatCount(*stage.files) + " " : "", remote ? "remote " : "");
  Finding& found = sink.Report(stage.location, "{} reads {} one after the other, expected {}",
                               source ? stage.text : NameOfStage(stage), files,
                               source ? "num_parallel_reads, or an interleave over them"
                                      : "an interleave with num_parallel_calls");
  AddLoopFix(facts, pipeline, RunningInParallel(pipeline, at), found);
  found.fix.text = source ? "pass num_parallel_reads=tf.data.AUTOTUNE"
                          : "open the files with interleave(..., "
                            "num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)";
  if (IsShuffledAfter(pipeline, at)) {
    found.fix.applicability = Applicability::kSafe;
  }
  found.fix.edits = Edits(facts, stage);
  return found;
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto reader = SequentialReader(*pipeline);
    if (!reader) continue;
    const bool remote = IsRemote(facts, *pipeline);
    if (!remote && !WhyNoLoop(facts, *pipeline).empty()) continue;
    Finding& found = Report(facts, *pipeline, *reader, remote, sink);
    // A disk of the host has the next file nearly at once.
    if (!remote) found.too_small = WhatHidesInput(facts);
  }
}

}  // namespace

TW_RULE(IP006)

}  // namespace tilewise::IP006
