// "cores=8,16" becomes a knob with two values, "batch=8..4096" a ladder.

#include "cli/tune/search_space.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accuracy/ranges.h"
#include "tuner/knob.h"

namespace tilewise {
namespace {

constexpr char kBatchKnob[] = "batch";
constexpr char kExecutionKnob[] = "steps-per-execution";
constexpr size_t kMostNumbers = 100'000;

struct NameAndRest {
  std::string name;
  std::string rest;
  bool has_rest = false;
};

NameAndRest SplitAtEquals(const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) return {word, "", false};
  return {word.substr(0, equals), word.substr(equals + 1), true};
}

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> words;
  size_t begin = 0;
  for (;;) {
    const size_t comma = text.find(',', begin);
    words.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return words;
    begin = comma + 1;
  }
}

// "8..64" doubles, "8..64:8" goes in steps.
absl::StatusOr<std::vector<int64_t>> ParseRange(std::string_view knob, std::string_view word) {
  const size_t dots = word.find("..");
  if (dots == std::string_view::npos) {
    TW_ASSIGN_OR_RETURN(const int64_t number, ParseKnobNumber(knob, word));
    return std::vector<int64_t>{number};
  }
  const std::string_view rest = word.substr(dots + 2);
  const size_t colon = rest.find(':');
  TW_ASSIGN_OR_RETURN(const int64_t first, ParseKnobNumber(knob, word.substr(0, dots)));
  TW_ASSIGN_OR_RETURN(const int64_t last, ParseKnobNumber(knob, rest.substr(0, colon)));
  int64_t stride = 0;
  if (colon != std::string_view::npos) {
    TW_ASSIGN_OR_RETURN(stride, ParseKnobNumber(knob, rest.substr(colon + 1)));
  }
  std::vector<int64_t> numbers;
  for (int64_t n = first; n <= last && numbers.size() <= kMostNumbers && n <= kMaxBatch;
       n = stride > 0 ? n + stride : 2 * n) {
    numbers.push_back(n);
  }
  if (!numbers.empty() && numbers.size() <= kMostNumbers && last <= kMaxBatch) return numbers;
  return InvalidInput(
      fmt::format("--search {}: found '{}', expected a range FIRST..LAST of at most {} numbers up "
                  "to {}",
                  knob, word, kMostNumbers, kMaxBatch));
}

absl::StatusOr<std::vector<int64_t>> ParseNumbers(std::string_view knob,
                                                  const std::vector<std::string>& words) {
  std::vector<int64_t> numbers;
  for (const std::string& word : words) {
    TW_ASSIGN_OR_RETURN(const std::vector<int64_t> range, ParseRange(knob, word));
    numbers.insert(numbers.end(), range.begin(), range.end());
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string UnknownKnob(const std::string& name) {
  std::vector<std::string> names = {kBatchKnob, kExecutionKnob};
  for (const Knob& knob : Knobs()) names.emplace_back(knob.name);
  return CheckWord(name, names);
}

absl::Status AddKnob(const std::string& word, SearchSpace& space) {
  const NameAndRest parts = SplitAtEquals(word);
  const std::string unknown = UnknownKnob(parts.name);
  if (!unknown.empty()) return InvalidInput("--search: " + unknown);
  const std::vector<std::string> values =
      parts.has_rest ? SplitAtCommas(parts.rest) : std::vector<std::string>{};
  if (parts.name != kBatchKnob && parts.name != kExecutionKnob) {
    space.knobs.push_back({parts.name, values});
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, ParseNumbers(parts.name, values));
  (parts.name == kBatchKnob ? space.batch_per_core : space.steps_per_execution) = numbers;
  return absl::OkStatus();
}

absl::Status AddPrice(const std::string& word, Objective& objective) {
  const NameAndRest parts = SplitAtEquals(word);
  TW_RETURN_IF_ERROR(FindChip(parts.name).status());
  double price = 0;
  const char* end = parts.rest.data() + parts.rest.size();
  const auto parsed = std::from_chars(parts.rest.data(), end, price);
  constexpr double kMostPrice = 1e6;
  if (parsed.ec != std::errc() || parsed.ptr != end || !(price > 0) || price > kMostPrice) {
    return InvalidInput(fmt::format(
        "--price: found '{}', expected CHIP=N, N above 0, of a chip and hour: v5e=1.2", word));
  }
  if (!objective.price.emplace(parts.name, price).second) {
    return InvalidInput(fmt::format("--price: found {} twice, expected once", parts.name));
  }
  return absl::OkStatus();
}

Objective::Kind KindOf(std::string_view name) {
  if (name == "cost") return Objective::Kind::kCost;
  if (name == "latency") return Objective::Kind::kLatency;
  return Objective::Kind::kThroughput;
}

}  // namespace

absl::StatusOr<SearchSpace> SearchSpaceOf(const SearchOptions& options) {
  SearchSpace space;
  if (options.max_global_batch > 0) space.max_global_batch = options.max_global_batch;
  space.certainty = static_cast<double>(options.certainty_percent) / 100;
  space.margin = static_cast<double>(options.margin_percent) / 100;
  space.objective.kind = KindOf(options.objective);
  for (const std::string& word : options.prices) {
    TW_RETURN_IF_ERROR(AddPrice(word, space.objective));
  }
  for (const std::string& word : options.knobs) TW_RETURN_IF_ERROR(AddKnob(word, space));
  if (!options.strategy.empty()) space.strategy = options.strategy;
  if (options.exhaustive) space.strategy = "exhaustive";
  space.most_trials = options.trials;
  space.seed = static_cast<uint64_t>(options.seed);
  return space;
}

}  // namespace tilewise
