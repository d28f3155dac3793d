// int, float, bool, and the math module.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "python/native.h"
#include "python/text.h"

namespace tilewise::py {
namespace number_functions {
namespace {

// What __int__, __float__ or __index__ of a class give.
std::optional<Value> Converted(Interpreter& in, const Value& value,
                               std::initializer_list<const char*> hooks) {
  const Instance* instance = value.as<Instance>();
  if (instance == nullptr) return std::nullopt;
  for (const char* hook : hooks) {
    const Value* method = instance->type->Find(in.Name(hook));
    if (method != nullptr && method->as<Builtin>() == nullptr) return in.Call(*method, {value});
  }
  return std::nullopt;
}

std::string Stripped(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\n\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n\r") + 1 - begin);
}

Value MakeInt(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return Value(int64_t{0});
  const Instance* derived = taken[0].as<Instance>();
  const bool real = derived != nullptr && derived->base.tag == Value::Tag::kFloat;
  const Value& value = real ? derived->base : taken[0];
  if (IsUnknown(value)) return value;
  if (value.tag == Value::Tag::kFloat) {
    if (std::isnan(value.real)) in.Raise("ValueError", "cannot convert float NaN to integer");
    if (std::abs(value.real) > 9.2e18) {
      if (std::isinf(value.real)) {
        in.Raise("OverflowError", "cannot convert float infinity to integer");
      }
      return Value(std::trunc(value.real));
    }
    return Value(static_cast<int64_t>(value.real));
  }
  if (auto made = Converted(in, value, {"__int__", "__index__", "__trunc__"})) return *made;
  if (const auto integer = AsInt(value)) return Value(*integer);
  const std::string* text = TextOf(value);
  if (text == nullptr) {
    in.Raise("TypeError", fmt::format("int() argument must be a string or a number, not '{}'",
                                      *in.TypeOf(value)->name));
  }
  std::string digits = Stripped(*text);
  std::erase(digits, '_');
  int64_t base = AsInt(taken.Or(1, "base", Value(int64_t{10}))).value_or(10);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits = digits.substr(1);
  if (digits.size() > 2 && digits[0] == '0' && base != 10) {
    const char letter = static_cast<char>(digits[1] | 0x20);
    if (letter == 'x' || letter == 'b' || letter == 'o') {
      base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
      digits = digits.substr(2);
    }
  }
  if (base != 0 && (base < 2 || base > 36)) {
    in.Raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
  }
  char* end = nullptr;
  const int64_t number =
      std::strtoll(digits.c_str(), &end, base == 0 ? 10 : static_cast<int>(base));
  if (digits.empty() || *end != '\0' || digits[0] == '-' || digits[0] == ' ') {
    if (in.host().IsStandIn(*text)) {
      return in.MakeUnknown("a number in the name of a file that was assumed");
    }
    in.Raise("ValueError",
             fmt::format("invalid literal for int() with base {}: {}", base, QuotedText(*text)));
  }
  return Value(negative ? -number : number);
}

Value MakeFloat(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return Value(0.0);
  const Value& value = taken[0];
  if (IsUnknown(value)) return value;
  if (auto made = Converted(in, value, {"__float__", "__index__"})) return *made;
  if (const auto number = AsNumber(value)) return Value(*number);
  const std::string* text = TextOf(value);
  if (text == nullptr) {
    in.Raise("TypeError", fmt::format("float() argument must be a string or a number, not '{}'",
                                      *in.TypeOf(value)->name));
  }
  std::string digits = Stripped(*text);
  std::erase(digits, '_');
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  if (digits.empty() || *end != '\0' || digits.find_first_of("xX") != std::string::npos) {
    in.Raise("ValueError", fmt::format("could not convert string to float: {}", QuotedText(*text)));
  }
  return Value(number);
}

Value MakeBool(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return Value(false);
  const std::optional<bool> truth = in.Truth(taken[0]);
  if (truth.has_value()) return Value(*truth);
  return IsUnknown(taken[0]) ? taken[0] : in.MakeUnknown("whether a value is true");
}

Value IsInteger(Interpreter&, Arguments& arguments) {
  const auto number = AsNumber(arguments.positional[0]);
  return Value(number.has_value() && *number == std::floor(*number));
}
Value BitLength(Interpreter&, Arguments& arguments) {
  const int64_t number = AsInt(arguments.positional[0]).value_or(0);
  uint64_t size = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  int64_t bits = 0;
  for (; size > 0; size >>= 1) ++bits;
  return Value(bits);
}
Value Itself(Interpreter&, Arguments& arguments) { return arguments.positional[0]; }
Value Nought(Interpreter&, Arguments&) { return Value(int64_t{0}); }
Value FloatHex(Interpreter& in, Arguments&) { return in.MakeUnknown("a number in base 16"); }

Value BaseText(Interpreter& in, Arguments& arguments, const char* specifier) {
  const Value& value = Taken(in, arguments)[0];
  const auto integer = AsInt(value);
  return integer.has_value() ? in.Text(*FormatInt(*integer, specifier)) : value;
}
Value Hex(Interpreter& in, Arguments& a) { return BaseText(in, a, "#x"); }
Value Bin(Interpreter& in, Arguments& a) { return BaseText(in, a, "#b"); }
Value Oct(Interpreter& in, Arguments& a) { return BaseText(in, a, "#o"); }

// --- math.

std::optional<double> NumberOf(Interpreter& in, const Value& value) {
  if (const auto number = AsNumber(value)) return number;
  if (IsUnknown(value)) return std::nullopt;
  if (auto made = Converted(in, value, {"__float__", "__index__"})) return AsNumber(*made);
  in.Raise("TypeError", fmt::format("must be real number, not {}", *in.TypeOf(value)->name));
}

Value UnknownOf(Interpreter& in, const Value& value) {
  return IsUnknown(value) ? value : in.MakeUnknown("a number that a tensor holds");
}

template <double (*kFunction)(double)>
Value OfOne(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const auto number = NumberOf(in, value);
  if (!number.has_value()) return UnknownOf(in, value);
  const double result = kFunction(*number);
  if (std::isnan(result) && !std::isnan(*number)) in.Raise("ValueError", "math domain error");
  if (std::isinf(result) && !std::isinf(*number)) in.Raise("ValueError", "math domain error");
  return Value(result);
}
template <double (*kFunction)(double, double)>
Value OfTwo(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto x = NumberOf(in, taken[0]), y = NumberOf(in, taken[1]);
  if (!x.has_value()) return UnknownOf(in, taken[0]);
  if (!y.has_value()) return UnknownOf(in, taken[1]);
  return Value(kFunction(*x, *y));
}
template <double (*kFunction)(double)>
Value ToWhole(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  if (value.tag == Value::Tag::kInt) return value;
  const auto number = NumberOf(in, value);
  if (!number.has_value()) return UnknownOf(in, value);
  if (std::isinf(*number)) in.Raise("OverflowError", "cannot convert float infinity to integer");
  if (std::isnan(*number)) in.Raise("ValueError", "cannot convert float NaN to integer");
  const double whole = kFunction(*number);
  return std::abs(whole) > 9.2e18 ? Value(whole) : Value(static_cast<int64_t>(whole));
}

Value Log(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto x = NumberOf(in, taken[0]);
  if (!x.has_value()) return UnknownOf(in, taken[0]);
  if (*x <= 0) in.Raise("ValueError", "math domain error");
  if (taken.size() < 2) return Value(std::log(*x));
  const auto base = NumberOf(in, taken[1]);
  return base.has_value() ? Value(std::log(*x) / std::log(*base)) : UnknownOf(in, taken[1]);
}

Value Gcd(Interpreter& in, Arguments& arguments) {
  int64_t result = 0;
  for (const Value& value : arguments.positional) {
    const auto integer = AsInt(value);
    if (!integer.has_value()) return UnknownOf(in, value);
    result = std::gcd(result, *integer);
  }
  return Value(result);
}
Value Lcm(Interpreter& in, Arguments& arguments) {
  int64_t result = 1;
  for (const Value& value : arguments.positional) {
    const auto integer = AsInt(value);
    if (!integer.has_value()) return UnknownOf(in, value);
    result = std::lcm(result, *integer);
  }
  return Value(result);
}
Value Prod(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Value result = taken.Or(99, "start", Value(int64_t{1}));
  for (const Value& item : in.Items(taken[0]))
    result = in.Binary(Operator::kMultiply, result, item);
  return result;
}
Value ExactSum(Interpreter& in, Arguments& arguments) {
  Value result(0.0);
  for (const Value& item : in.Items(Taken(in, arguments)[0]))
    result = in.Binary(Operator::kAdd, result, item);
  return result;
}
Value Isqrt(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const auto integer = AsInt(value);
  if (!integer.has_value()) return UnknownOf(in, value);
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(*integer)));
  while (root * root > *integer) --root;
  while ((root + 1) * (root + 1) <= *integer) ++root;
  return Value(root);
}
Value Factorial(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const auto integer = AsInt(value);
  if (!integer.has_value()) return UnknownOf(in, value);
  Value result(int64_t{1});
  for (int64_t i = 2; i <= std::min<int64_t>(*integer, 170); ++i) {
    result = in.Binary(Operator::kMultiply, result, Value(i));
  }
  return result;
}
Value Comb(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto n = AsInt(taken[0]), k = AsInt(taken[1]);
  if (!n.has_value() || !k.has_value()) return in.MakeUnknown("a number of combinations");
  double result = 1;
  for (int64_t i = 1; i <= *k; ++i) {
    result = result * static_cast<double>(*n - *k + i) / static_cast<double>(i);
  }
  return Value(static_cast<int64_t>(std::llround(result)));
}
Value IsClose(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto x = NumberOf(in, taken[0]), y = NumberOf(in, taken[1]);
  if (!x.has_value() || !y.has_value()) return in.MakeUnknown("whether numbers are close");
  const double relative = AsNumber(taken.Or(99, "rel_tol", Value(1e-9))).value_or(1e-9);
  const double absolute = AsNumber(taken.Or(99, "abs_tol", Value(0.0))).value_or(0);
  return Value(std::abs(*x - *y) <=
               std::max(relative * std::max(std::abs(*x), std::abs(*y)), absolute));
}
Value IsInf(Interpreter& in, Arguments& arguments) {
  const auto x = NumberOf(in, Taken(in, arguments)[0]);
  return x.has_value() ? Value(std::isinf(*x)) : UnknownOf(in, arguments.positional[0]);
}
Value IsNan(Interpreter& in, Arguments& arguments) {
  const auto x = NumberOf(in, Taken(in, arguments)[0]);
  return x.has_value() ? Value(std::isnan(*x)) : UnknownOf(in, arguments.positional[0]);
}
Value IsFinite(Interpreter& in, Arguments& arguments) {
  const auto x = NumberOf(in, Taken(in, arguments)[0]);
  return x.has_value() ? Value(std::isfinite(*x)) : UnknownOf(in, arguments.positional[0]);
}
Value AsNumberOf(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[1]);
  if (name == nullptr) return in.Call(taken[1], std::vector<Value>{taken[0]});
  Class* type = name->find("int") == std::string::npos ? in.types.real : in.types.integer;
  return in.Call(type, std::vector<Value>{taken[0]});
}
Value NoDims(Interpreter& in, Arguments&) { return in.Tuple({}); }
double Radians(double x) { return x * M_PI / 180; }
double Degrees(double x) { return x * 180 / M_PI; }
double CopySign(double x, double y) { return std::copysign(x, y); }

}  // namespace
}  // namespace number_functions

