// Literals, arithmetic on them, and the ops whose results are masks.

#include "frontend/python/source_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise::python {
namespace {

constexpr int64_t kMost = int64_t{1} << 40;

std::optional<int64_t> Literal(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> IntegerPower(int64_t base, int64_t exponent) {
  int64_t result = 1;
  if (base < 0 || exponent < 0 || exponent > 64) return std::nullopt;
  for (int64_t i = 0; i < exponent; ++i) {
    if (base != 0 && result > kMost / base) return std::nullopt;
    result *= base;
  }
  return result;
}

std::optional<int64_t> Number(Node node, const Constants& constants);

std::optional<int64_t> Operation(Node node, const Constants& constants) {
  const std::optional<int64_t> left = Number(node.field("left"), constants);
  const std::optional<int64_t> right = Number(node.field("right"), constants);
  if (!left || !right || std::abs(*left) > kMost || std::abs(*right) > kMost) return std::nullopt;
  const int64_t a = *left;
  const int64_t b = *right;
  const std::string_view op = node.field("operator").text();
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "**") return IntegerPower(a, b);
  if (op == "//" && a >= 0 && b > 0) return a / b;
  if (op == "<<" && a >= 0 && b >= 0 && b < 40 && a < (int64_t{1} << 20)) return a << b;
  if (op == "*" && (a == 0 || std::abs(b) <= kMost / std::abs(a))) return a * b;
  return std::nullopt;
}

std::optional<int64_t> Number(Node node, const Constants& constants) {
  if (node.is("parenthesized_expression")) {
    const std::vector<Node> inside = node.children();
    return inside.size() == 1 ? Number(inside[0], constants) : std::nullopt;
  }
  if (node.is("integer")) return Literal(node.text());
  if (node.is("binary_operator")) return Operation(node, constants);
  if (!node.is("identifier")) return std::nullopt;
  const auto found = constants.find(node.text());
  return found == constants.end() ? std::nullopt : found->second;
}

void Bind(std::string_view name, std::optional<int64_t> value, Constants& constants) {
  const auto [place, fresh] = constants.emplace(std::string(name), value);
  if (!fresh) place->second = std::nullopt;
}

// Every name below is bound to what is not known.
void Forget(Node node, Constants& constants) {
  if (node.is("identifier")) return Bind(node.text(), std::nullopt, constants);
  for (const Node& child : node.children()) {
    if (node.is("default_parameter") && child == node.field("value")) continue;
    if (node.is("typed_default_parameter") && child == node.field("value")) continue;
    if (child.is("type") || child.is("attribute") || child.is("subscript")) continue;
    Forget(child, constants);
  }
}

constexpr std::string_view kMaskFunctions =
    "isnan|isinf|isfinite|isin|logical_not|logical_and|logical_or|logical_xor|equal|not_equal|"
    "greater|less|greater_equal|less_equal|eq|ne|gt|lt|ge|le|isclose|signbit";
constexpr std::string_view kMaskMethods =
    "bool|isnan|isinf|isfinite|eq|ne|gt|lt|ge|le|logical_not|logical_and|logical_or|logical_xor";
// They give the mask another form.
constexpr std::string_view kKeepMask =
    "unsqueeze|view|reshape|squeeze|flatten|expand|expand_as|to|cuda|cpu|clone|detach|contiguous|"
    "transpose|permute|repeat|any|all|ravel";
constexpr std::string_view kBoolTypes = "torch.bool|jax.numpy.bool_|numpy.bool_|numpy.bool|bool";

bool IsArrayFunction(std::string_view name) {
  constexpr std::array<std::string_view, 4> kFrameworks = {"torch.", "jax.numpy.", "numpy.",
                                                           "tensorflow."};
  return std::ranges::any_of(kFrameworks,
                             [&](std::string_view package) { return name.starts_with(package); });
}

bool AsksForBool(Node list, const Aliases& aliases) {
  for (const Node& child : list.children()) {
    const Node value = child.is("keyword_argument") ? child.field("value") : child;
    if (!value.is("identifier") && !value.is("attribute")) continue;
    if (IsOneOfWords(DottedName(value, aliases), kBoolTypes)) return true;
  }
  return false;
}

MaskEvidence MaskOfCall(Node node, const Aliases& aliases) {
  const Node callee = node.field("function");
  const std::string name = DottedName(callee, aliases);
  const std::string_view last = LastName(name);
  if (IsArrayFunction(name)) {
    return {IsOneOfWords(last, kMaskFunctions) || AsksForBool(node.field("arguments"), aliases)};
  }
  if (!callee.is("attribute")) return {};
  if (IsOneOfWords(last, kMaskMethods)) return {true};
  if ((last == "to" || last == "astype" || last == "type") &&
      AsksForBool(node.field("arguments"), aliases)) {
    return {true};
  }
  if (!IsOneOfWords(last, kKeepMask)) return {};
  return MaskOf(callee.field("object"), aliases);
}

MaskEvidence Either(MaskEvidence a, const MaskEvidence& b) {
  a.sure = a.sure || b.sure;
  a.if_any.insert(a.if_any.end(), b.if_any.begin(), b.if_any.end());
  return a;
}

bool Compares(Node node) {
  const std::vector<std::string_view> operators = node.operators();
  if (std::ranges::any_of(operators, [](std::string_view op) {
        return op == "in" || op == "not in" || op == "is" || op == "is not" || op == "not";
      })) {
    return false;
  }
  // Texts are compared on the host.
  return std::ranges::none_of(node.children(), [](const Node& side) { return side.is("string"); });
}

}  // namespace

