// One pass over the lines. Each host's lines have readers of their own, so that
// reports of several hosts in one file do not mix. A report that was printed as
// one escaped line, as Python shows exceptions, and lines that a collector of
// logs wrapped in JSON are taken apart first.

#include "frontend/logs/read_log.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend/logs/line_signs.h"
#include "frontend/logs/log_reader.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

constexpr size_t kLongestExcerpted = size_t{4} << 20;
constexpr size_t kLongestLine = size_t{64} << 10;
constexpr size_t kMostHosts = 64;

const LineSigns& Signs() {
  static const LineSigns* const kSigns = [] {
    auto* signs = new LineSigns;
    int group = 0;
    for (const LogKind& kind : LogKinds()) {
      for (const std::string_view sign : kind.signs) signs->Add(sign, group);
      ++group;
    }
    signs->Finish();
    return signs;
  }();
  return *kSigns;
}

// The readers of one host's lines.
struct HostReaders {
  std::vector<std::unique_ptr<LogReader>> readers;
  uint32_t waiting = 0;  // those that want the next line, too
};

class LogPass {
 public:
  explicit LogPass(std::string path) { place_.file = std::move(path); }

  void Run(std::string_view text);
  void Finish(Workload& workload);

 private:
  void TakeLine(std::string_view line, std::string_view rest);
  void TakePlain(std::string_view line, std::string_view rest, uint32_t kinds);
  HostReaders& ReadersOf(std::string_view host);

  std::map<std::string, HostReaders, std::less<>> hosts_;
  uint32_t waiting_ = 0;  // of any host
  Location place_;
};

HostReaders& LogPass::ReadersOf(std::string_view host) {
  if (hosts_.size() >= kMostHosts && !hosts_.contains(host)) host = hosts_.begin()->first;
  const auto known = hosts_.find(host);
  if (known != hosts_.end()) return known->second;
  HostReaders& made = hosts_[std::string(host)];
  for (const LogKind& kind : LogKinds()) made.readers.push_back(kind.make());
  return made;
}

void LogPass::TakePlain(std::string_view line, std::string_view rest, uint32_t kinds) {
  std::string plain;
  if (line.find('\x1b') != std::string_view::npos || line.find('\b') != std::string_view::npos) {
    plain = WithoutColours(line);
    line = plain;
  }
  const PeeledLine peeled = Peel(line);
  HostReaders& host = ReadersOf(peeled.host);
  const uint32_t wanted = kinds | host.waiting;
  const LogLine given = {peeled.text, line, rest, place_};
  for (size_t i = 0; i < host.readers.size(); ++i) {
    const uint32_t bit = uint32_t{1} << i;
    if ((wanted & bit) == 0) continue;
    const bool more = host.readers[i]->Take(given);
    host.waiting = more ? host.waiting | bit : host.waiting & ~bit;
  }
  waiting_ = host.waiting;
  for (const auto& [name, other] : hosts_) waiting_ |= other.waiting;
}

// The text in `"log":"..."` and the like, unescaped; empty: not such a line.
std::string FromJsonLine(std::string_view line) {
  if (line.size() < 10 || line.front() != '{' || line[1] == '\'') return "";
  for (const std::string_view key : {"\"textPayload\":", "\"log\":", "\"message\":", "\"msg\":"}) {
    std::string_view rest = After(line, key);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (!rest.starts_with('"')) continue;
    std::string text;
    for (size_t i = 1; i < rest.size() && rest[i] != '"'; ++i) {
      if (rest[i] != '\\' || i + 1 >= rest.size()) {
        text += rest[i];
        continue;
      }
      const char escaped = rest[++i];
      const bool unicode = escaped == 'u' && i + 4 < rest.size();
      if (unicode) {
        if (rest.substr(i + 1, 4) == "001b") text += '\x1b';
        i += 4;
      } else {
        text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
      }
    }
    return text;
  }
  return "";
}

void LogPass::TakeLine(std::string_view line, std::string_view rest) {
  line = line.substr(0, kLongestLine);
  const uint32_t kinds = Signs().Find(line);
  if (kinds == 0 && waiting_ == 0) return;
  const std::string wrapped = FromJsonLine(line);
  const std::string_view whole = wrapped.empty() ? line : std::string_view(wrapped);
  // A whole report in one line, its line ends written as \n, or a line of many
  // that its writer overwrote with carriage returns.
  std::vector<std::string_view> parts;
  for (std::string_view left = whole; !left.empty();) {
    size_t end = left.find_first_of("\n\r");
    size_t skip = 1;
    const size_t escaped = kinds != 0 ? left.find("\\n") : std::string_view::npos;
    if (escaped < end) {
      end = escaped;
      skip = 2;
    }
    parts.push_back(left.substr(0, end));
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + skip);
  }
  if (parts.empty()) parts.emplace_back();
  for (size_t i = 0; i < parts.size(); ++i) {
    const uint32_t own = parts.size() == 1 ? kinds : Signs().Find(parts[i]);
    if (own == 0 && waiting_ == 0) continue;
    const bool last = i + 1 == parts.size();
    const char* end = parts[i].data() + parts[i].size();
    const char* whole_end = whole.data() + whole.size();
    TakePlain(parts[i], last ? rest : std::string_view(end, static_cast<size_t>(whole_end - end)),
              own);
  }
}

void LogPass::Run(std::string_view text) {
  while (!text.empty()) {
    const auto* end = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
    const size_t size = end == nullptr ? text.size() : static_cast<size_t>(end - text.data());
    const std::string_view line = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    ++place_.line;
    TakeLine(line, text);
  }
}

void LogPass::Finish(Workload& workload) {
  for (auto& [name, host] : hosts_) {
    for (const auto& reader : host.readers) reader->Finish(workload);
  }
}

