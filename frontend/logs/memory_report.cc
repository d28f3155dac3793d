// The lines are told by their words, not by their number or indentation, which
// loggers and releases change (tpu-lowering 6, "OOM message anatomy").

#include "frontend/logs/memory_report.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/logs/log_text.h"

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
  const QuotedSource source = SourceIn(line);
  return {.file = source.file, .line = source.line};
}

// "10485760" of "Could not allocate 10485760 bytes".
Bytes PlainBytes(std::string_view text) {
  const double number = NumberAtStart(text).value_or(0);
  return {number > 0 && number < 9e18 ? static_cast<int64_t>(number) : 0};
}

// "TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G, exceeding
// available bytes: 95.74G".
std::optional<MemoryReport> SparseCoreReport(std::string_view text) {
  const std::string_view sparse = After(text, "SparseCore Hbm usage");
  if (sparse.empty()) return std::nullopt;
  const auto size = [](std::string_view after) {
    after.remove_prefix(std::min(after.find_first_not_of(" :"), after.size()));
    return ParseLogSize(after);
  };
  MemoryReport r;
  r.sparse_core = size(sparse);
  r.used = r.sparse_core + size(After(text, "TensorCore Hbm usage"));
  r.capacity = size(After(text, "available bytes"));
  return r;
}

// "Allocation (size=134217728) would exceed memory (size=67108864) ::
// #allocation25 [shape = 'u8[134217728]{0}', space=vmem, .. tag = 'x'] :: op".
std::optional<MemoryReport> TooLargeAllocation(std::string_view text) {
  const std::string_view of = After(text, "would exceed memory (size=");
  if (of.empty()) return std::nullopt;
  MemoryReport r;
  r.capacity = PlainBytes(of);
  r.used = PlainBytes(After(text, "llocation (size="));
  const std::string_view space = After(of, "space=");
  if (!space.empty()) r.space = std::string(Word(space.substr(0, 20)));
  const size_t op = of.rfind(":: ");
  const std::string_view name = op == std::string_view::npos ? "" : of.substr(op + 3);
  r.kernel = Short(name.substr(0, name.find_first_of(" ,[")));
  return r;
}

// "Could not allocate 10485760 bytes in memory 0x0x0_HBM0; 4374528 bytes
// allocatable, 14942208 bytes available".
std::optional<MemoryReport> DriverReport(std::string_view text) {
  const std::string_view asked = After(text, "Could not allocate ");
  if (asked.empty() || !Has(asked, " bytes available")) return std::nullopt;
  MemoryReport r;
  r.stage = MemoryStage::kAllocate;
  r.used = PlainBytes(asked);
  r.free = PlainBytes({});
  const auto number_before = [&](std::string_view key) {
    const double number = NumberEnding(Before(asked, key)).value_or(0);
    return Bytes{static_cast<int64_t>(number)};
  };
  r.free_in_one_piece = number_before(" bytes allocatable");
  r.free = number_before(" bytes available");
  return r;
}

// "OOM when allocating tensor with shape[128,64,112,112] and type float on ..".
std::optional<MemoryReport> TensorReport(std::string_view text) {
  std::string_view shape = After(text, "OOM when allocating tensor with shape[");
  if (shape.empty()) return std::nullopt;
  const std::string_view type = After(shape, "type ");
  double bytes = type.starts_with("half") || type.starts_with("bfloat16")  ? 2
                 : type.starts_with("double") || type.starts_with("int64") ? 8
                                                                           : 4;
  shape = shape.substr(0, shape.find(']'));
  while (!shape.empty()) {
    const std::string_view dim = shape.substr(0, shape.find(','));
    bytes *= NumberAtStart(dim).value_or(1);
    shape.remove_prefix(std::min(dim.size() + 1, shape.size()));
  }
  MemoryReport r;
  r.stage = MemoryStage::kAllocate;
  if (bytes > 0 && bytes < 9e18) r.used = {static_cast<int64_t>(bytes)};
  return r;
}

