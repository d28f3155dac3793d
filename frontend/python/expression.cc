// Expressions: constants, names, containers.

#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/text_calls.h"

namespace tilewise::python {
namespace {

// Deeper expressions and blocks are not followed; each level takes a few stack
// frames.
constexpr int kMaxDepth = 300;

}  // namespace

Value Interpreter::Eval(Node node) {
  if (depth_ >= kMaxDepth) {
    Note("RD002", node.location(),
         fmt::format("code is nested more than {} calls and expressions deep; "
                     "what lies deeper is not read",
                     kMaxDepth));
    return MakeUnknown("it is nested too deep", node);
  }
  if (!Charge(1)) return MakeUnknown("reading stopped before it", node);
  ++depth_;
  Value result = EvalNode(node);
  --depth_;
  return result;
}

Value Interpreter::EvalNode(Node node) {
  using Evaluator = Value (Interpreter::*)(Node);
  static const std::map<std::string_view, Evaluator> kEvaluators = {
      {"identifier", &Interpreter::EvalIdentifier},
      {"integer", &Interpreter::EvalNumber},
      {"float", &Interpreter::EvalNumber},
      {"string", &Interpreter::EvalString},
      {"concatenated_string", &Interpreter::EvalConcatenated},
      {"attribute", &Interpreter::EvalAttribute},
      {"call", &Interpreter::EvalCall},
      {"list_comprehension", &Interpreter::EvalComprehension},
      {"set_comprehension", &Interpreter::EvalComprehension},
      {"generator_expression", &Interpreter::EvalComprehension},
      {"dictionary_comprehension", &Interpreter::EvalDictComprehension},
      {"comparison_operator", &Interpreter::EvalComparison},
      {"boolean_operator", &Interpreter::EvalBoolean},
      {"not_operator", &Interpreter::EvalUnary},
      {"unary_operator", &Interpreter::EvalUnary},
      {"conditional_expression", &Interpreter::EvalConditional},
      {"dictionary", &Interpreter::EvalDictionary},
  };
  const std::string_view type = node.type();
  const auto found = kEvaluators.find(type);
  if (found != kEvaluators.end()) return (this->*found->second)(node);
  if (type == "none") return {None{}};
  if (type == "true") return {true};
  if (type == "false") return {false};
  if (type == "binary_operator") {
    const Value left = Eval(node.field("left"));
    const Value right = Eval(node.field("right"));
    return Binary(node.field("operator").text(), left, right, node);
  }
  if (type == "list" || type == "set") return EvalSequence(node, false);
  if (type == "tuple" || type == "expression_list" || type == "pattern_list") {
    return EvalSequence(node, true);
  }
  if (type == "parenthesized_expression") {
    const std::vector<Node> inner = node.children();
    return inner.size() == 1 ? Eval(inner[0]) : EvalSequence(node, true);
  }
  if (type == "subscript") return Subscript(Eval(node.field("value")), node);
  if (type == "lambda") return MakeFunction(node, "");
  if (type == "named_expression") {
    const Value value = Eval(node.field("value"));
    Assign(node.field("name"), value);
    return value;
  }
  if (type == "await") return Eval(node.children().front());
  return MakeUnknown(fmt::format("`{}` is not followed", node.excerpt()), node);
}

Value Interpreter::EvalIdentifier(Node node) {
  const std::string name(node.text());
  if (const Value* value = frames.back().names->Find(name)) return *value;
  if (name == "__name__") return {std::string("__main__")};
  // The customary import names, for code given without its import lines.
  static const std::map<std::string, std::string> kCustomary = {
      {"tf", "tensorflow"},
      {"np", "numpy"},
      {"keras", "tensorflow.keras"},
      {"tfds", "tensorflow_datasets"},
  };
  const auto customary = kCustomary.find(name);
  return {Path{customary == kCustomary.end() ? "builtins." + name : customary->second}};
}

Value Interpreter::EvalNumber(Node node) {
  std::string text;
  for (const char c : node.text()) {
    if (c != '_') text += c;
  }
  if (node.is("float")) return {std::strtod(text.c_str(), nullptr)};
  int base = 10;
  std::string digits = text;
  if (text.size() > 2 && text[0] == '0') {
    const char kind = static_cast<char>(std::tolower(text[1]));
    base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    if (base != 10) digits = text.substr(2);
  }
  errno = 0;
  char* end = nullptr;
  const int64_t value = std::strtoll(digits.c_str(), &end, base);
  if (errno != 0 || *end != '\0') {
    return MakeUnknown(fmt::format("`{}` is not a 64-bit integer", text), node);
  }
  return {value};
}

namespace {

std::string Unescape(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    if (c == 'n') {
      result += '\n';
    } else if (c == 't') {
      result += '\t';
    } else if (c == '\\' || c == '\'' || c == '"') {
      result += c;
    } else if (c != '\n') {
      result += '\\';
      result += c;
    }
  }
  return result;
}

}  // namespace

