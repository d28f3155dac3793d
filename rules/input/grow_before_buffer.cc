// Flags maps that make items larger in front of a buffer that holds them.

#include <optional>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/input/feed.h"
#include "sim/item_flow.h"

namespace tilewise::IP013 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP013",
    .name = "grow-before-buffer",
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .summary = "a map expands items before a buffer has to hold them",
    .doc = R"(
What: a map whose output is at least twice as large as its input, such as a
decode or a cast to float32, stands before a shuffle buffer.
Why: the buffer then holds the large form of every item: more host memory, a
longer wait until it is full, more to copy. What stands behind the buffer runs
on items as they leave it, so nothing is lost by expanding later.
Remedy: shuffle (and interleave, and prefetch what comes from files) first,
expand afterwards. The order of random numbers changes.
Numbers: elements of the buffer times the bytes of an item, before and after.
Ignore: a cache in between, which wants the decoded items; items of a few bytes.
Sources: tf.data performance guide.)",
    .thresholds = {{"min-growth", 2, "bytes out over bytes in from which a map expands"},
                   {"min-mib", 64, "MiB of host memory that are worth saying"}},
};

struct Sizes {
  double before = 0, after = 0;  // bytes of an item
};

// What map `at` makes of an item's bytes; nothing when that is not known.
std::optional<Sizes> SizesAround(const Facts& facts, const Pipeline& pipeline, size_t at) {
  const Bytes example = BytesOfItem(facts, pipeline);
  if (example <= Bytes{}) return std::nullopt;
  const Stage& map = pipeline.stages[at];
  if (!map.function.growth && !map.function.decodes) return std::nullopt;
  ItemFlow flow(pipeline, 1, example);
  for (size_t i = 0; i < at; ++i) flow.Pass(pipeline.stages[i]);
  return Sizes{flow.bytes(), flow.bytes_after(map)};
}

// The first map before the buffer that expands, with nothing between the two
// that the order matters to.
std::optional<size_t> Expanding(const Facts& facts, const Pipeline& pipeline, size_t buffer,
                                double growth, Sizes& sizes) {
  std::optional<size_t> first;
  for (size_t i = buffer; i > 0; --i) {
    const Stage& stage = pipeline.stages[i - 1];
    if (!IsOneOf(stage.kind, {StageKind::kMap, StageKind::kPrefetch, StageKind::kWithOptions})) {
      break;
    }
    if (stage.kind != StageKind::kMap) continue;
    const auto around = SizesAround(facts, pipeline, i - 1);
    if (!around || around->after < growth * around->before) continue;
    first = i - 1;
    sizes = *around;
  }
  return first;
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto at = FirstOf(*pipeline, {StageKind::kShuffle});
    if (!at || TakesBatches(*pipeline, *at)) continue;
    const Stage& buffer = pipeline->stages[*at];
    if (buffer.amount.kind != Count::Kind::kValue) continue;
    Sizes sizes;
    const auto map = Expanding(facts, *pipeline, *at, sink.threshold("min-growth"), sizes);
    if (!map) continue;
    auto elements = static_cast<double>(buffer.amount.value);
    const auto items = ItemsOfHostAfter(facts, *pipeline, *at);
    elements = std::min(elements, items.value_or(elements));
    const double extra = elements * (sizes.after - sizes.before);
    if (extra < sink.threshold("min-mib") * (1 << 20) || extra > 9e18) continue;
    const auto bytes = [elements](double item) {
      return FormatBytes(Bytes{static_cast<int64_t>(elements * item)});
    };
    const Stage& grows = pipeline->stages[*map];
    Finding& found =
        sink.Report(grows.location,
                    "{} makes items {:.1f} times larger in front of the shuffle buffer, expected "
                    "it behind: the buffer of {} holds {} instead of {}",
                    NameOfStage(grows), sizes.after / sizes.before,
                    FormatCount(buffer.amount.value), bytes(sizes.after), bytes(sizes.before));
    MoveStageBefore(facts, *pipeline, *at, *map, found);
    found.fix.text = fmt::format("move shuffle at {} before {}",
                                 LineText(buffer.location, grows.location), NameOfStage(grows));
  }
}

}  // namespace

TW_RULE(IP013)

}  // namespace tilewise::IP013