void FindConstants(Node node, Constants& constants) {
  const std::string_view type = node.type();
  if (type == "assignment" || type == "augmented_assignment") {
    const Node left = node.field("left");
    if (left.is("identifier") && type == "assignment") {
      const Node right = node.field("right");
      if (right) Bind(left.text(), Number(right, constants), constants);
    } else if (!left.is("attribute") && !left.is("subscript")) {
      Forget(left, constants);
    }
  } else if (type == "for_statement" || type == "for_in_clause") {
    Forget(node.field("left"), constants);
  } else if (type == "function_definition" || type == "lambda") {
    Forget(node.field("parameters"), constants);
  } else if (type == "global_statement") {
    Forget(node, constants);
  }
  for (const Node& child : node.children()) FindConstants(child, constants);
}

std::vector<int64_t> SizesOf(Node node, const Constants& constants) {
  std::vector<int64_t> sizes;
  if (!node.is("list") && !node.is("tuple")) {
    if (const std::optional<int64_t> value = Number(node, constants)) sizes.push_back(*value);
    return sizes;
  }
  for (const Node& item : node.children()) {
    const std::optional<int64_t> value = Number(item, constants);
    if (!value) return {};
    sizes.push_back(*value);
  }
  return sizes;
}

MaskEvidence MaskOf(Node node, const Aliases& aliases) {
  if (node.is("identifier") || node.is("attribute")) return {false, {std::string(node.text())}};
  if (node.is("comparison_operator")) return {Compares(node)};
  if (node.is("unary_operator")) return {node.field("operator").text() == "~"};
  if (node.is("call")) return MaskOfCall(node, aliases);
  if (node.is("subscript")) return MaskOf(node.field("value"), aliases);
  if (node.is("parenthesized_expression")) {
    const std::vector<Node> inside = node.children();
    return inside.size() == 1 ? MaskOf(inside[0], aliases) : MaskEvidence{};
  }
  if (!node.is("binary_operator")) return {};
  const std::string_view op = node.field("operator").text();
  if (op != "&" && op != "|" && op != "^") return {};
  return Either(MaskOf(node.field("left"), aliases), MaskOf(node.field("right"), aliases));
}

}  // namespace tilewise::python
