// What the user measured of the input: the time of a stage for one example, the
// bytes that leave it, and what the store of the data delivers. It counts more
// than what is read from the code or known of the host.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "hardware/host.h"
#include "pipeline/pipeline.h"

namespace tilewise {

struct MeasuredInput {
  struct Entry {
    std::string stage;  // as the user names it
    MeasuredStage measured;
  };
  std::vector<Entry> stages;
  std::optional<BytesPerSecond> stream, total;  // of the store
  std::optional<Seconds> file;                  // to open one
};

// Words like "augment=850us", "train.py:31=1200/s", "decode=150kB" and
// "source.stream=80MB/s". Errors: another form, a number that is not above 0.
absl::StatusOr<MeasuredInput> ParseMeasuredInput(const std::vector<std::string>& words);

// A stage is named by its function, by its location ("train.py:31", "31") or by what it
// is ("map", "source"). `from`: where the entries were given. Errors: a stage that no
// pipeline has, with those that there are; a name that several stages of a pipeline
// have. Programs without a pipeline are left alone.
absl::Status ApplyMeasuredInput(const MeasuredInput& input, const std::string& from,
                                std::vector<Pipeline>& pipelines, Host& host);

}  // namespace tilewise
