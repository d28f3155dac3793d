// Statements: assignments, definitions, imports, and blocks in order.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {

Flow Interpreter::ExecBlock(Node block) {
  for (const Node& statement : block.children()) {
    const Flow flow = Exec(statement);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Flow Interpreter::Exec(Node node) {
  if (!Charge(20)) return Flow::kStop;
  const std::string_view type = node.type();
  if (type == "expression_statement") {
    for (const Node& child : node.children()) ExecExpression(child);
  } else if (type == "if_statement") {
    return ExecIf(node);
  } else if (type == "match_statement") {
    return ExecMatch(node);
  } else if (type == "for_statement") {
    return ExecFor(node);
  } else if (type == "while_statement") {
    return ExecWhile(node);
  } else if (type == "with_statement") {
    return ExecWith(node);
  } else if (type == "try_statement") {
    return ExecTry(node);
  } else if (type == "import_statement") {
    ExecImport(node);
  } else if (type == "import_from_statement") {
    ExecImportFrom(node);
  } else if (type == "function_definition") {
    const std::string name(node.field("name").text());
    frames.back().names->Set(name, MakeFunction(node, name));
  } else if (type == "class_definition") {
    ExecClass(node);
  } else if (type == "decorated_definition") {
    ExecDecorated(node);
  } else if (type == "return_statement") {
    const std::vector<Node> values = node.children();
    frames.back().returned = values.empty() ? Value{None{}} : Eval(values[0]);
    return Flow::kReturn;
  } else if (type == "break_statement") {
    return Flow::kBreak;
  } else if (type == "continue_statement") {
    return Flow::kContinue;
  } else if (type == "raise_statement") {
    return Flow::kRaise;
  } else if (type == "global_statement" || type == "nonlocal_statement") {
    for (const Node& name : node.children()) {
      frames.back().names->Redirect(std::string(name.text()), type == "global_statement");
    }
  } else if (type == "block" || type == "module" || type == "ERROR") {
    return ExecBlock(node);
  }
  return Flow::kNext;
}

void Interpreter::ExecExpression(Node node) {
  if (node.is("assignment")) {
    const Node right = node.field("right");
    if (!right) return;  // an annotation only
    if (right.is("assignment")) {
      ExecExpression(right);
      Assign(node.field("left"), Eval(right.field("left")));
      return;
    }
    Assign(node.field("left"), Eval(right));
  } else if (node.is("augmented_assignment")) {
    const Node left = node.field("left");
    std::string_view op = node.field("operator").text();
    op.remove_suffix(1);
    Assign(left, Binary(op, Eval(left), Eval(node.field("right")), node));
  } else {
    Eval(node);
  }
}

namespace {

// The variable that holds a dataset names its pipeline.
void NameDataset(const Value& value, std::string_view name) {
  if (Dataset* dataset = value.ref<Dataset>()) {
    dataset->pipeline.name = std::string(name);
  }
}

}  // namespace

void Interpreter::Assign(Node target, const Value& value) {
  const std::string_view type = target.type();
  if (type == "identifier") {
    NameDataset(value, target.text());
    frames.back().names->Set(std::string(target.text()), value);
    return;
  }
  if (type == "attribute") {
    const Value object = Eval(target.field("object"));
    const std::string name(target.field("attribute").text());
    NameDataset(value, name);
    if (Object* instance = object.ref<Object>()) {
      instance->attributes[name] = value;
      instance->places[name] = {target.location(), target.span()};
    }
    return;
  }
  if (type == "subscript") {
    Dict* dict = Eval(target.field("value")).ref<Dict>();
    if (dict == nullptr || !Charge(1)) return;
    const Value key = Eval(target.field("subscript"));
    const std::string* text = key.as<std::string>();
    for (auto& [held, slot] : dict->items) {
      if (text != nullptr && held.as<std::string>() != nullptr &&
          *held.as<std::string>() == *text) {
        slot = value;
        return;
      }
    }
    Charge(static_cast<int64_t>(dict->items.size()) / 8);
    dict->items.emplace_back(key, value);
    return;
  }
  std::vector<Node> targets = target.children();
  if (type == "parenthesized_expression" && targets.size() == 1) {
    Assign(targets[0], value);
    return;
  }
  Unpack(targets, value);
}

// a, *b, c = value: what stands before and after the star takes one item each.
void Interpreter::Unpack(const std::vector<Node>& targets, const Value& value) {
  if (targets.empty()) return;
  const std::optional<std::vector<Value>> items = Iterate(value, targets[0]);
  const auto starred = std::ranges::find_if(
      targets, [](const Node& target) { return target.is("list_splat_pattern"); });
  const size_t star = starred - targets.begin();
  const bool has_star = starred != targets.end();
  const size_t least = targets.size() - (has_star ? 1 : 0);
  const bool fits =
      items.has_value() && (has_star ? items->size() >= least : items->size() == least);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!fits) {
      const Node part = i == star ? targets[i].children().front() : targets[i];
      Assign(part, value.unknown() != nullptr
                       ? PartOf(*value.unknown(), fmt::format("item {}", i))
                       : MakeUnknown(fmt::format("`{}` is not followed", part.excerpt()), part));
    } else if (i == star) {
      const auto first = items->begin() + static_cast<std::ptrdiff_t>(i);
      const auto count = static_cast<std::ptrdiff_t>(items->size() - least);
      Assign(targets[i].children().front(), MakeList({first, first + count}));
    } else {
      Assign(targets[i], (*items)[i < star ? i : i + items->size() - least - 1]);
    }
  }
}

