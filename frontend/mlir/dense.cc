// See dense.h.

#include "frontend/mlir/dense.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "frontend/mlir/lexer.h"

namespace tilewise::mlir {
namespace {

double HalfBits(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return mantissa == 0 ? sign * INFINITY : std::nan("");
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

// The number that the low bits of `bits` are of a type.
double FromBits(uint64_t bits, DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case DType::kF64:
      return std::bit_cast<double>(bits);
    case DType::kBF16:
      return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    case DType::kF16:
      return HalfBits(static_cast<uint16_t>(bits));
    case DType::kS8:
    case DType::kS4:
      return static_cast<int8_t>(bits);
    case DType::kS16:
      return static_cast<int16_t>(bits);
    case DType::kS32:
      return static_cast<int32_t>(bits);
    case DType::kS64:
      return static_cast<double>(static_cast<int64_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

// Returns the number of elements; -1: it is not known, or too large.
int64_t ElementCount(const hlo::HloShape& shape) {
  int64_t count = 1;
  for (int64_t dim : shape.dims) {
    if (dim < 0) return -1;
    if (dim > 0 && count > (int64_t{1} << 60) / dim) return -1;
    count *= dim;
  }
  return count;
}

// "0x...": the bytes of the elements, least significant first; of one element
// for all of them, too.
hlo::Literal HexLiteral(std::string_view hex, const hlo::HloShape& shape, int64_t count) {
  hlo::Literal literal;
  const size_t width = shape.dtype == DType::kPred || BitWidth(shape.dtype) < 8
                           ? 1
                           : static_cast<size_t>(BitWidth(shape.dtype)) / 8;
  if (width > 8) return literal;  // complex f64
  const size_t elements = hex.size() / 2 / width;
  if (elements == 0 || elements > static_cast<size_t>(hlo::Literal::kMaxValues) ||
      IsComplex(shape.dtype)) {
    return literal;
  }
  literal.values.reserve(elements);
  for (size_t i = 0; i < elements; ++i) {
    uint64_t bits = 0;
    for (size_t byte = width; byte-- > 0;) {
      const size_t at = (i * width + byte) * 2;
      const int high = HexValue(hex[at]);
      const int low = HexValue(hex[at + 1]);
      if (high < 0 || low < 0) return {};
      bits = bits << 8 | static_cast<uint64_t>(high * 16 + low);
    }
    literal.values.push_back(FromBits(bits, shape.dtype));
  }
  if (elements == 1) {
    literal.splat = literal.values[0];
    if (count != 1) literal.values.clear();
  } else if (static_cast<int64_t>(elements) != count) {
    literal.values.clear();
  }
  return literal;
}

bool AllEqual(const std::vector<double>& values) {
  for (double value : values) {
    if (value != values.front()) return false;
  }
  return !values.empty();
}

}  // namespace

std::optional<double> NumberValue(std::string_view text, DType dtype) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const char* end = text.data() + text.size();
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.starts_with("0x")) {
    uint64_t bits = 0;
    const auto [stop, error] = std::from_chars(digits.data() + 2, end, bits, 16);
    if (error != std::errc() || stop != end) return std::nullopt;
    const double value = IsFloat(dtype) ? FromBits(bits, dtype) : static_cast<double>(bits);
    return negative ? -value : value;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    return negative ? -INFINITY : INFINITY;
  }
  if (error != std::errc()) return std::nullopt;
  return value;
}

hlo::Literal DenseLiteral(std::string_view body, const hlo::HloShape& shape) {
  hlo::Literal literal;
  while (!body.empty() && (body.front() == ' ' || body.front() == '\n')) {
    body.remove_prefix(1);
  }
  while (!body.empty() && (body.back() == ' ' || body.back() == '\n')) {
    body.remove_suffix(1);
  }
  if (body.empty()) return literal;
  const int64_t count = ElementCount(shape);
  if (body.starts_with("\"0x") && body.size() >= 4) {
    return HexLiteral(body.substr(3, body.size() - 4), shape, count);
  }
  if (body[0] == '(' || body[0] == '"') return literal;  // complex, strings
  if (body[0] != '[') {
    literal.splat = NumberValue(body, shape.dtype);
    if (count == 1 && literal.splat) literal.values.push_back(*literal.splat);
    return literal;
  }
  if (count < 0 || count > hlo::Literal::kMaxValues || IsComplex(shape.dtype)) {
    return literal;
  }
  literal.values.reserve(count);
  size_t at = 0;
  while (at < body.size()) {
    const char c = body[at];
    if (c == '[' || c == ']' || c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    const size_t end = body.find_first_of(",] \n\t\r", at);
    const std::optional<double> value = NumberValue(body.substr(at, end - at), shape.dtype);
    if (!value || static_cast<int64_t>(literal.values.size()) == count) {
      return {};
    }
    literal.values.push_back(*value);
    at = end == std::string_view::npos ? body.size() : end;
  }
  if (static_cast<int64_t>(literal.values.size()) != count) return {};
  if (AllEqual(literal.values)) literal.splat = literal.values.front();
  return literal;
}

std::optional<std::vector<int64_t>> DenseIntegers(std::string_view body,
                                                  const hlo::HloShape& shape) {
  const int64_t count = ElementCount(shape);
  if (count < 0 || count > hlo::Literal::kMaxValues) return std::nullopt;
  const hlo::Literal literal = DenseLiteral(body, shape);
  std::vector<int64_t> values;
  values.reserve(count);
  constexpr double kLimit = 9e18;
  for (int64_t i = 0; i < count; ++i) {
    const double value = !literal.values.empty() ? literal.values[i] : literal.splat.value_or(NAN);
    if (!(std::abs(value) < kLimit)) return std::nullopt;
    values.push_back(static_cast<int64_t>(value));
  }
  return values;
}

}  // namespace tilewise::mlir
