// A walk over one expression; what a call makes of small values is small, but for calls that make
// arrays of a size.

#include "frontend/program/small_values.h"

#include <algorithm>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using py::NodeKind;

constexpr int64_t kFew = 64;

template <size_t N>
bool IsOneOfNames(std::string_view name, const std::string_view (&names)[N]) {
  return std::ranges::find(names, name) != std::end(names);
}

// What tells the size of an array, or where in it something is.
bool TellsSize(std::string_view last) {
  constexpr std::string_view kNames[] = {"shape",
                                         "size",
                                         "rank",
                                         "ndim",
                                         "dtype",
                                         "get_shape",
                                         "as_list",
                                         "extract_jpeg_shape",
                                         "sample_distorted_bounding_box",
                                         "stateless_sample_distorted_bounding_box",
                                         "len"};
  return IsOneOfNames(last, kNames);
}

// What makes an array of the size that it is given.
bool MakesArray(std::string_view name) {
  constexpr std::string_view kNames[] = {"zeros",
                                         "ones",
                                         "fill",
                                         "eye",
                                         "range",
                                         "linspace",
                                         "tile",
                                         "repeat",
                                         "one_hot",
                                         "meshgrid",
                                         "broadcast_to",
                                         "empty",
                                         "arange",
                                         "uniform",
                                         "normal",
                                         "full",
                                         "randn",
                                         "randint",
                                         "random",
                                         "gaussian",
                                         "truncated_normal",
                                         "stateless_uniform",
                                         "stateless_normal"};
  return IsOneOfNames(tilewise::LastName(name), kNames);
}

// Parts of an example that are no array, by the name under which the program has them.
bool NamesLabel(const py::Node* key) {
  constexpr std::string_view kNames[] = {"label", "class", "height", "width", "id", "filename"};
  if (key->kind != NodeKind::kConstant) return false;
  const std::string* text = py::TextOf(key->constant);
  return text != nullptr && IsOneOfNames(text->substr(text->find_last_of("/_") + 1), kNames);
}

// Elements of a written shape, "()" or "[2, 1]"; 0: not known.
int64_t ElementsOf(const py::Node* shape) {
  int64_t elements = 1;
  if (shape->kind == NodeKind::kConstant) return py::AsInt(shape->constant).value_or(0);
  if (shape->kind != NodeKind::kList && shape->kind != NodeKind::kTuple) return 0;
  for (const py::Node* size : shape->list) {
    const int64_t value =
        size->kind == NodeKind::kConstant ? py::AsInt(size->constant).value_or(0) : 0;
    if (value < 1 || value > kFew) return 0;
    elements *= value;
    if (elements > kFew) return 0;
  }
  return elements;
}

// The shape that a call names: its first argument, or `shape=`; null: it has none.
const py::Node* ShapeArgument(const py::Node* call) {
  for (const py::Node* argument : call->list) {
    if (argument->kind != NodeKind::kKeyword) continue;
    if (*argument->name == "shape" || *argument->name == "size") return argument->a;
  }
  const bool by_place = !call->list.empty() && call->list.front()->kind != NodeKind::kKeyword;
  return by_place ? call->list.front() : nullptr;
}

}  // namespace

bool IsFewNumbers(const py::Value& value) {
  const auto is_plain = [](const py::Value& one) {
    return py::AsNumber(one).has_value() || py::TextOf(one) != nullptr;
  };
  const py::Sequence* list = value.as<py::Sequence>();
  if (list == nullptr) return is_plain(value);
  return list->items.size() <= kFew && std::ranges::all_of(list->items, is_plain);
}

bool SmallValues::HoldsAll(const std::vector<py::Node*>& list) const {
  return std::ranges::all_of(list, [this](const py::Node* node) { return Holds(node); });
}

bool SmallValues::HoldsCall(const py::Node* call) const {
  const py::Node* callee = call->a;
  const std::string_view last =
      callee->kind == NodeKind::kAttribute || callee->kind == NodeKind::kName
          ? std::string_view(*callee->name)
          : std::string_view();
  if (TellsSize(last)) return true;
  if (MakesArray(last)) {
    const py::Node* shape = ShapeArgument(call);
    return shape == nullptr || ElementsOf(shape) > 0;
  }
  const bool method = callee->kind == NodeKind::kAttribute && name_of_(callee).empty();
  if (method && !Holds(callee->a)) return false;
  return (method || !call->list.empty()) && HoldsAll(call->list);
}

bool SmallValues::Holds(const py::Node* node) const {
  constexpr int64_t kMostSteps = 1'000'000;
  if (node == nullptr) return true;
  if (++steps_ > kMostSteps) return false;
  switch (node->kind) {
    case NodeKind::kConstant:
      return true;
    case NodeKind::kName:
      return names_.contains(node->name) || is_number_(node) || !name_of_(node).empty();
    case NodeKind::kAttribute:
      return TellsSize(*node->name) || is_number_(node) || !name_of_(node).empty() ||
             Holds(node->a);
    case NodeKind::kSubscript:
      return NamesLabel(node->b) || Holds(node->a);
    case NodeKind::kBinary:
      return Holds(node->a) && Holds(node->b);
    case NodeKind::kConditional:
      return Holds(node->a) && Holds(node->c);
    case NodeKind::kUnary:
    case NodeKind::kNot:
    case NodeKind::kKeyword:
    case NodeKind::kStar:
      return Holds(node->a);
    case NodeKind::kAnd:
    case NodeKind::kOr:
      return Holds(node->a) && Holds(node->b) && HoldsAll(node->list);
    case NodeKind::kCompare:
    case NodeKind::kTuple:
    case NodeKind::kList:
      return HoldsAll(node->list);
    case NodeKind::kCall:
      return HoldsCall(node);
    default:
      return false;
  }
}

void SmallValues::Bind(py::Symbol name, bool small) {
  if (small) {
    names_.insert(name);
  } else {
    names_.erase(name);
  }
}

void SmallValues::Bind(const py::Node* target, bool small) {
  if (target == nullptr) return;
  if (target->kind == NodeKind::kName) return Bind(target->name, small);
  if (target->kind == NodeKind::kStar) return Bind(target->a, small);
  if (target->kind != NodeKind::kTuple && target->kind != NodeKind::kList) return;
  for (const py::Node* part : target->list) Bind(part, small);
}

void SmallValues::BindParameters(const py::Function& function, bool is_method, const py::Node& call,
                                 const SmallValues& of_caller) {
  const std::vector<py::Node*>& parameters = function.node->list;
  const size_t first = is_method ? 1 : 0;
  for (size_t i = first; i < parameters.size(); ++i) {
    const py::Node* given = parameters[i]->a;
    for (size_t k = 0; k < call.list.size(); ++k) {
      const py::Node* argument = call.list[k];
      const bool keyword = argument->kind == NodeKind::kKeyword;
      const bool here = keyword ? argument->name == parameters[i]->name : k + first == i;
      if (here) given = argument;
    }
    Bind(parameters[i]->name, given != nullptr && of_caller.Holds(given));
  }
}

void SmallValues::BindFirst(const py::Function& function, bool is_method) {
  const std::vector<py::Node*>& parameters = function.node->list;
  const size_t first = is_method ? 1 : 0;
  if (first < parameters.size()) Bind(parameters[first]->name, true);
}

}  // namespace tilewise::program
