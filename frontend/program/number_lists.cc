// The part of `_python` that numpy's arrays need for each of their numbers.

#include <cmath>
#include <limits>
#include <optional>

#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

using py::Arguments;
using py::Interpreter;
using py::None;
using py::Taken;
using py::TextOf;
using PyValue = py::Value;

const py::Sequence* NumberList(const PyValue& value) { return value.as<py::Sequence>(); }

std::optional<std::vector<int64_t>> SizesInList(const PyValue& value) {
  const py::Sequence* list = NumberList(value);
  if (list == nullptr) return std::nullopt;
  std::vector<int64_t> sizes;
  for (const PyValue& item : list->items) {
    if (item.tag != PyValue::Tag::kInt) return std::nullopt;
    sizes.push_back(item.integer);
  }
  return sizes;
}

// strided(values, shape, strides): the values in the order of an array of that
// shape whose dims lie so far apart. None where a size is not known.
PyValue Strided(Interpreter& in, Arguments& arguments) {
  constexpr int64_t kMost = int64_t{1} << 20;
  const Taken taken(in, arguments);
  const py::Sequence* values = NumberList(taken[0]);
  const auto shape = SizesInList(taken[1]);
  const auto strides = SizesInList(taken[2]);
  if (values == nullptr || !shape.has_value() || !strides.has_value()) return None();
  if (shape->size() != strides->size()) return None();
  int64_t count = 1;
  for (const int64_t size : *shape) {
    if (size < 0 || count * size > kMost) return None();
    count *= size;
  }
  in.Step(2 + count / 8);
  std::vector<int64_t> offsets = {0};
  for (size_t d = 0; d < shape->size(); ++d) {
    std::vector<int64_t> inner;
    inner.reserve(offsets.size() * static_cast<size_t>((*shape)[d]));
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < (*shape)[d]; ++i) inner.push_back(offset + i * (*strides)[d]);
    }
    offsets = std::move(inner);
  }
  std::vector<PyValue> result;
  result.reserve(offsets.size());
  for (const int64_t offset : offsets) {
    if (offset < 0 || offset >= static_cast<int64_t>(values->items.size())) return None();
    result.push_back(values->items[static_cast<size_t>(offset)]);
  }
  return in.List(std::move(result));
}

enum class NumberPairing {
  kAdd,
  kSub,
  kMul,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kUnequal,
  kMax,
  kMin,
  kDiv
};

std::optional<NumberPairing> NumberPairingOf(std::string_view name) {
  constexpr std::pair<std::string_view, NumberPairing> kNames[] = {
      {"add", NumberPairing::kAdd},         {"sub", NumberPairing::kSub},
      {"mul", NumberPairing::kMul},         {"lt", NumberPairing::kLess},
      {"le", NumberPairing::kLessEqual},    {"gt", NumberPairing::kGreater},
      {"ge", NumberPairing::kGreaterEqual}, {"eq", NumberPairing::kEqual},
      {"ne", NumberPairing::kUnequal},      {"max", NumberPairing::kMax},
      {"min", NumberPairing::kMin},         {"div", NumberPairing::kDiv}};
  for (const auto& [known, pairing] : kNames) {
    if (known == name) return pairing;
  }
  return std::nullopt;
}

// nullopt: the numbers are left to the language, as those that are too large.
template <typename T>
std::optional<PyValue> Paired(NumberPairing pairing, T a, T b) {
  switch (pairing) {
    case NumberPairing::kLess:
      return PyValue(a < b);
    case NumberPairing::kLessEqual:
      return PyValue(a <= b);
    case NumberPairing::kGreater:
      return PyValue(a > b);
    case NumberPairing::kGreaterEqual:
      return PyValue(a >= b);
    case NumberPairing::kEqual:
      return PyValue(a == b);
    case NumberPairing::kUnequal:
      return PyValue(a != b);
    case NumberPairing::kMax:
      return PyValue(a >= b ? a : b);
    case NumberPairing::kMin:
      return PyValue(a <= b ? a : b);
    case NumberPairing::kDiv:
      if (b == T{0}) return std::nullopt;
      return PyValue(static_cast<double>(a) / static_cast<double>(b));
    default:
      break;
  }
  if constexpr (std::is_same_v<T, int64_t>) {
    constexpr int64_t kSafe = std::numeric_limits<int32_t>::max();
    if (std::abs(a) > kSafe || std::abs(b) > kSafe) return std::nullopt;
  }
  return PyValue(pairing == NumberPairing::kAdd   ? a + b
                 : pairing == NumberPairing::kSub ? a - b
                                                  : a * b);
}

