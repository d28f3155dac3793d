// What the program was seen to do says which number is meant: a batch is one whose
// product with shards and parts is the global batch.

#include "advice/written_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "edit/python.h"
#include "edit/setting.h"
#include "edit/span_text.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

using Form = WrittenSetting::Form;

constexpr int64_t kLargest = int64_t{1} << 30;

// "5 * 8", "1_024"; nothing for any other text.
std::optional<int64_t> ProductIn(std::string_view text) {
  int64_t product = 1;
  for (;;) {
    const size_t star = text.find('*');
    std::string digits(text.substr(0, star));
    std::erase_if(digits, [](char c) { return c == ' ' || c == '_'; });
    int64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    if (!whole || number < 1 || number > kLargest / product) return std::nullopt;
    product *= number;
    if (star == std::string_view::npos) return product;
    text.remove_prefix(star + 1);
  }
}

// "25 * strategy.num_replicas_in_sync": the number, and what it is multiplied with where that is
// the count of devices.
struct ShardNumber {
  int64_t value = 0;
  std::string times;
};
std::optional<ShardNumber> ShardNumberIn(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kCounts = {
      "num_replicas", "device_count", "world_size", "num_devices", "replica_count"};
  const size_t star = text.find('*');
  if (star == std::string_view::npos) return std::nullopt;
  std::string_view left = text.substr(0, star), right = text.substr(star + 1);
  if (!ProductIn(left)) std::swap(left, right);
  const std::optional<int64_t> value = ProductIn(left);
  while (right.starts_with(' ')) right.remove_prefix(1);
  while (right.ends_with(' ')) right.remove_suffix(1);
  const bool counts = std::ranges::any_of(
      kCounts, [&](std::string_view word) { return right.find(word) != std::string_view::npos; });
  if (!value || !counts || right.find_first_of("*+-/% ") != std::string_view::npos) {
    return std::nullopt;
  }
  return ShardNumber{*value, std::string(right)};
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

template <size_t N>
bool HasAny(std::string_view name, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(
      words, [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// "batch_size", "per_device_train_batch_size"; not what evaluates, or counts batches.
bool NamesTrainingBatch(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kOther = {
      "eval", "val", "test", "infer", "predict", "batches", "norm", "per_batch", "step", "sampl"};
  const std::string lower = Lower(name);
  if (name == "B" || lower == "bs" || lower == "bsz") return true;
  return lower.find("batch") != std::string::npos && !HasAny(lower, kOther);
}

bool NamesParts(std::string_view name) {
  static constexpr std::array<std::string_view, 2> kWords = {"accum", "microbatches"};
  return HasAny(Lower(name), kWords);
}

bool NamesSteps(std::string_view name) {
  static constexpr std::array<std::string_view, 3> kWords = {
      "steps_per_execution", "iterations_per_loop", "steps_per_loop"};
  return HasAny(Lower(name), kWords);
}

// The flag that a call declares, with its default.
std::optional<WrittenSetting> FlagOf(const SourceCall& call) {
  const auto ends_with = [&](std::string_view end) {
    return call.name.size() >= end.size() &&
           std::string_view(call.name).substr(call.name.size() - end.size()) == end;
  };
  const bool argparse = ends_with("add_argument");
  if (!argparse && !ends_with("DEFINE_integer")) return std::nullopt;
  WrittenSetting flag{.name = "", .location = call.location, .form = Form::kFlag};
  for (const SourceArgument& argument : call.arguments) {
    if (argument.keyword.empty() && argument.string) {
      const std::string& text = *argument.string;
      const bool is_name = argparse ? text.substr(0, 2) == "--" : flag.name.empty();
      if (is_name) flag.name = argparse ? text : "--" + text;
    }
    const bool is_default = argument.keyword == "default" || (!argparse && flag.value == 0);
    if (is_default && argument.integers.size() == 1) flag.value = argument.integers[0];
  }
  if (flag.name.empty() || flag.value < 1) return std::nullopt;
  return flag;
}

// A number that the batch stage is given by its position.
std::optional<WrittenSetting> ArgumentOfBatch(const Workload& workload) {
  const std::optional<Span> text = BatchSizeText(workload);
  const Pipeline* pipeline = workload.training_pipeline();
  if (!text || pipeline == nullptr || pipeline->batch() == nullptr) return std::nullopt;
  const std::optional<int64_t> value = NumberIn(workload, *text);
  if (!value || *value < 1 || KeywordValue(workload, pipeline->batch()->arguments, "batch_size")) {
    return std::nullopt;
  }
  const Stage& stage = *pipeline->batch();
  return WrittenSetting{.name = stage.text.substr(stage.text.find_last_of('.') + 1),
                        .location = stage.location,
                        .form = Form::kArgument,
                        .value = *value};
}

// Returns all names that the program gives a whole number.
std::vector<WrittenSetting> WrittenNumbers(const Workload& workload) {
  std::vector<WrittenSetting> all;
  for (const SourceAssignment& assignment : workload.facts.assignments) {
    if (assignment.augmented || assignment.targets.size() != 1) continue;
    WrittenSetting one{.name = assignment.targets[0], .location = assignment.location};
    if (const std::optional<int64_t> value = ProductIn(assignment.text)) {
      one.value = *value;
    } else if (std::optional<ShardNumber> number = ShardNumberIn(assignment.text)) {
      one.value = number->value;
      one.times = std::move(number->times);
    } else {
      continue;
    }
    all.push_back(std::move(one));
  }
  for (const SourceCall& call : workload.facts.calls) {
    if (std::optional<WrittenSetting> flag = FlagOf(call)) {
      all.push_back(*std::move(flag));
      continue;
    }
    for (const SourceArgument& argument : call.arguments) {
      if (argument.keyword.empty() || argument.integers.size() != 1) continue;
      if (argument.text.empty() || argument.integers[0] < 1) continue;
      all.push_back({.name = argument.keyword,
                     .location = call.location,
                     .form = Form::kKeyword,
                     .value = argument.integers[0]});
    }
  }
  return all;
}

// The first of them where all have the same number.
std::optional<WrittenSetting> OnlyOne(const std::vector<WrittenSetting>& found) {
  if (found.empty()) return std::nullopt;
  const auto other = [&](const WrittenSetting& one) { return one.value != found[0].value; };
  return std::ranges::any_of(found, other) ? std::nullopt : std::optional(found[0]);
}

// The same name for what stands as an argument: "BATCH" of `ds.batch(BATCH)`.
std::string NameIn(const Workload& workload, const std::optional<Span>& span) {
  const std::string text(span ? TextOf(workload, *span) : "");
  const bool is_name = !text.empty() && std::ranges::all_of(text, [](char c) {
    return IsNameCharacter(c) || c == '.';
  }) && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
  return is_name ? text : "";
}

class BatchSearch {
 public:
  BatchSearch(const Workload& workload, int64_t shards)
      : workload_(workload),
        shards_(shards),
        parts_(workload.training ? workload.training->accumulation_steps : 1),
        global_(*workload.declared_global_batch()),
        passed_(NameIn(workload, BatchSizeText(workload))) {}

  std::optional<WrittenSetting> Run(const std::vector<WrittenSetting>& all) const {
    // A process of PyTorch/XLA has the batch of its own device.
    const bool shard_first = workload_.host_loop.framework == Framework::kTorchXla;
    for (const bool of_shard : {shard_first, !shard_first}) {
      for (const bool of_part : {false, true}) {
        if ((of_shard && shards_ == 1) || (of_part && parts_ == 1)) continue;
        if (auto found = OnlyOne(Fitting(all, of_shard, of_part))) return found;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<WrittenSetting> Fitting(const std::vector<WrittenSetting>& all, bool of_shard,
                                      bool of_part) const {
    const int64_t times = (of_shard ? shards_ : 1) * (of_part ? parts_ : 1);
    std::vector<WrittenSetting> found;
    for (WrittenSetting one : all) {
      const bool named =
          one.form == Form::kArgument || one.name == passed_ || NamesTrainingBatch(one.name);
      if (!named || one.value * times != global_) continue;
      if (!one.times.empty() && !of_shard) continue;
      one.of_shard = of_shard;
      one.of_part = of_part;
      found.push_back(std::move(one));
    }
    return found;
  }

  const Workload& workload_;
  const int64_t shards_, parts_, global_;
  const std::string passed_;  // the name that the batch stage or fit() is given
};

template <class Named>
std::optional<WrittenSetting> OnlyNamed(const std::vector<WrittenSetting>& all, Named named) {
  std::vector<WrittenSetting> found;
  for (const WrittenSetting& one : all) {
    if (named(one.name)) found.push_back(one);
  }
  return OnlyOne(found);
}

}  // namespace

std::optional<Span> KeywordValue(const Workload& workload, const Span& arguments,
                                 std::string_view name) {
  for (const ArgumentText& given : SplitArguments(TextOf(workload, arguments))) {
    if (given.keyword != name) continue;
    return RangeOf(arguments, Begin(arguments) + given.value, Begin(arguments) + given.end);
  }
  return std::nullopt;
}

std::optional<Span> BatchSizeText(const Workload& workload) {
  const Pipeline* pipeline = workload.training_pipeline();
  const Stage* batch = pipeline == nullptr ? nullptr : pipeline->batch();
  if (batch != nullptr) {
    const WrittenArgument* written = batch->Written("batch_size");
    return written == nullptr ? std::nullopt : std::optional(written->value);
  }
  const SourceCall* fit = CallAt(workload.facts, workload.host_loop.fit);
  if (fit == nullptr) return std::nullopt;
  return KeywordValue(workload, fit->arguments_span, "batch_size");
}

WrittenSettings WrittenSettingsOf(const Workload& workload, int64_t shards) {
  WrittenSettings settings;
  const std::vector<WrittenSetting> all = WrittenNumbers(workload);
  if (workload.declared_global_batch()) {
    const BatchSearch search(workload, shards);
    if (const auto argument = ArgumentOfBatch(workload)) settings.batch = search.Run({*argument});
    if (!settings.batch) settings.batch = search.Run(all);
  }
  settings.parts = OnlyNamed(all, NamesParts);
  if (workload.training) settings.own_parts = workload.training->accumulation_steps;
  settings.steps = OnlyNamed(all, NamesSteps);
  if (!settings.steps) settings.compile = workload.host_loop.compile;
  if (const Pipeline* pipeline = workload.training_pipeline()) settings.loader = pipeline->loader;
  return settings;
}

std::string PlaceInWords(Location place) {
  place.file = std::filesystem::path(place.file).filename().string();
  place.column = 0;
  return FormatLocation(place);
}

std::string WithValue(const WrittenSetting& setting, int64_t value) {
  const std::string text = [&] {
    switch (setting.form) {
      case Form::kAssignment:
        return fmt::format("{} = {}{}", setting.name, value,
                           setting.times.empty() ? "" : " * " + setting.times);
      case Form::kArgument:
        return fmt::format("{}({})", setting.name, value);
      case Form::kKeyword:
      case Form::kFlag:
        break;
    }
    return fmt::format("{}={}", setting.name, value);
  }();
  return fmt::format("{}  # {}, now {}", text, PlaceInWords(setting.location), setting.value);
}

}  // namespace tilewise
