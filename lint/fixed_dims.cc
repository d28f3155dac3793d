// Sizes and globs, with or without the number of a dim.

#include "lint/fixed_dims.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "lint/config.h"
#include "lint/glob.h"

namespace tilewise {
namespace {

constexpr int64_t kMostDims = 64;
constexpr size_t kMostWords = 1000;

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
  const absl::Status bounded = CheckGlob(word);
  if (!bounded.ok()) return Annotate(bounded, "fixed-dims");
  if (const std::optional<int64_t> size = Number(word)) {
    fixed.size = *size;
    if (fixed.size >= 1) return fixed;
    return InvalidInput(fmt::format("fixed-dims: found size {}, expected at least 1", fixed.size));
  }
  const size_t colon = word.rfind(':');
  if (colon != std::string::npos) {
    fixed.dim = Number(std::string_view(word).substr(colon + 1));
  }
  fixed.glob = fixed.dim ? word.substr(0, colon) : word;
  const int64_t dim = fixed.dim.value_or(0);
  if (!fixed.glob.empty() && dim >= 0 && dim < kMostDims) return fixed;
  return InvalidInput(
      fmt::format("fixed-dims: found '{}', expected a size (30522), a name or glob (embedding, "
                  "head/*), or one with the number of a dim (dense/kernel:1)",
                  word));
}

bool Means(const FixedDim& fixed, const Op& op, int64_t dim) {
  if (fixed.size > 0) return op.shape.size(dim) == fixed.size;
  if (fixed.dim && *fixed.dim != dim) return false;
  return MatchesNode(fixed.glob, op.name) || MatchesNode(fixed.glob, op.location.item);
}

bool MeansAny(const FixedDim& fixed, const std::vector<const Graph*>& graphs) {
  return std::ranges::any_of(graphs, [&](const Graph* graph) {
    return std::ranges::any_of(graph->ops(), [&](const Op& op) {
      for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
        if (Means(fixed, op, dim)) return true;
      }
      return false;
    });
  });
}

std::string NearestSize(int64_t size, const std::vector<const Graph*>& graphs) {
  std::optional<int64_t> nearest;
  for (const Graph* graph : graphs) {
    for (const Op& op : graph->ops()) {
      for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
        const int64_t other = op.shape.size(dim);
        const int64_t distance = std::abs(other - size);
        if (other > 1 && (!nearest || distance < std::abs(*nearest - size))) {
          nearest = other;
        }
      }
    }
  }
  return nearest ? fmt::format("the nearest size is {}", *nearest) : "";
}

// An op with a dim of that number is not missed for its name: its rank is.
std::string RankOf(const FixedDim& fixed, const std::vector<const Graph*>& graphs) {
  const FixedDim any_dim = {.glob = fixed.glob};
  for (const Graph* graph : graphs) {
    for (const Op& op : graph->ops()) {
      if (op.shape.rank() == 0 || !Means(any_dim, op, 0)) continue;
      return fmt::format("the dims of '{}' are 0 to {}", op.name, op.shape.rank() - 1);
    }
  }
  return "";
}

std::string NearestGlob(const FixedDim& fixed, const std::vector<const Graph*>& graphs) {
  std::set<std::string> names;
  std::string example, weight;
  for (const Graph* graph : graphs) {
    for (const Op& op : graph->ops()) {
      if (op.shape.rank() == 0) continue;
      for (const std::string* name : {&op.location.item, &op.name}) {
        if (!name->empty()) names.insert(*name);
      }
      if (op.kind != OpKind::kParameter && example.empty()) example = op.name;
      if (op.kind == OpKind::kVariable && weight.empty()) weight = op.name;
    }
  }
  const std::vector<std::string> known(names.begin(), names.end());
  if (const auto nearest = NearestName(fixed.glob, known)) {
    return fmt::format("did you mean '{}'?", *nearest);
  }
  if (!weight.empty()) example = weight;
  return example.empty() ? "" : fmt::format("names are as '{}'", example);
}

}  // namespace

absl::StatusOr<std::function<bool(const Op& op, int64_t dim)>> FixedDims(
    const std::vector<std::string>& words) {
  std::vector<FixedDim> all;
  if (words.size() > kMostWords) {
    return InvalidInput(fmt::format("fixed-dims: found {} sizes and names, expected at most {}",
                                    words.size(), kMostWords));
  }
  for (const std::string& word : words) {
    TW_ASSIGN_OR_RETURN(FixedDim fixed, Parse(word));
    all.push_back(std::move(fixed));
  }
  if (all.empty()) return std::function<bool(const Op&, int64_t)>();
  return [all = std::move(all)](const Op& op, int64_t dim) {
    return std::ranges::any_of(all, [&](const FixedDim& fixed) { return Means(fixed, op, dim); });
  };
}

std::map<std::string, std::string> UnmatchedFixedDims(const std::vector<std::string>& words,
                                                      const std::vector<const Graph*>& graphs) {
  std::map<std::string, std::string> unmatched;
  for (const std::string& word : words) {
    const absl::StatusOr<FixedDim> fixed = Parse(word);
    if (!fixed.ok() || MeansAny(*fixed, graphs)) continue;
    std::string hint = fixed->size > 0 ? NearestSize(fixed->size, graphs) : RankOf(*fixed, graphs);
    if (hint.empty()) hint = NearestGlob(*fixed, graphs);
    unmatched[word] = std::move(hint);
  }
  return unmatched;
}

}  // namespace tilewise
