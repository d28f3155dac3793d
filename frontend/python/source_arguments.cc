// Arguments are described, not evaluated: literals, names and what they read.

#include "frontend/python/source_arguments.h"

#include <charconv>

namespace tilewise::python {
namespace {

constexpr size_t kMostArgumentNames = 32;

void AddInteger(Node node, std::vector<int64_t>& integers) {
  const std::string_view text = node.text();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) {
    integers.push_back(value);
  }
}

std::vector<int64_t> Integers(Node node) {
  std::vector<int64_t> integers;
  if (!node.is("list") && !node.is("tuple")) {
    if (node.is("integer")) AddInteger(node, integers);
    return integers;
  }
  const std::vector<Node> items = node.children();
  for (const Node& item : items) {
    if (item.is("integer")) AddInteger(item, integers);
  }
  if (integers.size() != items.size()) integers.clear();
  return integers;
}

// `x`, `x.shape` or `shape(x)`.
bool IsOf(Node node, std::string_view parameter) {
  if (parameter.empty()) return false;
  if (node.is("identifier")) return node.text() == parameter;
  if (node.is("attribute")) {
    return node.field("attribute").text() == "shape" && node.field("object").text() == parameter;
  }
  if (!node.is("call")) return false;
  const std::vector<Node> arguments = node.field("arguments").children();
  return node.field("function").text().ends_with("shape") && arguments.size() == 1 &&
         arguments[0].text() == parameter;
}

bool IsStarred(Node node) { return node.is("list_splat") || node.is("dictionary_splat"); }

}  // namespace

std::optional<std::string> PlainString(Node node) {
  if (!node.is("string")) return std::nullopt;
  const std::string_view text = node.text();
  if (text.size() < 2 || text.find('\\') != std::string_view::npos) {
    return std::nullopt;
  }
  const char quote = text.front();
  if ((quote != '"' && quote != '\'') || text.back() != quote) {
    return std::nullopt;
  }
  const bool triple = text.size() >= 6 && text[1] == quote && text[2] == quote;
  const size_t side = triple ? 3 : 1;
  return std::string(text.substr(side, text.size() - 2 * side));
}

std::vector<SourceArgument> ReadArguments(Node list, std::string_view parameter,
                                          const Aliases& aliases, const Constants& constants,
                                          bool& open) {
  std::vector<SourceArgument> arguments;
  // f(x for x in y) has no list.
  const std::vector<Node> children =
      list.is("generator_expression") ? std::vector<Node>{list} : list.children();
  arguments.reserve(children.size());
  for (const Node& child : children) {
    open = open || IsStarred(child);
    const bool keyword = child.is("keyword_argument");
    const Node value = keyword ? child.field("value") : child;
    SourceArgument argument;
    if (keyword) argument.keyword = std::string(child.field("name").text());
    argument.integers = Integers(value);
    argument.of_parameter = IsOf(value, parameter);
    argument.sizes = SizesOf(value, constants);
    argument.text = ShortText(value);
    if (value.is("identifier") || value.is("attribute")) {
      argument.name = DottedName(value, aliases);
    }
    argument.string = PlainString(value);
    argument.names = NamesIn(value, kMostArgumentNames);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Span InsideOf(Node list) {
  if (!list.is("argument_list")) return {};
  return list.span(list.begin() + 1, list.end() - 1);
}

}  // namespace tilewise::python
