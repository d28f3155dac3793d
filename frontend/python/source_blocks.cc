// Blocks: functions, classes, conditions, loops and context managers.

#include "frontend/python/source_arguments.h"
#include "frontend/python/source_walker.h"

namespace tilewise::python {
namespace {

constexpr size_t kMostNames = 32;
constexpr size_t kMostBodyNames = 400;

// The name a parameter binds: of `x`, `x: T`, `x=1`, `*x`; else "".
std::string_view ParameterName(Node parameter) {
  if (parameter.is("identifier")) return parameter.text();
  if (parameter.is("typed_parameter") || parameter.is("list_splat_pattern") ||
      parameter.is("dictionary_splat_pattern")) {
    const std::vector<Node> parts = parameter.children();
    return parts.empty() ? "" : ParameterName(parts[0]);
  }
  const Node name = parameter.field("name");
  return name.is("identifier") ? name.text() : "";
}

}  // namespace

std::vector<std::string> Parameters(Node function) {
  std::vector<std::string> names;
  for (const Node& parameter : function.field("parameters").children()) {
    const std::string_view name = ParameterName(parameter);
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::string_view FirstParameter(Node function, bool method) {
  const std::vector<Node> parameters = function.field("parameters").children();
  const size_t first = method && !parameters.empty() && parameters[0].text() == "self" ? 1 : 0;
  return first < parameters.size() ? ParameterName(parameters[first]) : "";
}

void SourceWalker::WalkFunction(Node node, std::vector<SourceDecorator> decorators,
                                WalkPosition place) {
  const Node body = node.field("body");
  for (const Node& parameter : node.field("parameters").children()) {
    Walk(parameter, place);  // defaults run outside
  }
  const bool method = place.function.empty() && !place.class_name.empty();
  const int32_t index = Open(ContextKind::kFunction, node, place);
  At(index).name = std::string(node.field("name").text());
  At(index).targets = Parameters(node);
  At(index).names = NamesIn(body, kMostBodyNames);
  At(index).decorators = std::move(decorators);
  place.parameter = FirstParameter(node, method);
  place.function = node.field("name").text();
  place.in_dataset_function = place.in_dataset_function || ForDataset(node);
  place.outer = -1;
  Walk(body, Inside(index, place));
}

void SourceWalker::WalkClass(Node node, std::vector<SourceDecorator> decorators,
                             WalkPosition place) {
  const int32_t index = Open(ContextKind::kClass, node, place);
  At(index).name = std::string(node.field("name").text());
  At(index).decorators = std::move(decorators);
  for (const Node& base : node.field("superclasses").children()) {
    if (base.is("keyword_argument")) continue;
    At(index).bases.push_back(DottedName(base, aliases_));
  }
  place.function = {};
  place.class_name = node.field("name").text();
  place.parameter = {};
  Walk(node.field("body"), Inside(index, place));
}

void SourceWalker::WalkDecorated(Node node, const WalkPosition& place) {
  std::vector<SourceDecorator> decorators;
  for (const Node& child : node.children()) {
    if (!child.is("decorator")) continue;
    WalkChildren(child, place);
    for (const Node& part : child.children()) {
      decorators.push_back(Decorator(part));
    }
  }
  const Node definition = node.field("definition");
  if (definition.is("class_definition")) {
    WalkClass(definition, std::move(decorators), place);
  } else {
    WalkFunction(definition, std::move(decorators), place);
  }
}

SourceDecorator SourceWalker::Decorator(Node node) {
  SourceDecorator decorator;
  decorator.location = node.location();
  if (!node.is("call")) {
    decorator.name = DottedName(node, aliases_);
    return decorator;
  }
  const Node list = node.field("arguments");
  bool open = false;
  decorator.called = true;
  decorator.name = DottedName(node.field("function"), aliases_);
  decorator.arguments = ReadArguments(list, "", aliases_, constants_, open);
  decorator.arguments_span = InsideOf(list);
  if (decorator.name == "functools.partial" && !decorator.arguments.empty()) {
    decorator.name = decorator.arguments.front().name;
    decorator.arguments.erase(decorator.arguments.begin());
  }
  return decorator;
}

void SourceWalker::WalkLambda(Node node, WalkPosition place) {
  const int32_t index = Open(ContextKind::kLambda, node, place);
  At(index).targets = Parameters(node);
  At(index).names = NamesIn(node.field("body"), kMostNames);
  place.parameter = {};
  place.in_dataset_function = place.in_dataset_function || ForDataset(node);
  place.outer = -1;
  Walk(node.field("body"), Inside(index, place));
}

void SourceWalker::WalkIf(Node node, const WalkPosition& place) {
  Node condition = node.field("condition");
  Walk(condition, place);
  Walk(node.field("consequence"), Inside(OpenCondition(ContextKind::kIf, condition, place), place));
  WalkPosition rest = place;
  for (const Node& child : node.children()) {
    if (!child.is("elif_clause") && !child.is("else_clause")) continue;
    rest.context = OpenCondition(ContextKind::kElse, condition, rest);
    if (child.is("else_clause")) {
      Walk(child.field("body"), rest);
      continue;
    }
    condition = child.field("condition");
    Walk(condition, rest);
    Walk(child.field("consequence"),
         Inside(OpenCondition(ContextKind::kIf, condition, rest), rest));
  }
}

void SourceWalker::WalkConditional(Node node, const WalkPosition& place) {
  const std::vector<Node> parts = node.children();
  if (parts.size() != 3) return WalkChildren(node, place);
  Walk(parts[1], place);
  Walk(parts[0], Inside(OpenCondition(ContextKind::kIf, parts[1], place), place));
  Walk(parts[2], Inside(OpenCondition(ContextKind::kElse, parts[1], place), place));
}

void SourceWalker::WalkLoop(Node node, const WalkPosition& place) {
  const bool counted = node.is("for_statement");
  const Node over = node.field(counted ? "right" : "condition");
  int32_t call = -1;
  if (counted && over.is("call")) {
    call = WalkCall(over, {}, {}, place);
  } else if (counted) {
    Walk(over, place);
  }
  const int32_t index =
      OpenCondition(counted ? ContextKind::kFor : ContextKind::kWhile, over, place);
  At(index).location = node.location();
  At(index).call = call;
  if (counted) At(index).targets = Targets(node.field("left"));
  if (!counted) Walk(over, Inside(index, place));
  Walk(node.field("body"), Inside(index, place));
  const Node otherwise = node.field("alternative");
  if (otherwise) WalkChildren(otherwise, place);
}

void SourceWalker::WalkWith(Node node, WalkPosition place) {
  for (const Node& clause : node.children()) {
    if (!clause.is("with_clause")) continue;
    for (const Node& item : clause.children()) {
      place.context = OpenWith(item.field("value"), place);
    }
  }
  Walk(node.field("body"), place);
}

int32_t SourceWalker::OpenWith(Node value, const WalkPosition& place) {
  Node manager = value;
  std::vector<std::string> targets;
  if (value.is("as_pattern")) {
    const std::vector<Node> parts = value.children();
    if (!parts.empty()) manager = parts[0];
    targets = Targets(value.field("alias"));
  }
  manager = Unwrapped(manager);
  int32_t call = -1;
  std::string name;
  if (manager.is("call")) {
    call = WalkCall(manager, targets, {}, place);
    name = facts_.calls[call].name;
  } else {
    name = DottedName(manager, aliases_);
    Walk(manager, place);
  }
  const int32_t index = Open(ContextKind::kWith, manager, place);
  At(index).name = std::move(name);
  At(index).text = ShortText(manager);
  At(index).targets = std::move(targets);
  At(index).call = call;
  return index;
}

void SourceWalker::WalkComprehension(Node node, const WalkPosition& place) {
  const int32_t index = Open(ContextKind::kComprehension, node, place);
  for (const Node& child : node.children()) {
    if (!child.is("for_in_clause")) continue;
    const std::vector<std::string> more = Targets(child.field("left"));
    At(index).targets.insert(At(index).targets.end(), more.begin(), more.end());
    if (At(index).text.empty()) {
      At(index).text = ShortText(child.field("right"));
      At(index).names = NamesIn(child.field("right"), kMostNames);
    }
  }
  WalkChildren(node, Inside(index, place));
}

}  // namespace tilewise::python
