// One pass over the characters, RFC 4180 with spaces trimmed.

#include "accuracy/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kMostColumns = 256;

void Trim(std::string& text) {
  const size_t last = text.find_last_not_of(" \t\r");
  text.erase(last == std::string::npos ? 0 : last + 1);
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
}

struct Record {
  std::vector<std::string> cells;
  int64_t line = 0;
  bool blank() const { return cells.size() == 1 && cells[0].empty(); }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(3);
  }

  bool done() const { return at_ >= text_.size(); }
  bool open_quote() const { return open_quote_; }

  Record Next() {
    Record record{.cells = {""}, .line = line_};
    bool quoted = false;
    for (; !done(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '"') {
        if (quoted && Peek() == '"') {
          record.cells.back() += text_[at_++];
        } else {
          quoted = !quoted;
        }
      } else if (quoted) {
        record.cells.back() += c;
      } else if (c == '\n') {
        ++at_;
        break;
      } else if (c == ',') {
        record.cells.emplace_back();
      } else {
        record.cells.back() += c;
      }
    }
    open_quote_ = quoted;
    for (std::string& cell : record.cells) Trim(cell);
    return record;
  }

 private:
  char Peek() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_ = 1;
  bool open_quote_ = false;
};

absl::Status CheckHeader(const std::string& name, const Record& header) {
  if (header.cells.size() > kMostColumns) {
    return InvalidInput(fmt::format("{}: found {} columns, expected at most {}", name,
                                    header.cells.size(), kMostColumns));
  }
  for (size_t i = 0; i < header.cells.size(); ++i) {
    const auto rest = header.cells.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::find(rest, header.cells.end(), header.cells[i]) != header.cells.end()) {
      return InvalidInput(fmt::format("{}: line {}: found column '{}' twice, expected it once",
                                      name, header.line, header.cells[i].substr(0, 64)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Csv> Csv::Parse(const std::string& name, std::string_view text) {
  Csv csv;
  csv.name_ = name;
  Reader reader(text);
  while (!reader.done()) {
    Record record = reader.Next();
    if (reader.open_quote()) {
      return InvalidInput(
          fmt::format("{}: line {}: found a quote that never closes", name, record.line));
    }
    if (record.blank()) continue;
    if (csv.columns_.empty()) {
      TW_RETURN_IF_ERROR(CheckHeader(name, record));
      csv.columns_ = std::move(record.cells);
      continue;
    }
    if (record.cells.size() != csv.columns_.size()) {
      return InvalidInput(fmt::format("{}: line {}: found {} cells, expected {} as in the header",
                                      name, record.line, record.cells.size(), csv.columns_.size()));
    }
    if (csv.rows_.size() == kMostRows) {
      return InvalidInput(
          fmt::format("{}: found more than {} rows, expected fewer", name, kMostRows));
    }
    csv.rows_.push_back(std::move(record.cells));
    csv.lines_.push_back(record.line);
  }
  if (csv.columns_.empty()) {
    return InvalidInput(fmt::format("{}: found no text, expected a header line", name));
  }
  return csv;
}

bool Csv::Has(std::string_view column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

const std::string& Csv::Cell(size_t row, std::string_view column) const {
  static const std::string empty;
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return empty;
  return rows_[row][found - columns_.begin()];
}

absl::Status Csv::Error(size_t row, std::string_view column, std::string_view expected) const {
  return InvalidInput(fmt::format("{}: line {}: column '{}': found '{}', expected {}", name_,
                                  line(row), column, Cell(row, column).substr(0, 64), expected));
}

absl::StatusOr<double> Csv::Number(size_t row, std::string_view column) const {
  const std::optional<double> value = ParseNumber(Cell(row, column));
  if (!value) return Error(row, column, "a number");
  return *value;
}

absl::StatusOr<int64_t> Csv::Integer(size_t row, std::string_view column, int64_t least) const {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  const std::optional<double> value = ParseNumber(Cell(row, column));
  if (!value || *value != std::floor(*value) || *value > kMost ||
      *value < static_cast<double>(least)) {
    return Error(row, column, fmt::format("an integer from {}", least));
  }
  return static_cast<int64_t>(*value);
}

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace tilewise
