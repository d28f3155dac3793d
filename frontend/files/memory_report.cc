// The lines are told by their words, not by their number or indentation, which
// loggers and releases change (tpu-lowering 6, "OOM message anatomy").

#include "frontend/files/memory_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace tilewise {
namespace {

constexpr size_t kMostAllocations = 200;  // of a report
constexpr size_t kMostReports = 1000;
constexpr size_t kLongestText = 2000;

std::string Short(std::string_view text) { return std::string(text.substr(0, kLongestText)); }

// The word at the start.
std::string_view Word(std::string_view text) { return text.substr(0, text.find_first_of(" .,:")); }

void SetIfThere(std::string_view text, std::string_view key, Bytes& to) {
  const std::string_view rest = After(text, key);
  if (!rest.empty()) to = ParseLogSize(rest);
}

// "1. Size: 2.00G"
bool StartsAllocation(std::string_view text) {
  const size_t dot = text.find_first_not_of("0123456789\\");
  return dot != std::string_view::npos && dot > 0 && text[dot] == '.' &&
         text.substr(dot).starts_with(". Size:");
}

bool Same(const MemoryReport& a, const MemoryReport& b) {
  const auto shape = [](const MemoryReport& r) {
    return r.largest.empty() ? std::string_view() : r.largest.front().shape;
  };
  return a.stage == b.stage && a.space == b.space && a.used == b.used && a.capacity == b.capacity &&
         a.kernel == b.kernel && a.program == b.program && a.temporaries == b.temporaries &&
         a.largest.size() == b.largest.size() && shape(a) == shape(b);
}

Location SourceOf(std::string_view line) {
  Location source;
  source.file = QuotedAfter(line, "source_file=").substr(0, kLongestText);
  const std::string_view number = After(line, "source_line=");
  std::from_chars(number.data(), number.data() + number.size(), source.line);
  return source;
}

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Whether "...name.cc:76" ends `prefix`.
bool EndsWithSourceLine(std::string_view prefix) {
  const size_t digits = prefix.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < prefix.size() && prefix[digits] == ':' &&
         (prefix.substr(0, digits).ends_with(".cc") || prefix.substr(0, digits).ends_with(".py"));
}

int ExponentOf(std::string_view unit) {
  constexpr std::string_view kUnits = "KMGTPE";
  const size_t place = unit.empty() ? std::string_view::npos : kUnits.find(unit.front());
  return place == std::string_view::npos ? 0 : static_cast<int>(place + 1) * 10;
}

}  // namespace

void MemoryReportParser::Start(std::string_view text, const Location& place) {
  MemoryReport report;
  const std::string_view space = After(text, "in memory space ");
  if (!space.empty()) report.space = std::string(Word(space)).substr(0, 20);
  const std::string_view kernel = After(space, " for ");
  if (kernel.starts_with('%')) report.kernel = Short(kernel.substr(0, kernel.find_first_of(" ,")));
  report.location = place;
  reports_.push_back(std::move(report));
  section_ = Section::kNone;
  in_allocation_ = false;
  has_total_ = false;
}

