// A listing in each of its formats. docs/schema/list.schema.json describes the
// JSON: titles of sections, columns and paragraphs are its keys.

#include "report/listing.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "base/check.h"
#include "report/json.h"
#include "report/rule_doc.h"
#include "report/text.h"

namespace tilewise {
namespace {

// A change that breaks a reader of the old form raises it.
constexpr int kListSchemaVersion = 1;

bool HasDetails(const ListingSection& section) {
  return std::ranges::any_of(section.rows, [](const ListingRow& row) { return row.has_details(); });
}

bool IsNumber(const ListingCell& cell) {
  return !std::holds_alternative<std::monostate>(cell.number);
}

// Columns that hold a number end at one column.
Align AlignOf(const ListingSection& section, size_t column) {
  const bool has_numbers = std::ranges::any_of(section.rows, [&](const ListingRow& row) {
    return column < row.cells.size() && IsNumber(row.cells[column]);
  });
  return has_numbers ? Align::kRight : Align::kLeft;
}

Table RowTable(const ListingSection& section) {
  std::vector<Column> columns;
  for (size_t i = 0; i < section.columns.size(); ++i) {
    columns.push_back({section.columns[i], AlignOf(section, i)});
  }
  Table table(std::move(columns));
  for (const ListingRow& row : section.rows) {
    std::vector<std::string> cells;
    cells.reserve(row.cells.size());
    for (const ListingCell& cell : row.cells) cells.push_back(cell.text);
    table.AddRow(std::move(cells));
  }
  return table;
}

Table NumberTable(const std::vector<SourcedNumber>& numbers) {
  Table table({{"field", Align::kLeft}, {"value"}, {"source", Align::kLeft}});
  for (const SourcedNumber& number : numbers) {
    table.AddRow({number.field, number.value, number.source});
  }
  return table;
}

Table ThresholdTable(const std::vector<ListedThreshold>& thresholds) {
  Table table({{"threshold", Align::kLeft}, {"default"}, {"meaning", Align::kLeft}});
  for (const ListedThreshold& threshold : thresholds) {
    table.AddRow({threshold.key, threshold.value, threshold.summary});
  }
  return table;
}

// The first `size` bytes of `text` in bold, so that colour changes no layout.
std::string BoldStart(const std::string& text, size_t size, const Style& style) {
  return style.Bold(text.substr(0, size)) + text.substr(size);
}

std::string TableText(const Table& table, std::string_view indent, const Style& style) {
  const std::string text = table.Text(indent);
  return BoldStart(text, text.find('\n'), style);
}

std::string_view ExampleTitle(const RuleExample& example) {
  return example.bad ? "It speaks here, on the lines marked with its id" : "It is silent here";
}

// Shows an example as it is: code is not wrapped.
std::string ExampleText(const RuleExample& example, const Style& style) {
  std::string text = fmt::format("{} ({}):", ExampleTitle(example), example.file);
  text = style.Bold(text) + "\n";
  std::istringstream lines(example.text);
  for (std::string line; std::getline(lines, line);) {
    text += line.empty() ? "\n" : fmt::format("    {}\n", Printable(line));
  }
  return text;
}

std::string DetailsText(const ListingRow& row, const RenderOptions& options) {
  const Style style(options.color);
  std::string text = Wrap(row.heading, options.width, "", "");
  text = BoldStart(text, text.size() - 1, style);
  if (!row.numbers.empty()) {
    text += TableText(NumberTable(row.numbers), "  ", style);
  }
  if (!row.paragraphs.empty()) text += "\n";
  for (const Paragraph& paragraph : row.paragraphs) {
    const std::string title = paragraph.title + ": ";
    text += BoldStart(Wrap(paragraph.text, options.width, title, "  "), title.size() - 1, style);
  }
  if (!row.thresholds.empty()) {
    text += "\n" + TableText(ThresholdTable(row.thresholds), "", style);
  }
  for (const RuleExample& example : row.examples) {
    text += "\n" + ExampleText(example, style);
  }
  return text;
}

std::string SectionText(const ListingSection& section, const RenderOptions& options) {
  if (!HasDetails(section)) {
    return TableText(RowTable(section), "", Style(options.color));
  }
  std::string text;
  for (const ListingRow& row : section.rows) {
    if (!text.empty()) text += "\n";
    text += DetailsText(row, options);
  }
  return text;
}

std::string ListingText(const Listing& listing, const RenderOptions& options) {
  if (listing.sections.size() == 1) {
    return SectionText(listing.sections.front(), options);
  }
  std::string text;
  for (const ListingSection& section : listing.sections) {
    if (!text.empty()) text += "\n";
    text += Style(options.color).Bold(section.title) + ":\n" + SectionText(section, options);
  }
  return text;
}

std::string DetailsMarkdown(const ListingRow& row) {
  std::string text = fmt::format("\n### {}\n", EscapeMarkdown(row.heading));
  if (!row.numbers.empty()) {
    text += "\n" + NumberTable(row.numbers).Markdown();
  }
  for (const Paragraph& paragraph : row.paragraphs) {
    text += fmt::format("\n**{}:** {}\n", EscapeMarkdown(paragraph.title),
                        EscapeMarkdown(paragraph.text));
  }
  if (!row.thresholds.empty()) {
    text += "\n" + ThresholdTable(row.thresholds).Markdown();
  }
  for (const RuleExample& example : row.examples) {
    text += fmt::format("\n**{}:** {}", ExampleTitle(example), ExampleMarkdown(example));
  }
  return text;
}

std::string ListingMarkdown(const Listing& listing, const RenderOptions&) {
  std::string text = fmt::format("# tilewise {}\n", listing.command);
  for (const ListingSection& section : listing.sections) {
    text += fmt::format("\n## {}\n", EscapeMarkdown(section.title));
    if (!HasDetails(section)) text += "\n" + RowTable(section).Markdown();
    for (const ListingRow& row : section.rows) {
      if (row.has_details()) text += DetailsMarkdown(row);
    }
  }
  return text;
}

// "input formats" -> "input_formats".
std::string Key(std::string_view title) {
  std::string key;
  for (const char c : title) {
    const int lower = std::tolower(static_cast<unsigned char>(c));
    key += c == ' ' ? '_' : static_cast<char>(lower);
  }
  return key;
}

Json NumberJson(const SourcedNumber& number) {
  Json value = Json::parse(number.value, nullptr, false);
  TW_CHECK(value.is_number());
  return {{"field", number.field}, {"value", std::move(value)}, {"source", number.source}};
}

Json ThresholdJson(const ListedThreshold& threshold) {
  Json value = Json::parse(threshold.value, nullptr, false);
  TW_CHECK(value.is_number());
  return {{"key", threshold.key}, {"default", std::move(value)}, {"summary", threshold.summary}};
}

Json CellJson(const ListingCell& cell) {
  if (const auto* count = std::get_if<int64_t>(&cell.number)) return *count;
  if (const auto* number = std::get_if<double>(&cell.number)) return *number;
  if (const auto* range = std::get_if<ListingCell::Range>(&cell.number)) {
    return {range->first, range->second};
  }
  if (std::holds_alternative<std::nullptr_t>(cell.number)) return nullptr;
  return cell.text;
}

Json RowJson(const ListingSection& section, const ListingRow& row) {
  TW_CHECK(row.cells.size() == section.columns.size());
  Json json = Json::object();
  for (size_t i = 0; i < row.cells.size(); ++i) {
    json[Key(section.columns[i])] = CellJson(row.cells[i]);
  }
  for (const SourcedNumber& number : row.numbers) {
    json["numbers"].push_back(NumberJson(number));
  }
  for (const Paragraph& paragraph : row.paragraphs) {
    json["doc"][Key(paragraph.title)] = paragraph.text;
  }
  for (const ListedThreshold& threshold : row.thresholds) {
    json["thresholds"].push_back(ThresholdJson(threshold));
  }
  for (const RuleExample& example : row.examples) {
    json["examples"].push_back(
        {{"file", example.file}, {"has_finding", example.bad}, {"text", example.text}});
  }
  return json;
}

std::string ListingJson(const Listing& listing, const RenderOptions&) {
  Json json = JsonDocument(kListSchemaVersion, listing.version, listing.command);
  for (const ListingSection& section : listing.sections) {
    Json& rows = json[Key(section.title)] = Json::array();
    for (const ListingRow& row : section.rows) {
      rows.push_back(RowJson(section, row));
    }
  }
  return JsonText(json);
}

}  // namespace

ListingCell ListingCell::Count(int64_t count) { return {fmt::format("{}", count), count}; }

ListingCell ListingCell::Share(double share) {
  return {fmt::format("{:.1f} %", 100 * share), share};
}

template <>
std::span<const FormatOf<Listing>> FormatsOf<Listing>() {
  static constexpr FormatOf<Listing> kFormats[] = {
      {"text", ListingText}, {"json", ListingJson}, {"markdown", ListingMarkdown}};
  return kFormats;
}

}  // namespace tilewise
