// From the array of ones outward through what keeps its shape: tril, where,
// views, conversions.

#include "rules/memory/quadratic_masks.h"

#include <algorithm>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise {
namespace {

bool IsArrayLibrary(std::string_view name) {
  return name.starts_with("torch.") || name.starts_with("jax.numpy.") || name.starts_with("numpy.");
}

// The last two sizes of ones((1, T, T)), ones(T, T), tri(T); 0: not square.
int64_t SideOf(const SourceCall& call) {
  std::vector<int64_t> sizes;
  for (const SourceArgument& argument : call.arguments) {
    const bool shape =
        argument.keyword.empty() || argument.keyword == "shape" || argument.keyword == "size";
    if (!shape || argument.sizes.empty()) {
      if (argument.keyword.empty()) break;
      continue;
    }
    sizes.insert(sizes.end(), argument.sizes.begin(), argument.sizes.end());
    if (argument.sizes.size() > 1) break;
  }
  if (LastName(call.name) == "tri") return sizes.empty() ? 0 : sizes.front();
  const size_t rank = sizes.size();
  return rank >= 2 && sizes[rank - 1] == sizes[rank - 2] ? sizes[rank - 1] : 0;
}

bool Makes(const SourceCall& call) {
  return IsArrayLibrary(call.name) &&
         IsOneOfWords(LastName(call.name), "ones|full|zeros|empty|tri");
}

// Bytes of an element that the call's arguments ask for; 0: they do not say.
int64_t WidthAsked(const SourceCall& call) {
  for (const SourceArgument& argument : call.arguments) {
    const std::string_view name = LastName(argument.name);
    if (argument.text == "bool" || name == "bool" || name == "bool_" || name == "int8" ||
        name == "uint8") {
      return 1;
    }
    if (name == "float16" || name == "bfloat16" || name == "half") return 2;
    if (name == "float32" || name == "int32") return 4;
  }
  return 0;
}

int64_t WidthAfter(const SourceCall& call, int64_t width) {
  const std::string_view last = LastName(call.name);
  if (const int64_t asked = WidthAsked(call); asked > 0) return asked;
  if (last == "bool" || last == "logical_not" || last == "eq") return 1;
  if (last == "where" || last == "masked_fill" || last == "float") return 4;
  return width;
}

constexpr std::string_view kKeepShape =
    "tril|triu|where|masked_fill|masked_fill_|astype|bool|to|view|reshape|array|asarray|float|log|"
    "logical_not|unsqueeze|type|eq|fill_|fill_diagonal_|expand_dims|tensor|from_numpy|as_tensor";

}  // namespace

std::vector<QuadraticMask> QuadraticMasks(const SourceFacts& facts, int64_t least) {
  constexpr int64_t kMost = int64_t{1} << 24;
  std::vector<QuadraticMask> masks;
  for (const SourceCall& made : facts.calls) {
    if (!Makes(made)) continue;
    QuadraticMask mask{.call = &made, .side = SideOf(made)};
    if (mask.side < least || mask.side > kMost) continue;
    // On a device arrays of numbers without a type have four bytes.
    int64_t width = WidthAsked(made) > 0 ? WidthAsked(made) : 4;
    mask.sure = LastName(made.name) == "tri";
    for (int32_t at = made.outer; at >= 0; at = facts.calls[at].outer) {
      const SourceCall& outer = facts.calls[at];
      const std::string_view last = LastName(outer.name);
      if (!IsOneOfWords(last, kKeepShape)) break;
      if (last == "where" && outer.arguments.size() < 3) break;
      mask.sure = mask.sure || last == "tril" || last == "triu";
      width = WidthAfter(outer, width);
      mask.call = &outer;
    }
    mask.bytes = {mask.side * mask.side * width};
    if (mask.sure) masks.push_back(mask);
  }
  return masks;
}

}  // namespace tilewise
