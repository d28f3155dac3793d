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

constexpr int64_t kMost = int64_t{1} << 24;

// Outward from `call` through what keeps the shape of its result.
void FollowOutward(const SourceFacts& facts, const SourceCall& call, int64_t width,
                   QuadraticMask& mask) {
  mask.call = &call;
  for (int32_t at = call.outer; at >= 0; at = facts.calls[at].outer) {
    const SourceCall& outer = facts.calls[at];
    const std::string_view last = LastName(outer.name);
    if (!IsOneOfWords(last, kKeepShape)) break;
    if (last == "where" && outer.arguments.size() < 3) break;
    mask.sure = mask.sure || last == "tril" || last == "triu";
    width = WidthAfter(outer, width);
    mask.call = &outer;
  }
  mask.bytes = {mask.side * mask.side * width};
  mask.location = mask.call->location;
  mask.context = mask.call->context;
  if (mask.call->results.size() == 1) mask.name = mask.call->results.front();
}

// Numbers from 0 on, as many as the call says; 0: another call, or not known.
int64_t CountOf(const SourceCall& call) {
  if (!IsArrayLibrary(call.name) || LastName(call.name) != "arange") return 0;
  if (call.arguments.empty() || call.arguments[0].sizes.size() != 1) return 0;
  const bool from_zero = call.arguments.size() < 2 || !call.arguments[1].keyword.empty();
  return from_zero ? call.arguments[0].sizes[0] : 0;
}

// "p[:, None] >= p[None, :]", "i.unsqueeze(1) < i".
bool ComparesAll(std::string_view text) {
  const bool compares = Contains(text, "<") || Contains(text, ">");
  return compares && (Contains(text, "None]") || Contains(text, "newaxis]") ||
                      Contains(text, "unsqueeze(") || Contains(text, "[None,") ||
                      Contains(text, "reshape(-1, 1)") || Contains(text, "view(-1, 1)"));
}

// The call that made the positions of which `text`, that reads `names`, compares
// each with each; null: it does not.
const SourceCall* PositionsComparedIn(const SourceFacts& facts, std::string_view text,
                                      const std::vector<std::string>& names) {
  if (!ComparesAll(text)) return nullptr;
  for (const SourceCall& call : facts.calls) {
    if (CountOf(call) == 0 || call.results.size() != 1) continue;
    if (IsOneOf(call.results.front(), names)) return &call;
  }
  return nullptr;
}

// The mask that is bound to `name`, or what where() and conversions make of it.
QuadraticMask OfComparison(const SourceFacts& facts, const SourceCall& positions,
                           const SourceAssignment& compared) {
  QuadraticMask mask{.call = &positions,
                     .location = compared.location,
                     .name = compared.targets.front(),
                     .context = compared.context,
                     .side = CountOf(positions),
                     .sure = true};
  mask.bytes = {mask.side * mask.side};
  for (const SourceCall& call : facts.calls) {
    if (LastName(call.name) != "where" || call.arguments.size() != 3) continue;
    if (!IsOneOf(mask.name, call.arguments[0].names) || call.context != mask.context) continue;
    FollowOutward(facts, call, WidthAfter(call, 1), mask);
    break;
  }
  return mask;
}

void AddComparisons(const SourceFacts& facts, int64_t least, std::vector<QuadraticMask>& masks) {
  const auto fits = [&](const SourceCall* positions) {
    return positions != nullptr && CountOf(*positions) >= least && CountOf(*positions) <= kMost;
  };
  for (const SourceAssignment& assignment : facts.assignments) {
    if (assignment.call >= 0 || assignment.targets.size() != 1) continue;
    const SourceCall* positions = PositionsComparedIn(facts, assignment.text, assignment.names);
    if (fits(positions)) masks.push_back(OfComparison(facts, *positions, assignment));
  }
  for (const SourceCall& call : facts.calls) {
    if (LastName(call.name) != "where" || call.arguments.size() != 3) continue;
    const SourceArgument& condition = call.arguments[0];
    const SourceCall* positions = PositionsComparedIn(facts, condition.text, condition.names);
    if (!fits(positions)) continue;
    QuadraticMask mask{.side = CountOf(*positions), .sure = true};
    FollowOutward(facts, call, WidthAfter(call, 1), mask);
    masks.push_back(mask);
  }
}

}  // namespace

std::vector<QuadraticMask> QuadraticMasks(const SourceFacts& facts, int64_t least) {
  std::vector<QuadraticMask> masks;
  for (const SourceCall& made : facts.calls) {
    if (!Makes(made)) continue;
    QuadraticMask mask{.side = SideOf(made), .sure = LastName(made.name) == "tri"};
    if (mask.side < least || mask.side > kMost) continue;
    // Arrays of numbers without a type have four bytes on a device.
    FollowOutward(facts, made, WidthAsked(made) > 0 ? WidthAsked(made) : 4, mask);
    if (mask.sure) masks.push_back(mask);
  }
  AddComparisons(facts, least, masks);
  return masks;
}

}  // namespace tilewise
