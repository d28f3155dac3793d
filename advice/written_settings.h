// Finds where a program writes the numbers that a search changes: its batch, the parts of a batch
// whose gradients are added up, the steps of an execution.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/location.h"
#include "pipeline/host_loop.h"
#include "workload/workload.h"

namespace tilewise {

// "batch_size = 12", "batch_size=12" of a call, "--batch-size" with the default 12,
// "batch(12)".
struct WrittenSetting {
  enum class Form : uint8_t { kAssignment, kKeyword, kFlag, kArgument };
  std::string name;  // "self.batch_size", "--batch-size"
  Location location;
  Form form = Form::kAssignment;
  int64_t value = 0;
  // The batch is that of one shard, and of one of the parts that run one after the other.
  bool of_shard = false, of_part = false;
  // What the file multiplies it with: "strategy.num_replicas_in_sync".
  std::string times;
};

struct WrittenSettings {
  std::optional<WrittenSetting> batch, parts, steps;
  int64_t own_parts = 1;  // in which the program sums gradients
  Location compile;       // of compile(), where it does not name the steps
  // The training data come through this class: "DataLoader"; empty: another way.
  std::string loader;
};

// A batch is found by its name and number, where all locations that fit have the same
// number.
WrittenSettings WrittenSettingsOf(const Workload& workload, int64_t shards);

// "train.py:49".
std::string PlaceInWords(Location place);
// "batch_size = 8  # train.py:49, now 12".
std::string WithValue(const WrittenSetting& setting, int64_t value);

// The size of the training batch as a file states it.
std::optional<Span> BatchSizeText(const Workload& workload);
// Returns where the value of keyword `name` stands among a call's arguments.
std::optional<Span> KeywordValue(const Workload& workload, const Span& arguments,
                                 std::string_view name);

}  // namespace tilewise
