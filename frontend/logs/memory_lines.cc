// Memory that ran out, arrays gathered whole, and memory that programs state.

#include <algorithm>
#include <iterator>

#include "frontend/logs/kinds.h"
#include "frontend/logs/log_reader.h"
#include "frontend/logs/memory_report.h"
#include "frontend/logs/reshard_log.h"

namespace tilewise {
namespace {

class OutOfMemoryReader : public LogReader {
 public:
  bool Take(const LogLine& line) override {
    return parser_.Take(line.text, line.Joined(), line.place);
  }
  void Finish(Workload& workload) override {
    std::vector<MemoryReport> found = parser_.Finish();
    std::ranges::move(found, std::back_inserter(workload.memory_reports));
  }

 private:
  MemoryReportParser parser_;
};

class ReshardReader : public LogReader {
 public:
  bool Take(const LogLine& line) override {
    std::string joined = line.Joined(2000);
    // The text ends at the next warning, which has a line of its own.
    const size_t sign = joined.find(kWholeReshardSign);
    const size_t next = joined.find(kWholeReshardSign, sign == std::string::npos ? sign : sign + 1);
    log_.Take(joined.substr(0, next), line.place);
    return false;
  }
  void Finish(Workload& workload) override {
    std::vector<WholeReshard> found = log_.Finish();
    std::ranges::move(found, std::back_inserter(workload.whole_reshards));
  }

 private:
  ReshardLog log_;
};

// What a compiled program needs, what is in use, a limit that rematerialisation
// did not reach, a gradient that was made dense.
class StatedMemoryReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  void Add(StatedMemory stated, const Location& place);
  bool TakePostCompilation(std::string_view text, const Location& place);
  bool TakeAllocator(std::string_view text, const Location& place);

  std::vector<StatedMemory> found_;
  StatedMemory allocator_;  // statistics of the runtime, line by line
};

void StatedMemoryReader::Add(StatedMemory stated, const Location& place) {
  constexpr size_t kMost = 100;
  stated.location = place;
  // The largest value is kept of what grows, as memory in use does.
  for (StatedMemory& other : found_) {
    if (other.kind == stated.kind && other.writer == stated.writer &&
        (stated.kind != StatedMemory::Kind::kProgram || other.total == stated.total)) {
      if (stated.total > other.total) other = stated;
      return;
    }
  }
  if (stated.total.value > 0 && found_.size() < kMost) found_.push_back(std::move(stated));
}

bool StatedMemoryReader::TakePostCompilation(std::string_view text, const Location& place) {
  const std::string_view rest = Trimmed(After(text, "Post Compilation Analysis:"));
  if (rest.empty()) return false;
  const auto size = [&](std::string_view key) { return ParseLogSize(After(rest, key)); };
  if (rest.starts_with("Graph input size:")) {
    StatedMemory stated;
    stated.writer = "torch_xla";
    stated.arguments = size("size:");
    stated.total = stated.arguments;
    stated.location = place;
    found_.push_back(std::move(stated));
    return true;
  }
  if (found_.empty() || found_.back().writer != "torch_xla") return true;
  StatedMemory& last = found_.back();
  if (rest.starts_with("Graph output size:")) last.output = size("size:");
  if (rest.starts_with("Aliased Input size:")) last.aliased = size("size:");
  if (rest.starts_with("Intermediate tensor size:")) last.temporaries = size("size:");
  if (rest.starts_with("Compiled program size:")) last.code = size("size:");
  last.total = last.arguments + last.output + last.temporaries + last.code - last.aliased;
  return true;
}

// "Peak In Use: 2.648 GiB", "Limit: 31.246 GiB".
bool StatedMemoryReader::TakeAllocator(std::string_view text, const Location& place) {
  const auto size = [&](std::string_view key) { return ParseLogSize(After(text, key)); };
  if (Has(text, "Peak In Use: ")) {
    allocator_.total = size("Peak In Use: ");
    allocator_.location = place;
    return true;
  }
  if (!Has(text, "Limit: ") || allocator_.total.value == 0) return false;
  allocator_.capacity = size("Limit: ");
  allocator_.kind = StatedMemory::Kind::kInUse;
  allocator_.writer = "the runtime";
  Add(allocator_, allocator_.location);
  return true;
}

bool StatedMemoryReader::Take(const LogLine& line) {
  const std::string_view text = line.text;
  if (TakePostCompilation(line.raw, line.place)) return false;
  if (TakeAllocator(text, line.place)) return true;
  const auto size = [&](std::string_view key) { return ParseLogSize(After(text, key)); };
  StatedMemory stated;
  if (Has(text, "Using (GB) ")) {
    stated.kind = StatedMemory::Kind::kInUse;
    stated.writer = "MaxText";
    const auto gib = [](std::optional<double> value) {
      return Bytes{static_cast<int64_t>(std::clamp(value.value_or(0), 0.0, 1e6) * (1 << 30))};
    };
    stated.total = gib(NumberAfter(text, "Using (GB) "));
    stated.capacity = gib(NumberAfter(After(text, "Using (GB) "), "/ "));
  } else if (Has(text, "emory size: ")) {
    stated.writer = "MaxText";
    stated.total = size("emory size: ");
    const bool estimated = Has(text, "estimated output size: ");
    stated.output = size(estimated ? "output size: " : "Output size: ");
    stated.temporaries = size(Has(text, "Temp size: ") ? "Temp size: " : "temp size: ");
    stated.arguments = size(Has(text, "Argument size: ") ? "Argument size: " : "argument size: ");
    const Bytes sum = stated.arguments + stated.output + stated.temporaries;
    stated.aliased = sum - std::min(sum, stated.total);
  } else if (Has(text, "by rematerialization; only reduced to ")) {
    stated.kind = StatedMemory::Kind::kRematerialized;
    stated.writer = "XLA";
    stated.capacity = size("memory use below ");
    stated.total = size("only reduced to ");
  } else if (Has(text, "Converting sparse IndexedSlices ")) {
    stated.kind = StatedMemory::Kind::kDenseGradient;
    stated.writer = "TensorFlow";
    constexpr int64_t kFloat = 4;
    const double elements = NumberAfter(text, "Tensor with ").value_or(0);
    if (elements > 0 && elements < 1e15) {
      stated.total = Bytes{static_cast<int64_t>(elements)} * kFloat;
    }
  }
  Add(std::move(stated), line.place);
  return false;
}

void StatedMemoryReader::Finish(Workload& workload) {
  std::ranges::move(found_, std::back_inserter(workload.run_log.memory));
}

}  // namespace

std::unique_ptr<LogReader> OutOfMemoryLines() { return std::make_unique<OutOfMemoryReader>(); }
std::unique_ptr<LogReader> ReshardLines() { return std::make_unique<ReshardReader>(); }
std::unique_ptr<LogReader> StatedMemoryLines() { return std::make_unique<StatedMemoryReader>(); }

}  // namespace tilewise
