// Functions on numbers: conversion, rounding, extremes, sums and products.

#include "frontend/python/number_calls.h"

#include <cmath>
#include <cstdlib>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

using Handler = std::optional<Value> (*)(Interpreter&, const Call&);

std::optional<Value> ToInt(Interpreter&, const Call& call) {
  const Value* value = call.first_argument();
  if (value == nullptr) return std::nullopt;
  if (const auto integer = AsInt(*value)) return Value{*integer};
  if (const std::string* text = value->as<std::string>()) {
    errno = 0;
    char* end = nullptr;
    const int64_t number = std::strtoll(text->c_str(), &end, 10);
    if (text->empty() || *end != '\0' || errno != 0) return std::nullopt;
    return Value{number};
  }
  const std::optional<double> number = AsNumber(*value);
  if (!number.has_value() || std::abs(*number) > 9e18) return std::nullopt;
  return Value{static_cast<int64_t>(*number)};
}

std::optional<Value> ToFloat(Interpreter&, const Call& call) {
  const auto number =
      call.first_argument() == nullptr ? std::nullopt : AsNumber(*call.first_argument());
  if (!number.has_value()) return std::nullopt;
  return Value{*number};
}

std::optional<Value> Rounded(const Call& call, double (*function)(double)) {
  const auto number =
      call.first_argument() == nullptr ? std::nullopt : AsNumber(*call.first_argument());
  if (!number.has_value() || std::abs(*number) > 9e18) return std::nullopt;
  return Value{static_cast<int64_t>(function(*number))};
}

std::optional<Value> Ceil(Interpreter&, const Call& call) {
  return Rounded(call, [](double x) { return std::ceil(x); });
}
std::optional<Value> Floor(Interpreter&, const Call& call) {
  return Rounded(call, [](double x) { return std::floor(x); });
}
std::optional<Value> Round(Interpreter&, const Call& call) {
  if (call.arguments.positional.size() != 1) return std::nullopt;
  return Rounded(call, [](double x) { return std::nearbyint(x); });
}

std::optional<Value> Abs(Interpreter& in, const Call& call) {
  const auto number =
      call.first_argument() == nullptr ? std::nullopt : AsNumber(*call.first_argument());
  if (!number.has_value()) return std::nullopt;
  if (*number >= 0) return *call.first_argument();
  return in.Binary("-", {int64_t{0}}, *call.first_argument(), call.node);
}

// max and min: the sign says which.
std::optional<Value> Extreme(Interpreter& in, const Call& call, double sign) {
  std::vector<Value> items = call.arguments.positional;
  if (items.size() == 1) {
    const auto inner = in.Iterate(items[0], call.node);
    if (!inner.has_value()) return std::nullopt;
    items = *inner;
  }
  const Value* best = nullptr;
  for (const Value& item : items) {
    const std::optional<double> number = AsNumber(item);
    if (!number.has_value()) return std::nullopt;
    if (best == nullptr || sign * *number > sign * *AsNumber(*best)) {
      best = &item;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}
std::optional<Value> Max(Interpreter& in, const Call& call) { return Extreme(in, call, 1); }
std::optional<Value> Min(Interpreter& in, const Call& call) { return Extreme(in, call, -1); }

std::optional<Value> Reduce(Interpreter& in, const Call& call, std::string_view op, Value start) {
  if (call.first_argument() == nullptr) return std::nullopt;
  const auto items = in.Iterate(*call.first_argument(), call.node);
  if (!items.has_value()) return std::nullopt;
  for (const Value& item : *items) {
    start = in.Binary(op, start, item, call.node);
  }
  return start;
}
std::optional<Value> Sum(Interpreter& in, const Call& call) {
  return Reduce(in, call, "+", {int64_t{0}});
}
std::optional<Value> Product(Interpreter& in, const Call& call) {
  return Reduce(in, call, "*", {int64_t{1}});
}

constexpr std::pair<std::string_view, Handler> kFunctions[] = {
    {"builtins.int", ToInt},   {"builtins.float", ToFloat}, {"math.ceil", Ceil},
    {"numpy.ceil", Ceil},      {"math.floor", Floor},       {"numpy.floor", Floor},
    {"builtins.round", Round}, {"builtins.abs", Abs},       {"builtins.max", Max},
    {"builtins.min", Min},     {"builtins.sum", Sum},       {"math.prod", Product},
    {"numpy.prod", Product},
};

}  // namespace

std::optional<Value> CallNumberFunction(Interpreter& in, const Call& call) {
  for (const auto& [name, handler] : kFunctions) {
    if (call.name == name) return handler(in, call);
  }
  return std::nullopt;
}

}  // namespace tilewise::python
