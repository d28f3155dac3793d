// Passes on what XLA's partitioner says of arrays that it gathers whole, and
// reads the two shardings that it could not get from one to the other.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/math.h"
#include "graph/shape.h"
#include "rules/rule.h"

namespace tilewise::DI010 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI010",
    .name = "whole-reshard",
    .fix = Applicability::kShow,
    .summary = "a log says that the partitioner gathers an array whole to divide it anew",
    .no_saving = "a log has no graph",
    .doc = R"(
What: XLA's warning "Involuntary full rematerialization" in a log. An array is
divided over the devices in one way where it is made and in another where it is
used, and the partitioner knows no way between the two but to gather the whole
array on every device and to take its part again.
Why: for a moment each device holds the whole array, and all of it goes over the
interconnect in every step; memory and time are those of a replicated array.
Remedy: state a sharding between the two (with_sharding_constraint) that differs
from each of them in one mesh axis; list the mesh axes in one order everywhere, so
that one division nests in the other; or give in_shardings and out_shardings, and
what is made inside, the sharding that the consumer wants.
Ignore: arrays that are small or resharded once, as at the start.
Numbers: the parts of each dim as the shardings state them; the array's bytes
where the log names its shape.
Sources: jax#21562, openxla/xla#15207, jax#18591.)",
};

std::vector<int64_t> NumbersIn(std::string_view text) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < text.size() && numbers.size() < 64;) {
    int64_t number = 0;
    const size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && i - start < 12) {
      number = number * 10 + (text[i++] - '0');
    }
    if (i > start) {
      numbers.push_back(number);
    } else {
      ++i;
    }
  }
  return numbers;
}

std::string_view Between(std::string_view text, std::string_view open, std::string_view close) {
  const size_t at = text.find(open);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + open.size());
  return text.substr(0, text.find(close));
}

// "{devices=[2,1,4]<=[4,2]T(1,0)}" as "2 x 1 x 4 parts, devices in transposed
// order".
std::string Explained(std::string_view sharding) {
  if (sharding.find("devices=") == std::string_view::npos) {
    if (sharding.find("replicated") != std::string_view::npos) return "the whole on each device";
    if (sharding.find("maximal") != std::string_view::npos) return "all of it on one device";
    return "";
  }
  std::vector<int64_t> tiles = NumbersIn(Between(sharding, "devices=[", "]"));
  int64_t copies = 1;
  if (sharding.find("last_tile_dim_replicate") != std::string_view::npos && !tiles.empty()) {
    copies = tiles.back();
    tiles.pop_back();
  }
  if (tiles.empty()) return "";
  std::string text = fmt::format("{} parts", fmt::join(tiles, " x "));
  if (copies > 1) text += fmt::format(", {} copies of each", copies);
  if (sharding.find("]T(") != std::string_view::npos) text += ", devices in transposed order";
  return text;
}

std::string WithExplanation(const std::string& sharding) {
  const std::string explained = Explained(sharding);
  return explained.empty() ? sharding : fmt::format("{} ({})", sharding, explained);
}

// Returns the bytes of "%pad = f64[96]{0} pad"; none for tuples and where
// nothing is printed.
std::optional<Bytes> BytesOf(std::string_view value) {
  const std::string_view shape = Between(value, "= ", "]");
  const size_t open = shape.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  const std::optional<DType> type = ParseDType(shape.substr(0, open));
  if (!type) return std::nullopt;
  std::optional<int64_t> bits = BitWidth(*type);
  for (const int64_t size : NumbersIn(shape.substr(open))) {
    if (bits) bits = CheckedMul(*bits, size);
  }
  if (!bits) return std::nullopt;
  return Bytes{*bits / 8};
}

std::string NameOf(const WholeReshard& reshard) {
  std::string name = reshard.value.empty() ? "an array" : reshard.value.substr(0, 120);
  if (!reshard.operation.empty()) {
    name += fmt::format(" of {}", reshard.operation.substr(0, 120));
  }
  if (reshard.source.known()) name += fmt::format(" at {}", FormatLocation(reshard.source));
  return name;
}

std::string Advice(const WholeReshard& reshard) {
  std::string where =
      "between the in_shardings, out_shardings or with_sharding_constraint that divide one array "
      "in these two ways (the line names no operation)";
  if (!reshard.value.empty()) where = "between what makes this array and what reads it";
  if (reshard.source.known() || !reshard.operation.empty()) where = "there";
  return fmt::format(
      "put a with_sharding_constraint {} whose parts nest with both, changing one mesh axis at a "
      "time, or list the mesh axes in the same order in both",
      where);
}

void Check(const Facts& facts, Sink& sink) {
  for (const WholeReshard& reshard : facts.workload.whole_reshards) {
    const std::optional<Bytes> bytes = BytesOf(reshard.value);
    Finding& found = sink.Report(
        reshard.location,
        "the partitioner gathers {} whole on every device{}, to get from {} to {}{}; expected "
        "shardings between which an all-to-all or collective-permute is enough",
        NameOf(reshard), bytes ? fmt::format(" ({})", FormatBytes(*bytes)) : "",
        WithExplanation(reshard.from), WithExplanation(reshard.to),
        reshard.times > 1 ? fmt::format(" ({} times)", FormatCount(reshard.times)) : "");
    if (bytes && *bytes > Bytes{}) {
      found.cost.bytes = *bytes;
    } else {
      found.cost.unknown = "the line does not say how large the array is";
    }
    found.fix.text = Advice(reshard);
  }
}

}  // namespace

TW_RULE(DI010)

}  // namespace tilewise::DI010
