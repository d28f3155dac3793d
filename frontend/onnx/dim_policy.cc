// Names decide where the file gives them; positions (dim 0) where it does not.

#include "frontend/onnx/dim_policy.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise::onnx {
namespace {

constexpr int64_t kSequenceLength = 128;
constexpr int64_t kImageSize = 224;
constexpr size_t kLongestExpression = 200;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

bool NamesBatch(std::string_view name) {
  const std::string lower = Lower(name);
  return lower.find("batch") != std::string::npos || lower == "n" || lower == "b" || lower == "bs";
}

bool NamesTime(std::string_view name) {
  const std::string lower = Lower(name);
  for (const char* part : {"seq", "time", "length", "token", "step"}) {
    if (lower.find(part) != std::string::npos) return true;
  }
  return lower == "t" || lower == "s" || lower == "l";
}

std::string_view NameOf(const DimView& dim) {
  return dim.kind == DimView::Kind::kParameter ? dim.parameter : std::string_view();
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Splits at the last `sign` outside nothing: names have no parentheses here.
bool SplitAt(std::string_view text, char sign, std::string_view& left, std::string_view& right) {
  const size_t at = text.rfind(sign);
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) {
    return false;
  }
  left = text.substr(0, at);
  right = text.substr(at + 1);
  return true;
}

std::optional<Dim> Sum(const std::optional<Dim>& a, const std::optional<Dim>& b) {
  if (!a || !b || a->per_batch != b->per_batch) return std::nullopt;
  if (a->factor > kMaxElements || b->factor > kMaxElements) return std::nullopt;
  return Dim{a->factor + b->factor, a->per_batch};
}

std::optional<Dim> Product(const std::optional<Dim>& a, const std::optional<Dim>& b) {
  if (!a || !b || (a->per_batch && b->per_batch)) return std::nullopt;
  const std::optional<int64_t> factor = CheckedMul(a->factor, b->factor);
  if (!factor) return std::nullopt;
  return Dim{*factor, a->per_batch || b->per_batch};
}

}  // namespace

DimPolicy::DimPolicy(const std::vector<const ValueInfoView*>& inputs, bool batch) {
  if (!batch) return;
  for (const ValueInfoView* input : inputs) {
    for (const DimView& dim : input->type.dims) {
      if (!dim.is_open() || !NamesBatch(NameOf(dim))) continue;
      has_batch_ = true;
      batch_ = NameOf(dim);
      return;
    }
  }
  for (const bool also_time : {false, true}) {
    for (const ValueInfoView* input : inputs) {
      const std::vector<DimView>& dims = input->type.dims;
      if (dims.empty() || !dims[0].is_open()) continue;
      if (!also_time && NamesTime(NameOf(dims[0]))) continue;
      has_batch_ = true;
      batch_ = NameOf(dims[0]);
      return;
    }
  }
}

bool DimPolicy::IsBatch(const DimView& dim, size_t index) const {
  if (!has_batch_ || !dim.is_open()) return false;
  const std::string_view name = NameOf(dim);
  if (name.empty()) return index == 0;
  return name == batch_;
}

std::optional<Dim> DimPolicy::Evaluate(std::string_view expression) const {
  expression = Trimmed(expression);
  if (expression.size() > kLongestExpression) return std::nullopt;
  if (has_batch_ && expression == batch_) return BatchDim();
  if (const auto at = sizes_.find(std::string(expression)); at != sizes_.end()) {
    return Dim{at->second, false};
  }
  int64_t number = 0;
  const char* const end = expression.data() + expression.size();
  const auto [stop, error] = std::from_chars(expression.data(), end, number);
  if (error == std::errc() && stop == end && number > 0) {
    return Dim{number, false};
  }
  std::string_view left;
  std::string_view right;
  if (SplitAt(expression, '+', left, right)) {
    return Sum(Evaluate(left), Evaluate(right));
  }
  if (SplitAt(expression, '*', left, right)) {
    return Product(Evaluate(left), Evaluate(right));
  }
  return std::nullopt;
}

Dim DimPolicy::Resolve(const DimView& dim, std::string_view input, size_t index, size_t rank) {
  if (!dim.is_open()) return {dim.value, false};
  if (IsBatch(dim, index)) return BatchDim();
  const std::string_view name = NameOf(dim);
  if (!name.empty()) {
    if (const std::optional<Dim> known = Evaluate(name)) return *known;
  }
  const int64_t size = rank >= 4 && index >= 2 ? kImageSize : kSequenceLength;
  if (!name.empty()) sizes_.emplace(name, size);
  taken_.push_back(fmt::format("dim {} of input {} is not stated, taken as {}",
                               name.empty() ? std::to_string(index) : std::string(name), input,
                               size));
  return {size, false};
}

std::optional<Dim> DimPolicy::Stated(const DimView& dim, size_t index) const {
  if (dim.kind == DimView::Kind::kValue) {
    if (dim.value < 0 || dim.value > kMaxElements) return std::nullopt;
    return Dim{dim.value, false};
  }
  if (dim.kind == DimView::Kind::kParameter) return Evaluate(dim.parameter);
  return IsBatch(dim, index) ? std::optional<Dim>(BatchDim()) : std::nullopt;
}

}  // namespace tilewise::onnx
