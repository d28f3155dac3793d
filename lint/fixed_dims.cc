// Sizes and globs, with or without the number of a dim.

#include "lint/fixed_dims.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "lint/config.h"

namespace tilewise {
namespace {

constexpr int64_t kMostDims = 64;

struct FixedDim {
  int64_t size = 0;            // 0: any
  std::string glob;            // empty: any
  std::optional<int64_t> dim;  // none: any
};

std::optional<int64_t> Number(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

absl::StatusOr<FixedDim> Parse(const std::string& word) {
  FixedDim fixed;
  if (const std::optional<int64_t> size = Number(word)) {
    fixed.size = *size;
    if (fixed.size >= 1) return fixed;
    return InvalidInput(fmt::format(
        "fixed-dims: found size {}, expected at least 1", fixed.size));
  }
  const size_t colon = word.rfind(':');
  if (colon != std::string::npos) {
    fixed.dim = Number(std::string_view(word).substr(colon + 1));
  }
  fixed.glob = fixed.dim ? word.substr(0, colon) : word;
  const int64_t dim = fixed.dim.value_or(0);
  if (!fixed.glob.empty() && dim >= 0 && dim < kMostDims) return fixed;
  return InvalidInput(
      fmt::format("fixed-dims: found '{}', expected a size (30522), a name or "
                  "glob (embedding, head/*), or one with the number of a dim "
                  "(dense/kernel:1)",
                  word));
}

bool Means(const FixedDim& fixed, const Op& op, int64_t dim) {
  if (fixed.size > 0) return op.shape.size(dim) == fixed.size;
  if (fixed.dim && *fixed.dim != dim) return false;
  return MatchesNode(fixed.glob, op.name) ||
         MatchesNode(fixed.glob, op.location.item);
}

}  // namespace

absl::StatusOr<std::function<bool(const Op& op, int64_t dim)>> FixedDims(
    const std::vector<std::string>& words) {
  std::vector<FixedDim> all;
  for (const std::string& word : words) {
    TW_ASSIGN_OR_RETURN(FixedDim fixed, Parse(word));
    all.push_back(std::move(fixed));
  }
  if (all.empty()) return std::function<bool(const Op&, int64_t)>();
  return [all = std::move(all)](const Op& op, int64_t dim) {
    return std::ranges::any_of(
        all, [&](const FixedDim& fixed) { return Means(fixed, op, dim); });
  };
}

}  // namespace tilewise