void DefineNumbers(Interpreter& in) {
  using namespace number_functions;  // NOLINT: this file's
  Publish(in, in.types.integer, MakeInt);
  Publish(in, in.types.real, MakeFloat);
  Publish(in, in.types.boolean, MakeBool);
  constexpr MethodRow kInt[] = {{"bit_length", BitLength}, {"is_integer", IsInteger},
                                {"conjugate", Itself},     {"__int__", MakeInt},
                                {"item", Itself},  // numbers of NumPy are plain ones here
                                {"tolist", Itself},        {"astype", AsNumberOf},
                                {"__float__", MakeFloat},  {"__index__", MakeInt}};
  constexpr MethodRow kFloat[] = {{"is_integer", IsInteger}, {"hex", FloatHex},
                                  {"__int__", MakeInt},      {"__float__", MakeFloat},
                                  {"item", Itself},          {"tolist", Itself},
                                  {"astype", AsNumberOf}};
  DefineMethods(in, *in.types.integer, kInt);
  for (Class* type : {in.types.integer, in.types.real}) {
    const auto getter = [&](const char* name, NativeFunction get) {
      type->members.Set(in.Name(name), in.New<Property>(in.New<Builtin>(in.Name(name), get)));
    };
    getter("real", Itself);
    getter("imag", Nought);
    getter("ndim", Nought);
    getter("shape", NoDims);
  }
  DefineMethods(in, *in.types.real, kFloat);
  in.Define(*in.builtins(), "hex", Hex);
  in.Define(*in.builtins(), "bin", Bin);
  in.Define(*in.builtins(), "oct", Oct);
}