std::optional<double> RealOf(const PyValue& value) {
  if (value.tag == PyValue::Tag::kFloat) return value.real;
  if (value.tag == PyValue::Tag::kInt) return static_cast<double>(value.integer);
  return std::nullopt;
}

// One function of one number; nullopt: it is left to the language.
std::optional<PyValue> Single(std::string_view name, const PyValue& value) {
  const std::optional<double> x = RealOf(value);
  if (!x.has_value()) return std::nullopt;
  if (name == "float") return PyValue(*x);
  const bool whole = value.tag == PyValue::Tag::kInt;
  if (name == "int") {
    if (whole) return value;
    if (!(std::abs(*x) < 9e15)) return std::nullopt;
    return PyValue(static_cast<int64_t>(*x));
  }
  if (name == "abs") return whole ? PyValue(std::abs(value.integer)) : PyValue(std::abs(*x));
  double result = 0;
  if (name == "sqrt") {
    result = std::sqrt(*x);
  } else if (name == "exp") {
    result = std::exp(*x);
  } else if (name == "log") {
    result = std::log(*x);
  } else if (name == "sin") {
    result = std::sin(*x);
  } else if (name == "cos") {
    result = std::cos(*x);
  } else if (name == "tanh") {
    result = std::tanh(*x);
  } else {
    return std::nullopt;
  }
  return std::isfinite(result) ? std::optional<PyValue>(PyValue(result)) : std::nullopt;
}

// each(name, values): the function of each number. None where it is not known
// here, or a value is no plain number.
PyValue Each(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[0]);
  const py::Sequence* values = NumberList(taken[1]);
  if (name == nullptr || values == nullptr) return None();
  in.Step(2 + static_cast<int64_t>(values->items.size()) / 8);
  std::vector<PyValue> result;
  result.reserve(values->items.size());
  for (const PyValue& value : values->items) {
    const std::optional<PyValue> made = Single(*name, value);
    if (!made.has_value()) return None();
    result.push_back(*made);
  }
  return in.List(std::move(result));
}

// together(name, a, b): the operation on numbers of two lists one by one. None
// where one of them is no plain number.
PyValue Together(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[0]);
  const py::Sequence* a = NumberList(taken[1]);
  const py::Sequence* b = NumberList(taken[2]);
  const auto pairing = name == nullptr ? std::nullopt : NumberPairingOf(*name);
  if (!pairing.has_value() || a == nullptr || b == nullptr) return None();
  if (a->items.size() != b->items.size()) return None();
  in.Step(2 + static_cast<int64_t>(a->items.size()) / 8);
  std::vector<PyValue> result;
  result.reserve(a->items.size());
  for (size_t i = 0; i < a->items.size(); ++i) {
    const PyValue& x = a->items[i];
    const PyValue& y = b->items[i];
    std::optional<PyValue> made;
    if (x.tag == PyValue::Tag::kInt && y.tag == PyValue::Tag::kInt) {
      made = Paired(*pairing, x.integer, y.integer);
    } else if (const auto p = RealOf(x), q = RealOf(y); p.has_value() && q.has_value()) {
      made = Paired(*pairing, *p, *q);
    }
    if (!made.has_value()) return None();
    result.push_back(*made);
  }
  return in.List(std::move(result));
}

}  // namespace

void DefineNumberLists(Interpreter& in, py::Module& module) {
  in.Define(module, "strided", Strided);
  in.Define(module, "together", Together);
  in.Define(module, "each", Each);
}

}  // namespace tilewise::program
