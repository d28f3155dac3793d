// Reports of torch_xla.debug.metrics. A text may hold several, each counted from
// the start of the run: the last value of a name counts.

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"

namespace tilewise {
namespace {

struct TimePart {
  double seconds;
  double value;
};

// "01m03s282ms217.172us": parts with their units; empty: no time.
std::vector<TimePart> PartsOf(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  static constexpr Unit kUnits[] = {{"us", 1e-6}, {"ms", 1e-3}, {"ns", 1e-9}, {"s", 1},
                                    {"m", 60},    {"h", 3600},  {"d", 86400}};
  std::vector<TimePart> parts;
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    const auto* unit = std::ranges::find_if(
        kUnits, [&](const Unit& candidate) { return text.starts_with(candidate.name); });
    if (unit == std::end(kUnits)) return {};
    text.remove_prefix(unit->name.size());
    parts.push_back({unit->seconds, value});
  }
  return parts;
}

// Every part is printed rounded, not cut: it is one too large where the rest is
// at least half of it.
std::optional<Seconds> TimeOf(std::string_view text) {
  const std::vector<TimePart> parts = PartsOf(text);
  if (parts.empty()) return std::nullopt;
  double rest = 0;
  for (size_t i = parts.size(); i-- > 0;) {
    const TimePart& part = parts[i];
    const bool rounded = i + 1 < parts.size() && rest >= part.seconds / 2;
    rest += (part.value - (rounded ? 1 : 0)) * part.seconds;
  }
  return Seconds{std::max(rest, 0.0)};
}

std::string_view Trimmed(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

// "164.12MB" in bytes; 0: no size.
double SizeOf(std::string_view text) {
  static constexpr std::string_view kUnits[] = {"KB", "MB", "GB", "TB", "PB"};
  double value = NumberIn(text);
  for (size_t i = 0; i < std::size(kUnits); ++i) {
    if (text.ends_with(kUnits[i])) return value * std::pow(1024, static_cast<double>(i + 1));
  }
  return value;
}

// What the last two reports of a counter or timer say.
class MetricsReader {
 public:
  void Line(std::string_view line) {
    if (line.starts_with("Metric: ")) {
      Begin(line.substr(8));
      timer_ = true;
    } else if (line.starts_with("Counter: ")) {
      Begin(line.substr(9));
      timer_ = false;
    } else if (name_.empty()) {
      return;
    } else if (line.starts_with("TotalSamples: ")) {
      samples_ = static_cast<int64_t>(NumberIn(line.substr(14)));
      if (timer_) stated().timers[name_].samples = samples_;
    } else if (line.starts_with("Accumulator: ") || line.starts_with("Counter: ")) {
      TakeTotal(Trimmed(line.substr(line.find(':') + 1)));
    } else if (line.starts_with("Percentiles: ")) {
      TakePercentiles(line.substr(13));
    } else if (line.starts_with("Value: ") && !timer_) {
      stated().counters[name_] = NumberIn(line.substr(7));
      ++found_;
    }
  }

  bool found() const { return found_ > 0; }
  Profile Take() { return std::move(profile_); }

 private:
  StatedFigures& stated() { return profile_.stated; }

  void Begin(std::string_view name) { name_ = std::string(Trimmed(name)); }

  void TakeTotal(std::string_view text) {
    ++found_;
    const std::optional<Seconds> time = TimeOf(text);
    if (time) {
      stated().timers[name_].total = *time;
      return;
    }
    stated().timers.erase(name_);
    stated().counters[name_ + " samples"] = static_cast<double>(samples_);
    stated().counters[name_] = SizeOf(text);
  }

  void TakePercentiles(std::string_view text) {
    const auto timer = stated().timers.find(name_);
    if (timer == stated().timers.end()) return;
    while (!text.empty()) {
      const size_t end = std::min(text.find(';'), text.size());
      const std::string_view entry = Trimmed(text.substr(0, end));
      const size_t equals = entry.find('=');
      text.remove_prefix(std::min(end + 1, text.size()));
      if (equals == std::string_view::npos) continue;
      const std::optional<Seconds> time = TimeOf(entry.substr(equals + 1));
      if (!time) continue;
      timer->second.longest = std::max(timer->second.longest, *time);
      if (entry.starts_with("50%")) timer->second.median = *time;
    }
  }

  Profile profile_;
  std::string name_;
  bool timer_ = false;
  int64_t samples_ = 0;
  int found_ = 0;
};

}  // namespace

absl::StatusOr<Profile> ReadTorchMetrics(ByteSource& source) {
  std::string_view text = source.All(kMostToolBytes).substr(0, kMostToolBytes);
  MetricsReader reader;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    reader.Line(Trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!reader.found()) {
    return InvalidInput("found no metrics, expected a report of torch_xla.debug.metrics");
  }
  Profile profile = reader.Take();
  profile.format = "torch_xla metrics report";
  if (!source.problem().empty()) profile.notes.push_back(source.problem());
  return profile;
}

}  // namespace tilewise