void Interpreter::ExecImport(Node node) {
  for (const Node& child : node.children()) {
    if (child.is("aliased_import")) {
      frames.back().names->Set(std::string(child.field("alias").text()),
                               {Path{CanonicalName(child.field("name").text())}});
    } else if (child.is("dotted_name")) {
      const std::string name(child.text());
      const std::string first = name.substr(0, name.find('.'));
      frames.back().names->Set(first, {Path{CanonicalName(first)}});
    }
  }
}

void Interpreter::ExecImportFrom(Node node) {
  const Node module = node.field("module_name");
  for (const Node& child : node.children()) {
    if (child == module) continue;
    const bool aliased = child.is("aliased_import");
    if (!aliased && !child.is("dotted_name")) continue;
    const Node name = aliased ? child.field("name") : child;
    const Node bound = aliased ? child.field("alias") : child;
    frames.back().names->Set(
        std::string(bound.text()),
        {Path{CanonicalName(fmt::format("{}.{}", module.text(), name.text()))}});
  }
}

void Interpreter::ExecDecorated(Node node) {
  const Node definition = node.field("definition");
  Exec(definition);
  const Value* defined = frames.back().names->Find(std::string(definition.field("name").text()));
  Function* function = defined == nullptr ? nullptr : defined->ref<Function>();
  if (function == nullptr) return;
  const std::vector<Node> parts = node.children();
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
    if (!it->is("decorator")) continue;
    if (it->text() == "@staticmethod") function->is_static = true;
    if (it->text() == "@classmethod") function->is_class = true;
    if (it->text() == "@property") function->is_property = true;
    Decorate(it->children().front(), definition);
  }
}

// A decorator of the script that returns a function of its own: that one is
// called. Others are taken to keep what they decorate.
void Interpreter::Decorate(Node decorator, Node definition) {
  const std::string name(definition.field("name").text());
  const Value callee = Eval(decorator);
  const Value* defined = frames.back().names->Find(name);
  if (callee.ref<Function>() == nullptr || defined == nullptr) return;
  const Value made = CallFunction(*callee.ref<Function>(), {{*defined}, {}}, decorator);
  if (made.ref<Function>() == nullptr) return;
  MarkCalled(*defined->ref<Function>());
  Function* named = arena.New(*made.ref<Function>());
  named->name = name;
  frames.back().names->Set(name, {named});
}

void Interpreter::ExecClass(Node node) {
  Class* type = arena.New(Class{});
  type->name = std::string(node.field("name").text());
  type->value = {type};
  type->node = node;
  for (const Node& base : node.field("superclasses").children()) {
    if (!base.is("keyword_argument")) type->bases.push_back(Eval(base));
  }
  if (frames.size() < 64) {
    Frame frame;
    frame.names = NewEnvironment(frames.back().names);
    frame.function = type->name;
    frames.push_back(frame);
    ExecBlock(node.field("body"));
    type->members = frames.back().names->names();
    for (auto& [name, member] : type->members) {
      Function* method = member.ref<Function>();
      if (method != nullptr && method->closure == frames.back().names) {
        method->owner = type;
      }
    }
    frames.pop_back();
  }
  frames.back().names->Set(type->name, {type});
  if (type->Extends("Model")) {
    Note("RD002", node.location(),
         fmt::format("class {} is a subclassed model, which cannot be costed "
                     "without running it; write model.to_json() of a "
                     "functional model to a file and give that file too",
                     type->name));
  }
}

Value Interpreter::MakeFunction(Node node, std::string name) {
  Function* function = arena.New(Function{});
  function->name = std::move(name);
  function->node = node;
  function->closure = frames.back().names;
  for (const Node& parameter : node.field("parameters").children()) {
    const Node value = parameter.field("value");
    if (!value) continue;
    function->defaults[std::string(parameter.field("name").text())] = Eval(value);
  }
  if (node.is("function_definition")) RememberFunction(function);
  return {function};
}

}  // namespace tilewise::python
