// Numbers with units into stages and stores; names are looked for in all pipelines.

#include "session/measured_input.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "sim/stage_cost.h"

namespace tilewise {
namespace {

constexpr double kMostPerExample = 3600;  // seconds
constexpr double kMostBytes = 1e15;
constexpr std::string_view kForm =
    "NAME=VALUE with a time of one example (850us, 1.2ms), examples a second on one core (1200/s) "
    "or bytes of an example (150kB)";

struct Unit {
  std::string_view name;
  double scale;
};
constexpr Unit kTimes[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
constexpr Unit kSizes[] = {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};

struct Quantity {
  double number = 0;
  std::string unit;
};

std::optional<Quantity> ParseQuantity(std::string_view text) {
  Quantity quantity;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (read.ec != std::errc() || !std::isfinite(quantity.number) || quantity.number <= 0) {
    return std::nullopt;
  }
  quantity.unit = text.substr(static_cast<size_t>(read.ptr - text.data()));
  quantity.unit.erase(0, quantity.unit.find_first_not_of(' ') == std::string::npos
                             ? 0
                             : quantity.unit.find_first_not_of(' '));
  return quantity;
}

template <size_t kUnits>
std::optional<double> In(const Quantity& quantity, const Unit (&units)[kUnits],
                         std::string_view behind = "") {
  for (const Unit& unit : units) {
    if (quantity.unit == fmt::format("{}{}", unit.name, behind)) {
      return quantity.number * unit.scale;
    }
  }
  return std::nullopt;
}

absl::Status Misread(const std::string& word, std::string_view expected) {
  return InvalidInput(fmt::format("found '{}', expected {}", word.substr(0, 80), expected));
}

absl::Status ReadSource(const std::string& word, std::string_view name, const Quantity& quantity,
                        MeasuredInput& input) {
  const std::optional<double> rate = In(quantity, kSizes, "/s");
  const std::optional<double> time = In(quantity, kTimes);
  if (name == "source.file" && time) {
    input.file = Seconds{*time};
  } else if (name == "source.stream" && rate) {
    input.stream = BytesPerSecond{*rate};
  } else if (name == "source.total" && rate) {
    input.total = BytesPerSecond{*rate};
  } else {
    return Misread(word, "source.stream=80MB/s, source.total=1GB/s or source.file=30ms");
  }
  return absl::OkStatus();
}

absl::Status ReadStage(const std::string& word, const std::string& name, const Quantity& quantity,
                       MeasuredInput& input) {
  MeasuredStage measured;
  if (const std::optional<double> time = In(quantity, kTimes)) {
    measured.per_example = Seconds{*time};
  } else if (quantity.unit == "/s") {
    measured.per_example = Seconds{1 / quantity.number};
  } else if (const std::optional<double> size = In(quantity, kSizes); size && *size < kMostBytes) {
    measured.bytes_per_example = Bytes{std::max<int64_t>(1, std::llround(*size))};
  } else {
    return Misread(word, kForm);
  }
  if (measured.per_example && measured.per_example->value > kMostPerExample) {
    return Misread(word, "at most an hour for one example");
  }
  input.stages.push_back({name, measured});
  return absl::OkStatus();
}

std::string LastPart(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "train.py:31" or "31" is the location of the stage; folders may be left out.
bool StandsAt(const Stage& stage, const std::string& name) {
  if (!stage.location.known()) return false;
  const std::string line = std::to_string(stage.location.line);
  if (name == line) return true;
  const std::string place = fmt::format("/{}:{}", stage.location.file, line);
  // Several stages of a chain may stand in a line.
  const std::string exact = fmt::format("{}:{}", place, stage.location.column);
  return place.ends_with("/" + name) || exact.ends_with("/" + name);
}

bool IsNamed(const Stage& stage, const std::string& name) {
  return StandsAt(stage, name) || name == StageName(stage.kind) ||
         (!stage.function.name.empty() && name == LastPart(stage.function.name)) ||
         (!stage.text.empty() && name == LastPart(stage.text)) ||
         (name == "source" && IsSource(stage.kind));
}

std::string NameOf(const Stage& stage) {
  std::string name = stage.function.name.empty() ? std::string(StageName(stage.kind))
                                                 : LastPart(stage.function.name);
  const Location& at = stage.location;
  if (!at.known()) return name;
  const std::string column = at.column > 0 ? fmt::format(":{}", at.column) : "";
  return fmt::format("{} ({}:{}{})", name, FileName(at.file), at.line, column);
}

std::string StagesOf(const std::vector<Pipeline>& pipelines) {
  constexpr size_t kMost = 20;
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Pipeline& pipeline : pipelines) {
    for (const Stage& stage : pipeline.stages) {
      const std::string name = NameOf(stage);
      if (names.size() < kMost && seen.insert(name).second) names.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// A measured size behind all functions is what reaches the device.
void Set(const MeasuredStage& measured, Pipeline& pipeline, Stage& stage) {
  if (measured.per_example) stage.measured.per_example = measured.per_example;
  if (!measured.bytes_per_example) return;
  stage.measured.bytes_per_example = measured.bytes_per_example;
  const auto at = &stage - pipeline.stages.data();
  if (at == 0) pipeline.source_item_bytes = measured.bytes_per_example;
  const bool last = std::none_of(pipeline.stages.begin() + at + 1, pipeline.stages.end(),
                                 [](const Stage& later) { return later.kind == StageKind::kMap; });
  if (last) pipeline.item_bytes = measured.bytes_per_example;
}

absl::StatusOr<bool> ApplyTo(const MeasuredInput::Entry& entry, const std::string& from,
                             Pipeline& pipeline) {
  std::vector<Stage*> named;
  for (Stage& stage : pipeline.stages) {
    if (IsNamed(stage, entry.stage)) named.push_back(&stage);
  }
  if (named.size() > 1) {
    std::vector<std::string> names;
    names.reserve(named.size());
    for (const Stage* stage : named) names.push_back(NameOf(*stage));
    return InvalidInput(
        fmt::format("{}: found {} stages '{}', expected the place of one of them: {}", from,
                    named.size(), entry.stage, fmt::join(names, ", ")));
  }
  if (!named.empty()) Set(entry.measured, pipeline, *named.front());
  return !named.empty();
}

}  // namespace

absl::StatusOr<MeasuredInput> ParseMeasuredInput(const std::vector<std::string>& words) {
  MeasuredInput input;
  for (const std::string& word : words) {
    const size_t equals = word.rfind('=');
    if (equals == std::string::npos || equals == 0) return Misread(word, kForm);
    const std::string name = word.substr(0, equals);
    const std::optional<Quantity> quantity =
        ParseQuantity(std::string_view(word).substr(equals + 1));
    if (!quantity) return Misread(word, kForm);
    TW_RETURN_IF_ERROR(name.starts_with("source.") ? ReadSource(word, name, *quantity, input)
                                                   : ReadStage(word, name, *quantity, input));
  }
  return input;
}

absl::Status ApplyMeasuredInput(const MeasuredInput& input, const std::string& from,
                                std::vector<Pipeline>& pipelines, Host& host) {
  if (input.total || input.stream || input.file) host.store.name = kStatedStore;
  if (input.total) host.store.total = *input.total;
  if (input.stream) host.store.stream = *input.stream;
  // All readers are as fast as one at least, and one as slow as all of them.
  if (input.stream) host.store.total = std::max(host.store.total, host.store.stream);
  host.store.stream = std::min(host.store.stream, host.store.total);
  if (input.file) host.store.file = *input.file;
  if (pipelines.empty()) return absl::OkStatus();
  for (const MeasuredInput::Entry& entry : input.stages) {
    bool found = false;
    for (Pipeline& pipeline : pipelines) {
      TW_ASSIGN_OR_RETURN(const bool applied, ApplyTo(entry, from, pipeline));
      found = found || applied;
    }
    if (found) continue;
    return InvalidInput(
        fmt::format("{}: found no stage '{}' in the input pipelines, expected one "
                    "of {}",
                    from, entry.stage.substr(0, 80), StagesOf(pipelines)));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
