// What several lowering functions read of an operation: integers by any of the
// names that the forms of an operation have for them, dims that exist.

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {

std::vector<int64_t> IntegersOf(const Body& body, const Operation& op,
                                std::initializer_list<std::string_view> names) {
  const Attribute* attribute = op.FindAny(names);
  if (attribute == nullptr) return {};
  return Integers(*attribute, body.file().types).value_or(std::vector<int64_t>());
}

absl::StatusOr<std::vector<int64_t>> IntegersOr(Body& body, const Operation& op,
                                                std::initializer_list<std::string_view> names,
                                                size_t count, int64_t fallback) {
  if (op.FindAny(names) == nullptr) {
    return std::vector<int64_t>(count, fallback);
  }
  std::vector<int64_t> values = IntegersOf(body, op, names);
  constexpr int64_t kMost = int64_t{1} << 48;
  for (int64_t value : values) {
    if (value > kMost || value < -kMost) {
      return body.lowering().Error(
          op, fmt::format("found {} in {}, expected one that fits 48 bits", value, *names.begin()));
    }
  }
  if (values.size() != count) {
    return body.lowering().Error(op, fmt::format("found {} integers in {}, expected {}",
                                                 values.size(), *names.begin(), count));
  }
  return values;
}

int64_t IntegerOr(const Operation& op, std::initializer_list<std::string_view> names,
                  int64_t fallback) {
  const Attribute* attribute = op.FindAny(names);
  if (attribute == nullptr) return fallback;
  return attribute->kind == Attribute::Kind::kInteger ? attribute->integer : fallback;
}

absl::Status CheckDims(Body& body, const Operation& op, const std::vector<int64_t>& dims,
                       size_t rank) {
  for (int64_t dim : dims) {
    if (dim < 0 || static_cast<size_t>(dim) >= rank) {
      return body.lowering().Error(op,
                                   fmt::format("found dim {}, expected one of {} dims", dim, rank));
    }
  }
  return absl::OkStatus();
}

std::vector<int64_t> BracketIntegers(std::string_view text) {
  std::vector<int64_t> values;
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(p, end, value);
    if (error == std::errc::invalid_argument) {
      ++p;
    } else {
      values.push_back(value);
      p = stop;
    }
  }
  return values;
}

void TakeSizes(const Body& body, Index sizes, hlo::HloShape& shape) {
  const SizeValues* known = body.sizes(sizes);
  if (known == nullptr || known->size() != shape.dims.size()) return;
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (shape.dims[i] != kUnknownDim) continue;
    shape.dims[i] = AsDim((*known)[i]).value_or(kUnknownDim);
  }
}

std::optional<std::vector<int64_t>> ConstantsOf(const Body& body, Index x, size_t count) {
  std::vector<int64_t> values;
  if (const SizeValues* known = body.sizes(x)) {
    if (known->size() != count) return std::nullopt;
    for (const KnownNumber& value : *known) {
      if (value.per_batch) return std::nullopt;
      values.push_back(static_cast<int64_t>(value.value));
    }
    return values;
  }
  const hlo::Instruction& made = body.instruction(x);
  if (made.opcode != hlo::Opcode::kConstant || IsFloat(made.shape.dtype)) {
    return std::nullopt;
  }
  const hlo::Literal& literal = made.literal;
  constexpr double kMost = 1e15;
  for (size_t i = 0; i < count; ++i) {
    const double value = literal.values.size() == count ? literal.values[i]
                         : literal.splat                ? *literal.splat
                                                        : 2 * kMost;
    if (!(value < kMost && value > -kMost)) return std::nullopt;
    values.push_back(static_cast<int64_t>(value));
  }
  return values;
}

// precision = [DEFAULT, HIGHEST], or precision_config in either form.
void ReadPrecision(const Operation& op, hlo::InstructionExtras& extras) {
  using Precision = hlo::InstructionExtras::Precision;
  if (const Attribute* precision = op.FindAny({"precision", "precision_config"})) {
    for (const Attribute& item : precision->items) {
      const std::string_view word = LastWord(item.text);
      if (word == "HIGHEST") extras.precision = Precision::kHighest;
      if (word == "HIGH" && extras.precision == Precision::kDefault) {
        extras.precision = Precision::kHigh;
      }
    }
  }
}

}  // namespace tilewise::mlir
