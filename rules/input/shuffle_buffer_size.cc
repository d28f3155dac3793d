// Flags shuffle buffers that do not fit the host's memory, or hardly mix.

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/input/feed.h"

namespace tilewise::IP012 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP012",
    .name = "shuffle-buffer-size",
    .fix = Applicability::kShow,
    .summary = "a shuffle buffer that fills the host's RAM, or hardly mixes",
    .doc = R"(
What: a shuffle buffer whose items take more than a quarter of the host's RAM
(error: 80 %), or one that holds fewer than two batches or 1 % of the items
(info).
Why: tf.data fills the whole buffer before the first batch comes out, so a large
one delays the start and may end the process. One that is small next to the data
set leaves neighbours together: batches repeat the order of the files.
Remedy: shuffle the names of the files first, then a buffer of some thousand
items where items are small: before decoding.
Numbers: the buffer, but at most the number of items, times the bytes of an item
where the buffer stands, from its dtype and shape.
Ignore: the rule is silent about small buffers when file names are shuffled too,
and about sizes that are not known.
Sources: tf.data guide, issue threads on shuffle and memory.)",
    .thresholds = {{"min-batches", 2, "batches that a shuffle buffer should hold at least"},
                   {"min-share", 0.01, "share of the items that it should hold at least"},
                   {"warn-ram", 0.25, "share of the host's RAM that it may take"},
                   {"error-ram", 0.8, "share of the host's RAM from which it will fail"}},
};

// Bytes that the full buffer holds.
std::optional<double> BufferBytes(const Facts& facts, const Pipeline& pipeline, size_t at) {
  const Stage& shuffle = pipeline.stages[at];
  auto elements = static_cast<double>(shuffle.amount.value);
  const bool batches = TakesBatches(pipeline, at);
  const std::optional<double> items = ItemsOfHostAfter(facts, pipeline, at);
  if (items && !batches) elements = std::min(elements, *items);
  const auto& element =
      at > 0 ? pipeline.stages[at - 1].element : std::optional<std::vector<Leaf>>{};
  if (element) {
    double bytes = 0;
    for (const Leaf& leaf : *element) {
      if (!leaf.bytes()) return std::nullopt;
      bytes += static_cast<double>(*leaf.bytes());
    }
    return elements * bytes;
  }
  const auto all = BytesOfItemsAfter(facts, pipeline, at > 0 ? at - 1 : 0);
  if (!all || batches || items.value_or(0) < 1) return {};
  return elements * static_cast<double>(all->value) / *items;
}

bool ShufflesFiles(const Pipeline& pipeline, size_t before) {
  for (size_t i = 0; i < before; ++i) {
    const Stage& stage = pipeline.stages[i];
    const bool names =
        stage.kind == StageKind::kListFiles || stage.kind == StageKind::kNamedDataset;
    if (names || stage.kind == StageKind::kShuffle) return true;
  }
  return false;
}

// The examples that one host's buffer gives to a step. 0: not known.
int64_t BatchOfHost(const Facts& facts, const Pipeline& pipeline) {
  return pipeline.made_by_host(pipeline.batch_size().value_or(0), FeedingHosts(facts));
}

// The least number of items that mixes well; 0: not known.
int64_t LeastItems(const Facts& facts, const Pipeline& pipeline, double items, const Sink& sink) {
  const double batches =
      sink.threshold("min-batches") * static_cast<double>(BatchOfHost(facts, pipeline));
  const double share = sink.threshold("min-share") * items;
  const double least = std::ceil(std::max(batches, share));
  return least < 1e15 ? static_cast<int64_t>(least) : 0;
}

void ReportLarge(const Facts& facts, const Stage& shuffle, double bytes, Sink& sink) {
  const auto ram = static_cast<double>(facts.target.host.ram.value);
  Finding& found = sink.Report(
      shuffle.location,
      "a full buffer of {} takes {} of host memory, expected at most {} ({} of the {} host's {})",
      FormatCount(shuffle.amount.value), FormatBytes(Bytes{static_cast<int64_t>(bytes)}),
      FormatBytes(Bytes{static_cast<int64_t>(ram * sink.threshold("warn-ram"))}),
      FormatPercent(sink.threshold("warn-ram")), facts.target.host.name,
      FormatBytes(facts.target.host.ram));
  if (bytes > ram * sink.threshold("error-ram")) {
    found.severity = Severity::kError;
  }
  found.cost.unknown = "it costs host memory and the time to fill it once";
  const double per_item = bytes / static_cast<double>(shuffle.amount.value);
  const double fits = ram * sink.threshold("warn-ram") / per_item;
  found.fix.text = fmt::format(
      "shuffle the names of the files, or the items before they are decoded, and take at most {} "
      "here",
      FormatCount(static_cast<int64_t>(std::max(1.0, fits))));
}

void ReportSmall(const Facts& facts, const Pipeline& pipeline, const Stage& shuffle, double items,
                 int64_t least, Sink& sink) {
  const bool by_items =
      sink.threshold("min-share") * items > static_cast<double>(shuffle.amount.value);
  Finding& found = sink.Report(
      shuffle.location, "a buffer of {} mixes {}, expected at least {}",
      FormatCount(shuffle.amount.value),
      by_items ? fmt::format("{} items", FormatCount(static_cast<int64_t>(items)))
               : fmt::format("batches of {}", FormatCount(BatchOfHost(facts, pipeline))),
      FormatCount(least));
  found.severity = Severity::kInfo;
  found.cost.unknown = "it costs how well examples are mixed, not time";
  found.fix.text = fmt::format(
      "shuffle the names of the files as well, or give the buffer at least {}", FormatCount(least));
}

void Check(const Facts& facts, Sink& sink) {
  const auto ram = static_cast<double>(facts.target.host.ram.value);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 0; i < pipeline->stages.size(); ++i) {
      const Stage& shuffle = pipeline->stages[i];
      if (shuffle.kind != StageKind::kShuffle || shuffle.amount.kind != Count::Kind::kValue ||
          shuffle.amount.value < 1 || TakesFileNames(*pipeline, i)) {
        continue;
      }
      const auto bytes = BufferBytes(facts, *pipeline, i);
      if (bytes && *bytes > ram * sink.threshold("warn-ram")) {
        ReportLarge(facts, shuffle, *bytes, sink);
        continue;
      }
      if (TakesBatches(*pipeline, i) || ShufflesFiles(*pipeline, i)) continue;
      const std::optional<double> items = ItemsOfHostAfter(facts, *pipeline, i);
      int64_t least = LeastItems(facts, *pipeline, items.value_or(0), sink);
      if (items) least = std::min(least, static_cast<int64_t>(std::min(*items, 1e18)));
      if (shuffle.amount.value < least) {
        ReportSmall(facts, *pipeline, shuffle, items.value_or(0), least, sink);
      }
    }
  }
}

}  // namespace

TW_RULE(IP012)

}  // namespace tilewise::IP012