// "Aborting compilation early because it's unlikely to have enough memory.
// Requires 3.47E, has 14.49G available.", "Error loading program 'jit_f':
// Attempting to reserve 10.51G at the bottom of memory. That was not possible.
// There are 8.97G free, 0B reserved, and 8.97G reservable.", "Attempting to
// allocate 129.50M. That was not possible. There are 78.17M free.; (0x0x0_HBM0)"
bool MemoryReportParser::TakeOneLine(std::string_view text, const Location& place) {
  const auto size_after = [&](std::string_view key) { return ParseLogSize(After(text, key)); };
  MemoryReport r;
  if (text.find("Aborting compilation early") != std::string_view::npos) {
    r.stage = MemoryStage::kEstimate;
    r.used = size_after("Requires ");
    r.capacity = size_after(" has ");
  } else if (r.used = size_after("Attempting to reserve "); r.used.value > 0) {
    r.stage = MemoryStage::kLoad;
    const std::string_view program = After(text, "loading program '");
    r.kernel = Short(program.substr(0, program.find('\'')));
  } else {
    r.stage = MemoryStage::kAllocate;
    for (const std::string_view key :
         {"Attempting to allocate ", "Failed to allocate request for ",
          "Out of memory while trying to allocate ", "Out of memory allocating "}) {
      r.used = std::max(r.used, size_after(key));
    }
  }
  if (r.used.value == 0 || reports_.size() >= kMostReports) return false;
  if (const std::string_view left = After(text, "There are "); !left.empty()) {
    r.free = ParseLogSize(left);
    const size_t reservable = left.find(" reservable");
    if (reservable != std::string_view::npos) {
      const std::string_view before = left.substr(0, reservable);
      r.free_in_one_piece = ParseLogSize(before.substr(before.rfind(' ') + 1));
    }
  }
  r.location = place;
  reports_.push_back(std::move(r));
  has_total_ = true;
  return true;
}

// "Scoped allocation with size 37.22M and limit 32.00M exceeded scoped vmem
// limit by 5.22M."
void MemoryReportParser::TakeScoped(std::string_view text) {
  if (text.find("Scoped allocation with size ") == std::string_view::npos) return;
  MemoryReport& r = report();
  SetIfThere(text, "allocation with size ", r.used);
  SetIfThere(text, "and limit ", r.capacity);
  SetIfThere(text, "limit by ", r.exceeded);
}

// "Used 21.95G of 15.48G hbm. Exceeded hbm capacity by 6.47G."
void MemoryReportParser::TakeTotals(std::string_view text) {
  MemoryReport& r = report();
  if (const std::string_view used = After(text, "Used "); !used.empty()) {
    const std::string_view of = After(used, " of ");
    if (!of.empty() && r.used.value == 0) {
      r.used = ParseLogSize(used);
      r.capacity = ParseLogSize(of);
    }
  }
  SetIfThere(text, " capacity by ", r.exceeded);
  SetIfThere(text, "HBM capacity", r.capacity);
  TakeScoped(text);
  SetIfThere(text, "Output size ", r.output);
  if (const auto total = After(text, " usage >= "); !total.empty()) {
    section_ = Section::kTotal;
    has_total_ = true;
    if (r.used.value == 0) r.used = ParseLogSize(total);
  }
  if (text.starts_with("Program ") && text.find(" requirement ") != std::string_view::npos) {
    section_ = Section::kProgram;
    if (r.program.value == 0) SetIfThere(text, " requirement ", r.program);
  }
}

// "reserved  530.00M" of the total, "HLO temp  63.79G (... Unpadded (63.58G)"
// of the program.
void MemoryReportParser::TakeRow(std::string_view text) {
  MemoryReport& r = report();
  if (section_ == Section::kTotal) {
    if (text.starts_with("reserved")) {
      const size_t paren = text.find(')');
      const size_t from = text.starts_with("reserved(") && paren != std::string_view::npos
                              ? paren + 1
                              : std::string_view("reserved").size();
      r.reserved = ParseLogSize(text.substr(from));
    }
    if (text.starts_with("program ")) r.program = ParseLogSize(text.substr(8));
    if (text.starts_with("arguments ")) {
      r.arguments = ParseLogSize(text.substr(10));
    }
  }
  if (section_ == Section::kProgram && text.starts_with("HLO temp")) {
    r.temporaries = ParseLogSize(text.substr(8));
    SetIfThere(text, "Unpadded (", r.temporaries_unpadded);
  }
}

