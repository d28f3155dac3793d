// complex: numbers with two parts.

#include <complex>

#include <fmt/format.h>

#include "python/native.h"

namespace tilewise::py {
namespace complex_functions {
namespace {

using Complex = std::complex<double>;

Value Made(Interpreter& in, Complex number) {
  Instance* made = in.New<Instance>(in.types.complex);
  made->attributes.Set(in.Name("real"), Value(number.real()));
  made->attributes.Set(in.Name("imag"), Value(number.imag()));
  return made;
}

std::optional<Complex> NumberOf(Interpreter& in, const Value& value) {
  const Instance* instance = value.as<Instance>();
  if (instance == nullptr || instance->type != in.types.complex) {
    const std::optional<double> real = AsNumber(value);
    return real.has_value() ? std::optional<Complex>(*real) : std::nullopt;
  }
  const auto part = [&](std::string_view name) {
    const Value* found = instance->attributes.Find(in.Name(name));
    return found == nullptr ? 0 : AsNumber(*found).value_or(0);
  };
  return Complex(part("real"), part("imag"));
}

Value NotKnown(Interpreter& in, const Value& value) {
  return IsUnknown(value) ? value : in.MakeUnknown("a complex number");
}

// complex(real=0, imag=0): the second may be complex as well.
Value MakeComplex(Interpreter& in, Arguments& arguments) {
  Complex sum = 0;
  const auto add = [&](const Value& value, Complex by) {
    const std::optional<Complex> number = NumberOf(in, value);
    if (number.has_value()) sum += *number * by;
    return number.has_value();
  };
  Complex by = 1;
  for (const Value& value : arguments.positional) {
    if (!add(value, by)) return NotKnown(in, value);
    by = Complex(0, 1);
  }
  for (const auto& [name, value] : arguments.keyword) {
    if (!add(value, *name == "imag" ? Complex(0, 1) : Complex(1))) return NotKnown(in, value);
  }
  return Made(in, sum);
}

// One of the operators of two numbers; what is no number answers itself.
template <Complex (*kApply)(const Complex&, const Complex&), bool kReflected>
Value Apply(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::optional<Complex> a = NumberOf(in, taken[0]), b = NumberOf(in, taken[1]);
  if (!a.has_value() || !b.has_value()) return NotImplemented();
  return Made(in, kReflected ? kApply(*b, *a) : kApply(*a, *b));
}
Complex Sum(const Complex& a, const Complex& b) { return a + b; }
Complex Difference(const Complex& a, const Complex& b) { return a - b; }
Complex Product(const Complex& a, const Complex& b) { return a * b; }
Complex Quotient(const Complex& a, const Complex& b) { return a / b; }
Complex Power(const Complex& a, const Complex& b) { return std::pow(a, b); }

Value Equal(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::optional<Complex> a = NumberOf(in, taken[0]), b = NumberOf(in, taken[1]);
  return a.has_value() && b.has_value() ? Value(*a == *b) : NotImplemented();
}

template <Complex (*kApply)(const Complex&)>
Value Changed(Interpreter& in, Arguments& arguments) {
  return Made(in, kApply(NumberOf(in, Taken(in, arguments)[0]).value_or(0)));
}
Complex Negative(const Complex& a) { return -a; }
Complex Itself(const Complex& a) { return a; }
Complex Conjugate(const Complex& a) { return std::conj(a); }

Value Magnitude(Interpreter& in, Arguments& arguments) {
  return Value(std::abs(NumberOf(in, Taken(in, arguments)[0]).value_or(0)));
}
Value TextOf(Interpreter& in, Arguments& arguments) {
  const Complex number = NumberOf(in, Taken(in, arguments)[0]).value_or(0);
  if (number.real() == 0) return in.Text(fmt::format("{}j", number.imag()));
  return in.Text(fmt::format("({}{:+}j)", number.real(), number.imag()));
}

}  // namespace
}  // namespace complex_functions

void DefineComplex(Interpreter& in) {
  using namespace complex_functions;  // NOLINT: this file's
  Publish(in, in.types.complex, MakeComplex);
  constexpr MethodRow kRows[] = {{"__add__", Apply<Sum, false>},
                                 {"__radd__", Apply<Sum, true>},
                                 {"__sub__", Apply<Difference, false>},
                                 {"__rsub__", Apply<Difference, true>},
                                 {"__mul__", Apply<Product, false>},
                                 {"__rmul__", Apply<Product, true>},
                                 {"__truediv__", Apply<Quotient, false>},
                                 {"__rtruediv__", Apply<Quotient, true>},
                                 {"__pow__", Apply<Power, false>},
                                 {"__rpow__", Apply<Power, true>},
                                 {"__eq__", Equal},
                                 {"__neg__", Changed<Negative>},
                                 {"__pos__", Changed<Itself>},
                                 {"conjugate", Changed<Conjugate>},
                                 {"__abs__", Magnitude},
                                 {"__repr__", TextOf},
                                 {"__str__", TextOf}};
  DefineMethods(in, *in.types.complex, kRows);
}

}  // namespace tilewise::py
