// Constants and counters. A constant of many values is memory that is read: a
// variable, as weights written into the module are.

#include <algorithm>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

// The value of every element, when there is one.
std::optional<double> OneValue(const Literal& literal) {
  if (literal.splat || literal.values.empty()) return literal.splat;
  const double first = literal.values.front();
  const bool all = std::all_of(literal.values.begin(), literal.values.end(),
                               [&](double v) { return v == first; });
  if (!all) return std::nullopt;
  return first;
}

bool CountsUp(const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != static_cast<double>(i)) return false;
  }
  return !values.empty();
}

}  // namespace

Value TranslateConstant(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const Literal& literal = site.instruction.literal;
  Shape shape = GraphShape(site.shape);
  if (const std::optional<double> value = OneValue(literal)) {
    return e.Constant(*value, std::move(shape));
  }
  if (shape.rank() == 1 && CountsUp(literal.values)) {
    return e.Add(OpKind::kIota, {}, DimsAttrs{{0}}, std::move(shape));
  }
  if (shape.rank() == 0) return e.Constant(0, std::move(shape));
  const VariableAttrs attrs{.trainable = IsFloat(shape.dtype) && shape.rank() >= 2};
  const EnclosingLoop loop = e.loop();
  e.SetLoop({});
  const OpId variable = e.Add(OpKind::kVariable, {}, attrs, std::move(shape));
  e.SetLoop(loop);
  return variable;
}

Value TranslateIota(Translation& t, const Site& site) {
  const std::vector<int64_t>& dims = site.instruction.dims;
  const int64_t dim = dims.empty() ? site.instruction.index : dims[0];
  return t.emit().Add(OpKind::kIota, {}, DimsAttrs{{dim}}, GraphShape(site.shape));
}

}  // namespace tilewise::hlo
