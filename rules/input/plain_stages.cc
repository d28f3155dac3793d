// Arguments keep their text.

#include "rules/input/plain_stages.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "edit/python.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

std::string ArgumentText(const Facts& facts, const Stage& stage, std::string_view parameter) {
  const WrittenArgument* argument = stage.Written(parameter);
  return argument == nullptr ? "" : std::string(TextOf(facts.workload, argument->value));
}

// ", name=text" where there is a text.
std::string Keyword(std::string_view name, const std::string& text) {
  return text.empty() ? "" : fmt::format(", {}={}", name, text);
}

std::string MapAndBatch(const Facts& facts, const Stage& first) {
  const auto text = [&](std::string_view name) { return ArgumentText(facts, first, name); };
  std::string calls = text("num_parallel_calls");
  if (calls.empty()) calls = AutotuneIn(facts.workload, first.location.file);
  if (text("map_func").empty() || text("batch_size").empty()) return "";
  return fmt::format(".map({}, num_parallel_calls={}).batch({}{})", text("map_func"), calls,
                     text("batch_size"), Keyword("drop_remainder", text("drop_remainder")));
}

std::string ShuffleAndRepeat(const Facts& facts, const Stage& first) {
  const auto text = [&](std::string_view name) { return ArgumentText(facts, first, name); };
  if (text("buffer_size").empty()) return "";
  return fmt::format(".shuffle({}{}).repeat({})", text("buffer_size"),
                     Keyword("seed", text("seed")), text("count"));
}

std::string Interleave(const Facts& facts, const Stage& first) {
  const auto text = [&](std::string_view name) { return ArgumentText(facts, first, name); };
  if (text("map_func").empty()) return "";
  std::string order;
  if (text("sloppy") == "True") {
    order = ", deterministic=False";
  } else if (!text("sloppy").empty() && text("sloppy") != "False") {
    order = fmt::format(", deterministic=not ({})", text("sloppy"));
  }
  return fmt::format(".interleave({}{}{}, num_parallel_calls={}{})", text("map_func"),
                     Keyword("cycle_length", text("cycle_length")),
                     Keyword("block_length", text("block_length")),
                     AutotuneIn(facts.workload, first.location.file), order);
}

struct FusedRow {
  FusedStage stage;
  std::string (*written)(const Facts&, const Stage&);
};
constexpr FusedRow kFusedRows[] = {
    {{"map_and_batch", "map() and batch()"}, MapAndBatch},
    {{"shuffle_and_repeat", "shuffle() and repeat()"}, ShuffleAndRepeat},
    {{"parallel_interleave", "interleave(num_parallel_calls=...)", false}, Interleave},
};

const FusedRow* FusedRowOf(const Stage& stage) {
  const std::string_view name = LastName(stage.legacy);
  const auto* const row = std::ranges::find_if(
      kFusedRows, [name](const FusedRow& each) { return each.stage.name == name; });
  return row == std::end(kFusedRows) ? nullptr : row;
}

}  // namespace

const FusedStage* FusedStageOf(const Stage& stage) {
  const FusedRow* row = FusedRowOf(stage);
  return row == nullptr ? nullptr : &row->stage;
}

std::string PlainStages(const Facts& facts, const Stage& stage) {
  const FusedRow* row = FusedRowOf(stage);
  return row == nullptr ? "" : row->written(facts, stage);
}

}  // namespace tilewise