Value Interpreter::EvalString(Node node) {
  std::string result;
  bool raw = false;
  for (const Node& part : node.children()) {
    if (part.is("string_start")) {
      raw = part.text().find_first_of("rR") != std::string_view::npos;
    } else if (part.is("string_content")) {
      result += raw ? std::string(part.text()) : Unescape(part.text());
    } else if (part.is("interpolation")) {
      const std::optional<std::string> shown =
          part.field("format_specifier") ? std::nullopt : Display(Eval(part.field("expression")));
      if (!shown.has_value()) {
        return MakeUnknown(fmt::format("`{}` is not a constant text", node.text()), node);
      }
      result += *shown;
    }
  }
  Charge(static_cast<int64_t>(result.size()) / 64);
  return {result};
}

Value Interpreter::EvalConcatenated(Node node) {
  std::string result;
  for (const Node& part : node.children()) {
    const Value value = Eval(part);
    const std::string* text = value.as<std::string>();
    if (text == nullptr) return value;
    result += *text;
  }
  return {result};
}

Value Interpreter::EvalAttribute(Node node) {
  return Attribute(Eval(node.field("object")), std::string(node.field("attribute").text()), node);
}

Value Interpreter::EvalSequence(Node node, bool tuple) {
  std::vector<Value> items;
  for (const Node& child : node.children()) {
    if (!child.is("list_splat")) {
      items.push_back(Eval(child));
      continue;
    }
    const std::optional<std::vector<Value>> spread = Iterate(Eval(child.children().front()), child);
    if (!spread.has_value()) {
      return MakeUnknown(fmt::format("`{}` is not known", child.text()), child);
    }
    items.insert(items.end(), spread->begin(), spread->end());
    if (!Charge(static_cast<int64_t>(spread->size()))) break;
  }
  return tuple ? MakeTuple(std::move(items)) : MakeList(std::move(items));
}

Value Interpreter::EvalDictionary(Node node) {
  Dict* dict = arena.New(Dict{});
  for (const Node& child : node.children()) {
    if (child.is("pair")) {
      const Value key = Eval(child.field("key"));
      dict->items.emplace_back(key, Eval(child.field("value")));
    } else if (child.is("dictionary_splat")) {
      const Dict* other = Eval(child.children().front()).ref<Dict>();
      if (other == nullptr) {
        return MakeUnknown(fmt::format("`{}` is not known", child.text()), child);
      }
      const auto items = other->items;
      dict->items.insert(dict->items.end(), items.begin(), items.end());
      if (!Charge(static_cast<int64_t>(items.size()))) break;
    }
  }
  return {dict};
}

Value Interpreter::EvalConditional(Node node) {
  const std::vector<Node> parts = node.children();
  if (parts.size() != 3) return MakeUnknown("it cannot be parsed", node);
  const std::optional<bool> truth = Holds(Eval(parts[1]));
  if (!truth.has_value()) {
    return MakeUnknown(fmt::format("it depends on `{}`", parts[1].excerpt()), node);
  }
  return Eval(*truth ? parts[0] : parts[2]);
}

}  // namespace tilewise::python
