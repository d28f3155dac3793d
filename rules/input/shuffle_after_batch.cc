// Flags shuffles that mix whole batches instead of items.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "edit/python.h"
#include "rules/input/feed.h"

namespace tilewise::IP011 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP011",
    .name = "shuffle-after-batch",
    .fix = Applicability::kUnsafe,
    .summary = "shuffle stands after batch and mixes whole batches",
    .doc = R"(
What: shuffle() comes after batch(), and nothing shuffles the items before it.
Why: the same items meet in the same batch in every epoch, which hurts training,
and the buffer holds batches: its size is to be multiplied by the batch.
Remedy: shuffle the items, then batch. The buffer then counts items.
Numbers: the steady step less that with the two stages in the other order. It is
often nothing: the cost is in what is learnt, and in host memory.
Ignore: sources that come in batches, sequences that batch() cuts out of a text
(a second batch follows), and a shuffle of the items before: then the rule is
silent.
Sources: tf.data guide.)",
};

constexpr StageKinds kBatches = {StageKind::kBatch, StageKind::kPaddedBatch};

// The batch stage whose results shuffle `at` mixes.
std::optional<size_t> BatchBefore(const Pipeline& pipeline, size_t at) {
  if (!TakesBatches(pipeline, at) || IsPreBatched(pipeline)) return {};
  // What is batched once more were items still.
  if (FirstOf(pipeline, kBatches, at + 1)) return std::nullopt;
  const auto batch = FirstOf(pipeline, kBatches);
  const auto shuffle = FirstOf(pipeline, {StageKind::kShuffle});
  if (!batch || (shuffle && *shuffle < *batch)) return std::nullopt;
  return batch;
}

// Writes the buffer of the call that moves in items where it is written as a number of batches.
bool GiveItems(const Facts& facts, const Stage& shuffle, int64_t items, Finding& found) {
  const WrittenArgument* const buffer = shuffle.Written("buffer_size");
  if (buffer == nullptr) return false;
  const std::string number(TextOf(facts.workload, buffer->value));
  if (number != fmt::format("{}", shuffle.amount.value)) return false;
  const auto begin = static_cast<size_t>(buffer->value.begin - shuffle.call.begin);
  for (TextEdit& edit : found.fix.edits) {
    const size_t call = edit.replacement.find(TextOf(facts.workload, shuffle.call));
    if (call == std::string::npos) continue;
    edit.replacement.replace(call + begin, number.size(), fmt::format("{}", items));
    return true;
  }
  return false;
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto at =
        FirstOf(*pipeline, {StageKind::kShuffle}, FirstOf(*pipeline, kBatches).value_or(0));
    const auto batch = at ? BatchBefore(*pipeline, *at) : std::nullopt;
    if (!batch) continue;
    const auto repeat = FirstOf(*pipeline, {StageKind::kRepeat});
    const size_t to = std::min(*batch, repeat.value_or(*batch));
    const Stage& shuffle = pipeline->stages[*at];
    const Stage& target = pipeline->stages[to];
    const Stage& batches = pipeline->stages[*batch];
    const bool known =
        shuffle.amount.kind == Count::Kind::kValue && batches.amount.kind == Count::Kind::kValue &&
        shuffle.amount.value < (int64_t{1} << 31) && batches.amount.value < (int64_t{1} << 31);
    Finding& found = sink.Report(
        shuffle.location,
        "shuffle comes after batch, expected before it: the same items meet in one "
        "batch in every epoch{}",
        known ? fmt::format(", and the buffer has room for {} batches, which are {} items",
                            FormatCount(shuffle.amount.value),
                            FormatCount(shuffle.amount.value * batches.amount.value))
              : "");
    found.of_learning = true;
    MoveStageBefore(facts, *pipeline, *at, to, found);
    // A buffer of as many items as it had batches would be too small.
    const bool written =
        known && GiveItems(facts, shuffle, shuffle.amount.value * batches.amount.value, found);
    if (!written) found.fix.edits.clear();
    found.fix.text =
        fmt::format("move shuffle before {} at {} and give its buffer in items",
                    StageName(target.kind), LineText(target.location, shuffle.location));
  }
}

}  // namespace

TW_RULE(IP011)

}  // namespace tilewise::IP011