// Returns the part of the joined lines that belongs to the first: up to where another report
// begins.
std::string_view OneSentence(std::string_view text, std::string_view joined) {
  size_t end = joined.find("RESOURCE_EXHAUSTED", text.size());
  for (const std::string_view sign : kLineSigns)
    end = std::min(end, joined.find(sign, text.size()));
  for (const std::string_view sign : kListSigns)
    end = std::min(end, joined.find(sign, text.size()));
  return joined.substr(0, end);
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
  std::optional<MemoryReport> other = SparseCoreReport(text);
  if (!other) other = TooLargeAllocation(text);
  if (!other) other = DriverReport(text);
  if (!other) other = TensorReport(text);
  if (other) {
    r = *std::move(other);
  } else if (text.find("Aborting compilation early") != std::string_view::npos) {
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
    SetIfThere(left, "largest contiguous region of free memory is ", r.free_in_one_piece);
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
bool MemoryReportParser::TakeTotals(std::string_view text) {
  MemoryReport& r = report();
  const bool part = Has(text, " capacity by ") || Has(text, " usage >= ") ||
                    Has(text, " requirement ") || Has(text, "Output size ");
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
    if (r.used.value == 0) r.used = r.program;
  }
  return part;
}

// "reserved  530.00M" of the total, "HLO temp  63.79G (... Unpadded (63.58G)"
// of the program.
bool MemoryReportParser::TakeRow(std::string_view text) {
  MemoryReport& r = report();
  if (section_ == Section::kNone) return false;
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
      r.says_arguments = !Has(text, "unknown");
    }
  }
  if (section_ == Section::kProgram && text.starts_with("HLO temp")) {
    r.temporaries = ParseLogSize(text.substr(8));
    SetIfThere(text, "Unpadded (", r.temporaries_unpadded);
  }
  return text.starts_with("reserved") || text.starts_with("HLO temp") ||
         text.starts_with("global") || text.starts_with("scoped") || text.starts_with("program ") ||
         text.starts_with("arguments ");
}

bool MemoryReportParser::TakeAllocation(std::string_view text, const Location& place) {
  std::vector<ReportedAllocation>& all = report().largest;
  if (StartsAllocation(text)) {
    in_allocation_ = all.size() < kMostAllocations;
    if (!in_allocation_) return true;
    ReportedAllocation allocation;
    allocation.size = ParseLogSize(After(text, "Size:"));
    allocation.unpadded = allocation.size;
    allocation.location = place;
    all.push_back(std::move(allocation));
    return true;
  }
  if (!in_allocation_ || all.empty()) {
    // In a list without sizes: what of the program it was for.
    const bool named = all.empty() && report().kernel.empty() && text.starts_with("XLA label: ");
    if (named) report().kernel = Short(text.substr(11));
    return named;
  }
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
  return true;
}

bool MemoryReportParser::Take(std::string_view text, std::string_view joined,
                              const Location& place) {
  joined = OneSentence(text, joined);
  // Lines between two parts of one report, which others write in between.
  constexpr int kWithin = 40;
  const bool begun = !reports_.empty() && report().stage == MemoryStage::kCompile &&
                     place.line - last_part_ < kWithin;
  const bool first_line = Has(text, kListSigns[0]);
  const bool one_line =
      std::ranges::any_of(kLineSigns, [&](std::string_view sign) { return Has(text, sign); });
  if (!first_line && one_line && TakeOneLine(joined, place)) return false;
  // Where the first line is missing, the total is the first; without it the
  // program's part or the list.
  const bool total = Has(text, " usage >= ") && Has(text, "otal ") && (!begun || has_total_);
  const bool reserve = text.starts_with("HBM capacity ");
  const bool late = !begun && (text.starts_with("Program ") || text.starts_with("Largest ")) &&
                    (Has(text, " requirement ") || Has(text, " program allocations in "));
  // The same once more, with its parts.
  constexpr int kNearby = 3;
  if (reserve && !reports_.empty() && report().stage == MemoryStage::kLoad &&
      place.line - report().location.line <= kNearby) {
    reports_.pop_back();
  }
  const bool starts = first_line || total || reserve || late;
  if (starts && reports_.size() < kMostReports) {
    Start(first_line ? joined : text, place);
    last_part_ = place.line;
  }
  if (reports_.empty() || report().stage != MemoryStage::kCompile) return false;
  if (!starts && !begun) return false;
  const bool totals = TakeTotals(first_line ? joined : text);
  if (first_line) {
    // What the joined lines hold of the next parts comes with these.
    section_ = Section::kNone;
    has_total_ = false;
  }
  const bool row = TakeRow(text);
  const bool allocation = TakeAllocation(text, place);
  if (totals || row || allocation) last_part_ = place.line;
  return true;
}

std::vector<MemoryReport> MemoryReportParser::Finish() {
  std::vector<MemoryReport> kept;
  for (MemoryReport& found : reports_) {
    if (found.used.value == 0 && found.largest.empty() && found.space == "hbm") continue;
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

}  // namespace tilewise
