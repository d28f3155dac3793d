// What `list` and `explain` print, independent of the format: sections of rows
// of short texts, each row with details below it where there are any.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/target.h"
#include "report/report.h"

namespace tilewise {

// A titled paragraph: "Why", "a prefetch buffer hides only ...".
struct Paragraph {
  std::string title;
  std::string text;
};

struct ListingRow {
  std::vector<std::string> cells;  // one per column of the section
  // Details; `heading` stands above them in place of the cells.
  std::string heading;
  std::vector<SourcedNumber> numbers;  // of a machine
  std::vector<Paragraph> paragraphs;   // of a rule

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

struct ListingFormat {
  std::string_view name;  // "text", "json", "markdown"
  std::string (*render)(const Listing& listing, const RenderOptions& options);
};
std::span<const ListingFormat> ListingFormats();
const ListingFormat* FindListingFormat(std::string_view name);

}  // namespace tilewise