void DefineMath(Interpreter& in, Module& module) {
  using namespace number_functions;  // NOLINT: this file's
  const std::pair<const char*, NativeFunction> kFunctions[] = {
      {"sqrt", OfOne<std::sqrt>},
      {"exp", OfOne<std::exp>},
      {"expm1", OfOne<std::expm1>},
      {"log2", OfOne<std::log2>},
      {"log10", OfOne<std::log10>},
      {"log1p", OfOne<std::log1p>},
      {"sin", OfOne<std::sin>},
      {"cos", OfOne<std::cos>},
      {"tan", OfOne<std::tan>},
      {"asin", OfOne<std::asin>},
      {"acos", OfOne<std::acos>},
      {"atan", OfOne<std::atan>},
      {"sinh", OfOne<std::sinh>},
      {"cosh", OfOne<std::cosh>},
      {"tanh", OfOne<std::tanh>},
      {"asinh", OfOne<std::asinh>},
      {"acosh", OfOne<std::acosh>},
      {"atanh", OfOne<std::atanh>},
      {"cbrt", OfOne<std::cbrt>},
      {"exp2", OfOne<std::exp2>},
      {"erf", OfOne<std::erf>},
      {"erfc", OfOne<std::erfc>},
      {"gamma", OfOne<std::tgamma>},
      {"lgamma", OfOne<std::lgamma>},
      {"fabs", OfOne<std::fabs>},
      {"radians", OfOne<Radians>},
      {"degrees", OfOne<Degrees>},
      {"pow", OfTwo<std::pow>},
      {"atan2", OfTwo<std::atan2>},
      {"fmod", OfTwo<std::fmod>},
      {"remainder", OfTwo<std::remainder>},
      {"nextafter", OfTwo<std::nextafter>},
      {"hypot", OfTwo<std::hypot>},
      {"copysign", OfTwo<CopySign>},
      {"floor", ToWhole<std::floor>},
      {"ceil", ToWhole<std::ceil>},
      {"trunc", ToWhole<std::trunc>},
      {"log", Log},
      {"gcd", Gcd},
      {"lcm", Lcm},
      {"prod", Prod},
      {"fsum", ExactSum},
      {"isqrt", Isqrt},
      {"factorial", Factorial},
      {"comb", Comb},
      {"isclose", IsClose},
      {"isinf", IsInf},
      {"isnan", IsNan},
      {"isfinite", IsFinite},
  };
  for (const auto& [name, function] : kFunctions) in.Define(module, name, function);
  module.names.Set(in.Name("pi"), Value(M_PI));
  module.names.Set(in.Name("e"), Value(M_E));
  module.names.Set(in.Name("tau"), Value(2 * M_PI));
  module.names.Set(in.Name("inf"), Value(HUGE_VAL));
  module.names.Set(in.Name("nan"), Value(std::nan("")));
}

}  // namespace tilewise::py