void MemoryReportParser::TakeAllocation(std::string_view text, const Location& place) {
  std::vector<ReportedAllocation>& all = report().largest;
  if (StartsAllocation(text)) {
    in_allocation_ = all.size() < kMostAllocations;
    if (!in_allocation_) return;
    ReportedAllocation allocation;
    allocation.size = ParseLogSize(After(text, "Size:"));
    allocation.unpadded = allocation.size;
    allocation.location = place;
    all.push_back(std::move(allocation));
    return;
  }
  if (!in_allocation_) return;
  ReportedAllocation& last = all.back();
  if (text.starts_with("Operator:")) {
    last.operation = Short(QuotedAfter(text, "op_name="));
    last.source = SourceOf(text);
  } else if (text.starts_with("Shape: ")) {
    last.shape = Short(text.substr(7));
  } else if (text.starts_with("Unpadded size: ")) {
    last.unpadded = ParseLogSize(text.substr(15));
  } else if (text.starts_with("XLA label: ")) {
    last.label = Short(text.substr(11));
  } else if (text.starts_with("Allocation type: ")) {
    last.kind = Short(text.substr(17));
  } else if (text.starts_with("=====")) {
    in_allocation_ = false;
  }
}

void MemoryReportParser::Take(std::string_view text, const Location& place) {
  const bool first_line = text.find(kMemorySigns[0]) != std::string_view::npos;
  if (!first_line && TakeOneLine(text, place)) return;
  // Where the first line is missing, the total is the first.
  const bool total = text.find("Total ") != std::string_view::npos &&
                     text.find(" usage >= ") != std::string_view::npos &&
                     (reports_.empty() || has_total_);
  const bool reserve = text.starts_with("HBM capacity ");
  // The same once more, with its parts.
  constexpr int kNearby = 3;
  if (reserve && !reports_.empty() && report().stage == MemoryStage::kLoad &&
      place.line - report().location.line <= kNearby) {
    reports_.pop_back();
  }
  if ((first_line || total || reserve) && reports_.size() < kMostReports) {
    Start(text, place);
  }
  if (reports_.empty() || report().stage != MemoryStage::kCompile) return;
  TakeTotals(text);
  TakeRow(text);
  TakeAllocation(text, place);
}

std::vector<MemoryReport> MemoryReportParser::Finish() {
  std::vector<MemoryReport> kept;
  for (MemoryReport& found : reports_) {
    if (found.used.value == 0 && found.largest.empty()) continue;
    const auto again =
        std::ranges::find_if(kept, [&](const MemoryReport& other) { return Same(found, other); });
    if (again != kept.end()) {
      ++again->times;
      continue;
    }
    if (found.exceeded.value == 0 && found.capacity.value > 0 && found.used > found.capacity) {
      found.exceeded = found.used - found.capacity;
    }
    kept.push_back(std::move(found));
  }
  return kept;
}

std::string_view LogText(std::string_view line) {
  constexpr size_t kLongestPrefix = 200;
  const size_t end = line.substr(0, kLongestPrefix).find("] ");
  const size_t bare = line.ends_with("]") ? line.size() - 1 : end;
  const size_t cut = end != std::string_view::npos ? end : bare;
  if (cut != std::string_view::npos && EndsWithSourceLine(line.substr(0, cut))) {
    line.remove_prefix(std::min(cut + 2, line.size()));
  }
  return Trimmed(line);
}

std::string_view After(std::string_view line, std::string_view key) {
  const size_t place = line.find(key);
  if (place == std::string_view::npos) return {};
  return line.substr(place + key.size());
}

Bytes ParseLogSize(std::string_view text) {
  text = Trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0) || number > 1e15) return {};
  text.remove_prefix(end - text.data());
  const double bytes = std::ldexp(number, ExponentOf(text));
  return {bytes < 9e18 ? static_cast<int64_t>(std::llround(bytes)) : 0};
}

std::string QuotedAfter(std::string_view line, std::string_view key) {
  std::string_view rest = After(line, key);
  if (!rest.starts_with('"')) return "";
  std::string text;
  for (size_t i = 1; i < rest.size() && rest[i] != '"'; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    text += rest[i];
  }
  return text;
}

}  // namespace tilewise
