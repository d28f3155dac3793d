// Compliance logs of MLPerf Training: when a run started and stopped, its epochs
// and the accuracy that it reached.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"

namespace tilewise {
namespace {

struct MlperfLine {
  double time = 0;  // seconds since 1970
  std::string_view key, value;
};

// ":::MLPv0.5.0 resnet 1541660914.08 (file.py:523) key: value".
bool ParseOldLine(std::string_view line, MlperfLine& parsed) {
  const size_t first = line.find(' ');
  const size_t second = line.find(' ', first + 1);
  const size_t close = line.find(") ", second + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      close == std::string_view::npos) {
    return false;
  }
  parsed.time = NumberIn(line.substr(second + 1));
  const std::string_view rest = line.substr(close + 2);
  const size_t colon = rest.find(':');
  parsed.key = rest.substr(0, colon);
  parsed.value = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  return parsed.time > 0;
}

class MlperfReader {
 public:
  void Line(std::string_view line) {
    const size_t old = line.find(":::MLPv0.");
    MlperfLine parsed;
    if (old != std::string_view::npos) {
      if (ParseOldLine(line.substr(old), parsed)) Take(parsed);
      return;
    }
    const size_t fresh = line.find(":::MLLOG ");
    if (fresh == std::string_view::npos) return;
    const std::string_view body = line.substr(fresh + 9);
    const auto json = nlohmann::json::parse(body.begin(), body.end(), nullptr, false);
    if (!json.is_object() || !json.contains("key") || !json["key"].is_string()) return;
    const std::string key = json["key"];
    const std::string value = json.contains("value") ? json["value"].dump() : "";
    const bool timed = json.contains("time_ms") && json["time_ms"].is_number();
    Take({.time = timed ? json["time_ms"].get<double>() / 1000 : 0, .key = key, .value = value});
  }

  absl::StatusOr<Profile> Finish() {
    if (evaluated_epochs_ > 0) epochs_ = evaluated_epochs_;
    if (lines_ == 0) return InvalidInput("found no line that begins with :::MLP or :::MLLOG");
    Profile profile;
    profile.format = "MLPerf log";
    StatedFigures& stated = profile.stated;
    if (start_ > 0 && stop_ > start_) stated.counters["run time (s)"] = stop_ - start_;
    if (start_ == 0 || stop_ == 0) {
      profile.notes.emplace_back("The log is cut: the run's start or stop is missing.");
    }
    if (epochs_ > 0) stated.counters["epochs"] = epochs_;
    if (evaluations_ > 0) stated.counters["evaluations"] = evaluations_;
    if (batch_ > 0) stated.counters["global batch"] = batch_;
    if (examples_ > 0) stated.counters["training examples"] = examples_;
    if (accuracy_ > 0) stated.counters["last evaluation"] = accuracy_;
    if (batch_ > 0 && examples_ > 0 && epochs_ > 0 && stop_ > start_) {
      stated.counters["examples per second, evaluations included"] =
          examples_ * epochs_ / (stop_ - start_);
    }
    return profile;
  }

 private:
  void Take(const MlperfLine& line) {
    ++lines_;
    if (line.key == "run_start") start_ = line.time;
    if (line.key == "run_stop") stop_ = line.time;
    if (line.key == "train_epoch" || line.key == "epoch_start") {
      epochs_ = std::max(epochs_, NumberIn(line.value) + 1);
    }
    if (line.key == "eval_start") ++evaluations_;
    if (line.key == "input_batch_size" || line.key == "global_batch_size") {
      batch_ = NumberIn(line.value);
    }
    if (line.key == "preproc_num_train_examples" || line.key == "train_samples") {
      examples_ = NumberIn(line.value);
    }
    if (line.key == "eval_accuracy") TakeAccuracy(line.value);
  }

  // 0.75 or {"value": 0.75, "epoch": 61}.
  void TakeAccuracy(std::string_view text) {
    const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_number()) accuracy_ = json.get<double>();
    if (!json.is_object()) return;
    if (json.contains("value") && json["value"].is_number()) accuracy_ = json["value"];
    if (json.contains("epoch") && json["epoch"].is_number()) {
      evaluated_epochs_ = std::max(evaluated_epochs_, json["epoch"].get<double>());
    }
  }

  int64_t lines_ = 0;
  double start_ = 0, stop_ = 0, epochs_ = 0, evaluations_ = 0, batch_ = 0, examples_ = 0;
  double accuracy_ = 0;
  double evaluated_epochs_ = 0;  // that had been trained when it was evaluated
};

}  // namespace

absl::StatusOr<Profile> ReadMlperfLog(ByteSource& source) {
  std::string_view text = source.All(kMostToolBytes).substr(0, kMostToolBytes);
  MlperfReader reader;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    reader.Line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.Finish();
}

}  // namespace tilewise