// Hosts print alike: of series that one writer printed on several, the longest
// stays; of other facts the first of equal ones.
void MergeHosts(RunLog& log) {
  std::map<std::string, size_t> longest;
  for (size_t i = 0; i < log.steps.size(); ++i) {
    const auto [at, is_new] = longest.emplace(log.steps[i].writer, i);
    if (!is_new && log.steps[at->second].lines.size() < log.steps[i].lines.size()) at->second = i;
  }
  std::vector<LoggedSteps> steps;
  for (size_t i = 0; i < log.steps.size(); ++i) {
    if (longest[log.steps[i].writer] == i) steps.push_back(std::move(log.steps[i]));
  }
  log.steps = std::move(steps);
  const auto drop_equal = [](auto& all, auto equal) {
    auto kept = all;
    kept.clear();
    for (auto& one : all) {
      const bool again =
          std::ranges::any_of(kept, [&](const auto& other) { return equal(one, other); });
      if (!again) kept.push_back(std::move(one));
    }
    all = std::move(kept);
  };
  drop_equal(log.compiles, [](const LoggedCompile& a, const LoggedCompile& b) {
    return a.kind == b.kind && a.name == b.name && a.location.line != b.location.line &&
           a.time == Seconds{} && b.time == Seconds{};
  });
  drop_equal(log.memory, [](const StatedMemory& a, const StatedMemory& b) {
    return a.kind == b.kind && a.writer == b.writer && a.total == b.total &&
           a.capacity == b.capacity;
  });
  drop_equal(log.repeated, [](const RepeatedCompile& a, const RepeatedCompile& b) {
    return a.writer == b.writer && a.name == b.name && a.compiles == b.compiles &&
           a.steps == b.steps && a.cause == b.cause;
  });
}

void MergeReports(std::vector<MemoryReport>& reports) {
  std::vector<MemoryReport> kept;
  for (MemoryReport& report : reports) {
    const auto same = std::ranges::find_if(kept, [&](const MemoryReport& other) {
      return other.stage == report.stage && other.space == report.space &&
             other.used == report.used && other.capacity == report.capacity &&
             other.kernel == report.kernel && other.largest.size() == report.largest.size() &&
             other.free == report.free;
    });
    if (same == kept.end()) {
      kept.push_back(std::move(report));
    } else {
      same->times += report.times;
    }
  }
  reports = std::move(kept);
}

void NoteNothing(const std::string& path, Workload& workload) {
  workload.notes.push_back({.rule = "RD003",
                            .name = "no-model",
                            .severity = Severity::kInfo,
                            .location = {.file = path},
                            .message = "a log holds no model; its reports are shown with their own "
                                       "numbers, and nothing is simulated"});
}

bool SaysNothing(const Workload& workload) {
  return workload.memory_reports.empty() && workload.whole_reshards.empty() &&
         workload.recompiled.empty() && workload.slow_batch_hooks.empty() &&
         workload.run_log.empty();
}

}  // namespace

std::string LogLine::Joined(size_t most) const {
  std::string joined(text);
  std::string_view left = rest;
  constexpr int kMostLines = 6;
  for (int i = 0; i < kMostLines && !left.empty() && joined.size() < most; ++i) {
    const std::string_view next = left.substr(0, left.find_first_of("\n\r"));
    left.remove_prefix(std::min(next.size() + 1, left.size()));
    const std::string plain = WithoutColours(next.substr(0, most));
    const std::string_view words = Peel(plain).text;
    if (words.empty()) break;
    joined += ' ';
    joined += words.substr(0, most);
  }
  return joined;
}

bool LooksLikeLog(const InputFile& file) {
  const char first = FirstCharacter(file);
  if (first == '\0' || !LooksLikeText(file)) return false;
  constexpr std::array<std::string_view, 15> kOthers = {
      ".py", ".ipynb", ".cc",  ".cpp", ".cxx", ".c++",    ".h",    ".hpp",
      ".hh", ".yaml",  ".yml", ".gin", ".csv", ".config", ".pbtxt"};
  for (const std::string_view suffix : kOthers) {
    if (file.path.ends_with(suffix)) return false;
  }
  // A JSON document is no log; lines that are JSON each, or Python's dicts, are.
  const std::string_view start = file.bytes.substr(0, 4096);
  const std::string_view line = start.substr(0, start.find('\n'));
  if (first == '{' && !Has(line, "{'") && FromJsonLine(Trimmed(line)).empty()) return false;
  std::string_view left = file.bytes;
  while (!left.empty()) {
    const std::string_view piece = left.substr(0, size_t{1} << 20);
    if (Signs().Find(piece) != 0) return true;
    // Signs are shorter than what two pieces share.
    left.remove_prefix(piece.size() < left.size() ? piece.size() - 256 : piece.size());
  }
  return false;
}

absl::StatusOr<Workload> ReadLog(const InputFile& file, const LoadOptions&) {
  LogPass pass(file.path);
  pass.Run(file.bytes);
  Workload workload;
  workload.name = file.path;
  pass.Finish(workload);
  MergeHosts(workload.run_log);
  MergeReports(workload.memory_reports);
  if (SaysNothing(workload)) {
    return InvalidInput(
        fmt::format("{}: found a log with no report of memory that ran out, no compilations and "
                    "no times of steps that tilewise knows the form of, expected one",
                    file.path));
  }
  NoteNothing(file.path, workload);
  // The text is for excerpts; those of a longer log would show little.
  if (file.bytes.size() <= kLongestExcerpted) {
    workload.files.push_back({file.path, std::string(file.bytes), {}});
  }
  return workload;
}

}  // namespace tilewise
