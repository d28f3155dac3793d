// Takes attributes out of printed graphs, so that they are written one way
// only.

#include "frontend/hlo/native_attributes.h"

#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "graph/graph_builder.h"
#include "graph/text.h"
#include "graph/text_lexer.h"
#include "graph/text_values.h"

namespace tilewise::hlo {

std::vector<std::string> AttributeTexts(OpList ops) {
  std::vector<std::string> starts;
  starts.reserve(ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    ops[i].name = std::to_string(i);
    ops[i].operands.clear();
    starts.push_back(fmt::format("  {} = {} {}()", NameText(ops[i].name), FormatShape(ops[i].shape),
                                 OpName(ops[i].kind)));
  }
  const absl::StatusOr<Graph> graph = GraphBuilder::Assemble("", std::move(ops), {});
  TW_CHECK(graph.ok());
  const std::string printed = PrintGraph(*graph);
  std::string_view rest(printed);
  std::vector<std::string> texts;
  texts.reserve(starts.size());
  for (const std::string& start : starts) {
    rest.remove_prefix(rest.find('\n') + 1);
    std::string_view line = rest.substr(0, rest.find('\n'));
    TW_CHECK(line.starts_with(start));
    line.remove_prefix(start.size());
    if (line.starts_with(", ")) line.remove_prefix(2);
    texts.emplace_back(line);
  }
  return texts;
}

absl::Status ReadAttributes(std::string_view text, Op& op) {
  TW_ASSIGN_OR_RETURN(std::vector<TextToken> tokens, LexLine(text));
  TokenCursor cursor(std::move(tokens));
  if (cursor.done()) return absl::OkStatus();
  do {
    TW_RETURN_IF_ERROR(ParseAttribute(cursor, op));
  } while (cursor.TakeSign(','));
  if (cursor.done()) return absl::OkStatus();
  return InvalidInput(fmt::format("found {}, expected a comma", cursor.Found()));
}

}  // namespace tilewise::hlo
