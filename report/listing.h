// What `list` and `explain` print, independent of the format: sections of rows
// of short texts, each row with details below it where there are any.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hardware/target.h"
#include "report/report.h"

namespace tilewise {

// A titled paragraph: "Why", "a prefetch buffer hides only ...".
struct Paragraph {
  std::string title;
  std::string text;
};

// A number that the configuration can change.
struct ListedThreshold {
  std::string key;      // "AL009.min-ratio"
  std::string value;    // by default
  std::string summary;  // what it is
};

// A fixture of a rule.
struct RuleExample {
  std::string file;  // "bad_before_batch.py"
  std::string text;  // empty: too long or binary, so that its name must do
  bool bad = false;  // the rule speaks
};

// The text of a cell and, where it is a number, the number that JSON has; nullptr:
// one that is not known.
struct ListingCell {
  using Range = std::pair<double, double>;  // an interval, low end first
  using Number = std::variant<std::monostate, int64_t, double, Range, std::nullptr_t>;

  ListingCell(std::string words) : text(std::move(words)) {}
  ListingCell(std::string_view words) : text(words) {}
  ListingCell(const char* words) : text(words) {}
  ListingCell(std::string words, Number value) : text(std::move(words)), number(value) {}
  static ListingCell Count(int64_t count);
  static ListingCell Share(double share);  // "12.3 %", 0.123
  static ListingCell Unknown() { return {"", nullptr}; }

  std::string text;
  Number number;  // none: the text is all
};

struct ListingRow {
  std::vector<ListingCell> cells;  // one per column of the section
  // Details; `heading` stands above them in place of the cells.
  std::string heading;
  std::vector<SourcedNumber> numbers;       // of a machine
  std::vector<Paragraph> paragraphs;        // of a rule
  std::vector<ListedThreshold> thresholds;  // of a rule: its thresholds
  std::vector<RuleExample> examples;        // of a rule

  bool has_details() const { return !numbers.empty() || !paragraphs.empty(); }
};

struct ListingSection {
  std::string title;                 // "rules", "input formats"
  std::vector<std::string> columns;  // "id", "name"
  std::vector<ListingRow> rows;
};

struct Listing {
  std::string version;  // of tilewise
  std::string command;  // "list"
  std::vector<ListingSection> sections;
};

template <>
std::span<const FormatOf<Listing>> FormatsOf<Listing>();

}  // namespace tilewise
