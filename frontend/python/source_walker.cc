// Statements, assignments and calls.

#include "frontend/python/source_walker.h"

#include "frontend/python/source_arguments.h"

namespace tilewise::python {
namespace {

constexpr size_t kMostTargets = 32;

// What an assignment binds: names, attributes, subscripts, as written.
void AddTargets(Node node, std::vector<std::string>& targets) {
  if (node.is("identifier") || node.is("attribute") || node.is("subscript")) {
    targets.push_back(ShortText(node));
    return;
  }
  for (const Node& child : node.children()) AddTargets(child, targets);
}

}  // namespace

std::vector<std::string> Targets(Node node) {
  std::vector<std::string> targets;
  if (node) AddTargets(node, targets);
  return targets;
}

Node Unwrapped(Node node) {
  while (node.is("parenthesized_expression") || node.is("await")) {
    const std::vector<Node> inside = node.children();
    if (inside.size() != 1) break;
    node = inside[0];
  }
  return node;
}

void SourceWalker::Walk(Node node, const WalkPosition& place) {
  const std::string_view type = node.type();
  if (type == "block" || type == "module") return WalkBlock(node, place);
  if (type == "function_definition") return WalkFunction(node, {}, place);
  if (type == "class_definition") return WalkClass(node, {}, place);
  if (type == "decorated_definition") return WalkDecorated(node, place);
  if (type == "lambda") return WalkLambda(node, place);
  if (type == "call") {
    WalkCall(node, {}, {}, place);
    return;
  }
  if (type == "expression_statement") return WalkStatement(node, place);
  if (type == "assignment") return WalkAssignment(node, false, place);
  if (type == "augmented_assignment") return WalkAssignment(node, true, place);
  if (type == "if_statement") return WalkIf(node, place);
  if (type == "conditional_expression") return WalkConditional(node, place);
  if (type == "for_statement" || type == "while_statement") {
    return WalkLoop(node, place);
  }
  if (type == "with_statement") return WalkWith(node, place);
  if (type == "subscript") return WalkSubscript(node, place);
  if (type == "except_clause" || type == "case_clause") {
    return WalkChildren(node, Inside(Open(ContextKind::kIf, node, place), place));
  }
  if (type.ends_with("_comprehension") || type == "generator_expression") {
    return WalkComprehension(node, place);
  }
  WalkChildren(node, place);
}

void SourceWalker::WalkChildren(Node node, const WalkPosition& place) {
  for (const Node& child : node.children()) Walk(child, place);
}

int32_t SourceWalker::Open(ContextKind kind, Node node, const WalkPosition& place) {
  SourceContext& context = facts_.contexts.emplace_back();
  context.kind = kind;
  context.parent = place.context;
  context.location = node.location();
  return static_cast<int32_t>(facts_.contexts.size()) - 1;
}

int32_t SourceWalker::OpenCondition(ContextKind kind, Node condition, const WalkPosition& place) {
  const int32_t index = Open(kind, condition, place);
  At(index).text = ShortText(condition);
  At(index).names = NamesIn(condition, kMostTargets);
  return index;
}

WalkPosition SourceWalker::Inside(int32_t context, WalkPosition place) {
  place.context = context;
  return place;
}

SourceContext& SourceWalker::At(int32_t index) { return facts_.contexts[index]; }

void SourceWalker::WalkBlock(Node node, WalkPosition place) {
  for (const Node& child : node.children()) {
    Walk(child, place);
    if (!child.is("if_statement") || child.field("alternative")) continue;
    const std::vector<Node> body = child.field("consequence").children();
    if (body.empty() || !body.back().is("continue_statement")) continue;
    place.context = OpenCondition(ContextKind::kElse, child.field("condition"), place);
  }
}

void SourceWalker::WalkStatement(Node node, const WalkPosition& place) {
  const std::vector<Node> parts = node.children();
  if (parts.size() == 1 && Unwrapped(parts[0]).is("call")) {
    WalkCall(Unwrapped(parts[0]), {}, node.span(), place);
  } else {
    WalkChildren(node, place);
  }
}

void SourceWalker::WalkAssignment(Node node, bool augmented, const WalkPosition& place) {
  const Node right = node.field("right");
  SourceAssignment assignment;
  assignment.targets = Targets(node.field("left"));
  assignment.location = node.location();
  assignment.context = place.context;
  assignment.augmented = augmented;
  if (node.field("left").is("subscript") && right) {
    SourceSubscript& subscript = AddSubscript(node.field("left"), place);
    subscript.assigned = true;
    subscript.value = ShortText(right);
    WalkChildren(node.field("left"), place);
  } else {
    Walk(node.field("left"), place);
  }
  if (!right) return;  // x: int
  const Node value = Unwrapped(right);
  assignment.text = ShortText(value);
  if (value.is("identifier") || value.is("attribute")) {
    assignment.name = DottedName(value, aliases_);
  }
  assignment.names = NamesIn(value, kMostTargets);
  assignment.mask = MaskOf(value, aliases_);
  if (value.is("call")) {
    assignment.call = WalkCall(value, assignment.targets, {}, place);
  } else {
    Walk(right, place);
  }
  facts_.assignments.push_back(std::move(assignment));
}

void SourceWalker::WalkSubscript(Node node, const WalkPosition& place) {
  AddSubscript(node, place);
  WalkChildren(node, place);
}

SourceSubscript& SourceWalker::AddSubscript(Node node, const WalkPosition& place) {
  const Node object = node.field("value");
  SourceSubscript& subscript = facts_.subscripts.emplace_back();
  subscript.location = object.location();
  subscript.object = ShortText(object);
  subscript.object_names = NamesIn(object, kMostTargets);
  subscript.function = place.function;
  subscript.in_dataset_function = place.in_dataset_function;
  subscript.context = place.context;
  subscript.outer = place.outer;
  for (const Node& part : node.children()) {
    if (part == object) continue;
    subscript.index += (subscript.index.empty() ? "" : ", ") + ShortText(part);
    const std::vector<Node> parts = part.is("tuple") ? part.children() : std::vector<Node>{part};
    for (const Node& each : parts) {
      const MaskEvidence mask = MaskOf(each, aliases_);
      subscript.mask.sure = subscript.mask.sure || mask.sure;
      subscript.mask.if_any.insert(subscript.mask.if_any.end(), mask.if_any.begin(),
                                   mask.if_any.end());
    }
  }
  return subscript;
}

int32_t SourceWalker::WalkCall(Node node, std::vector<std::string> results, Span statement,
                               WalkPosition place) {
  const Node callee = node.field("function");
  const Node list = node.field("arguments");
  const auto index = static_cast<int32_t>(facts_.calls.size());
  SourceCall call;
  call.name = DottedName(callee, aliases_);
  call.location = callee.is("attribute") ? callee.field("attribute").location() : callee.location();
  call.function = place.function;
  call.in_dataset_function = place.in_dataset_function;
  call.class_name = place.class_name;
  call.arguments = ReadArguments(list, place.parameter, aliases_, constants_, call.open);
  if (callee.is("attribute")) {
    call.receiver = ShortText(callee.field("object"));
    call.receiver_names = NamesIn(callee.field("object"), kMostTargets);
  }
  call.results = std::move(results);
  call.context = place.context;
  call.outer = place.outer;
  call.arguments_span = InsideOf(list);
  call.statement = std::move(statement);
  facts_.calls.push_back(std::move(call));
  place.outer = index;
  Walk(callee, place);
  WalkArguments(list, index, place);
  return index;
}

void SourceWalker::WalkArguments(Node list, int32_t call, const WalkPosition& place) {
  if (!list.is("argument_list")) return Walk(list, place);
  size_t position = 0;
  for (const Node& child : list.children()) {
    const Node value = child.is("keyword_argument") ? child.field("value") : child;
    if (value.is("call")) {
      const int32_t inner = WalkCall(value, {}, {}, place);
      facts_.calls[call].arguments[position].call = inner;
    } else {
      Walk(value, place);
    }
    ++position;
  }
}

bool SourceWalker::ForDataset(Node function) const {
  Node body = function.field("body");
  while (body.is("parenthesized_expression") && body.children().size() == 1) {
    body = body.children().front();
  }
  const SyntaxTree& tree = *function.tree();
  return body && dataset_functions_.contains({tree.path(), tree.cell(), body.begin()});
}

}  // namespace tilewise::python
