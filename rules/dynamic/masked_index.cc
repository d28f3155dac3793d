// Arrays of NumPy and Python's own containers are left out: they stay on the
// host.

#include "rules/dynamic/masked_index.h"

#include <algorithm>

#include <fmt/format.h>

#include "workload/blocks.h"

namespace tilewise {
namespace {

// "np." that is not the end of "jnp.".
bool NamesNumpy(std::string_view text) {
  for (size_t at = text.find("np."); at != std::string_view::npos; at = text.find("np.", at + 1)) {
    if (at == 0 || text[at - 1] != 'j') return true;
  }
  return Contains(text, ".numpy()");
}

// x.at[mask] of JAX, labels.data[mask] of pandas and the like.
bool IsOfOthers(const SourceSubscript& subscript) {
  const std::string_view last = LastName(subscript.object);
  return last == "at" || last == "loc" || last == "iloc" || last == "ref" || last == "shape" ||
         Contains(subscript.object, "{");
}

// A literal number, so that a mask can be filled with it.
bool IsNumber(std::string_view text) {
  if (text.starts_with("-")) text.remove_prefix(1);
  if (text.starts_with("float(")) return true;
  return !text.empty() && text.find_first_not_of("0123456789.e_-") == std::string_view::npos;
}

// What stands between the brackets of `value`, when it takes parts by the same
// mask: "b" of a[mask] = b[mask].
std::string SameMasked(const SourceSubscript& subscript) {
  const std::string end = "[" + subscript.index + "]";
  if (!subscript.value.ends_with(end)) return "";
  return subscript.value.substr(0, subscript.value.size() - end.size());
}

std::string Written(const SourceSubscript& subscript) {
  const std::string text = fmt::format("{}[{}]", subscript.object, subscript.index);
  return text.size() <= 60 ? text : subscript.object.substr(0, 40) + "[mask]";
}

}  // namespace

std::vector<MaskedIndex> MaskedIndices(const SourceFacts& facts, const StepCode& code) {
  std::vector<MaskedIndex> found;
  for (const SourceSubscript& subscript : facts.subscripts) {
    if (subscript.in_dataset_function || IsOfOthers(subscript)) continue;
    if (!IsMask(facts, subscript.mask, subscript.context)) continue;
    const StepCodeKind kind = code.At(subscript.context);
    if (kind == StepCodeKind::kNone) continue;
    if (NamesNumpy(subscript.index) || NamesNumpy(subscript.object)) continue;
    if (IsOfNumpy(facts, subscript.object_names, subscript.context) ||
        IsOfNumpy(facts, subscript.mask.if_any, subscript.context)) {
      continue;
    }
    found.push_back({&subscript, kind});
  }
  std::ranges::stable_sort(found, [](const MaskedIndex& a, const MaskedIndex& b) {
    return a.subscript->location < b.subscript->location;
  });
  return found;
}

std::string InWords(const SourceFacts& facts, const StepCode& code, const MaskedIndex& index) {
  const SourceSubscript& subscript = *index.subscript;
  const std::string where = code.PlaceOf(subscript.context, subscript.location);
  const std::string text = Written(subscript);
  if (index.kind == StepCodeKind::kTraced) {
    return subscript.assigned
               ? fmt::format(
                     "{} = .. in {} assigns through a boolean mask, which arrays of JAX do "
                     "not allow; expected jnp.where",
                     text, where)
               : fmt::format(
                     "{} in {} has as many items as the mask has true ones, which raises "
                     "NonConcreteBooleanIndexError where it is jitted; expected a fixed "
                     "shape",
                     text, where);
  }
  const std::string_view on = IsTorchXla(facts) ? "torch_xla" : "XLA";
  if (subscript.assigned) {
    return fmt::format(
        "{} = .. in {} assigns through a boolean mask, which {} runs as nonzero and index_put: the "
        "mask is read back in the middle of the step and each count of true ones is compiled anew; "
        "expected torch.where",
        text, where, on);
  }
  return fmt::format(
      "{} in {} has as many items as the mask has true ones: {} reads the mask back in the middle "
      "of the step and compiles each count anew; expected a fixed shape",
      text, where, on);
}

std::string RemedyOf(const MaskedIndex& index) {
  const SourceSubscript& subscript = *index.subscript;
  const std::string& x = subscript.object;
  const std::string& mask = subscript.index;
  if (index.kind == StepCodeKind::kTraced) {
    return subscript.assigned
               ? fmt::format("write {} = jnp.where({}, {}, {})", x, mask, subscript.value, x)
               : fmt::format(
                     "keep the shape: jnp.where({}, {}, 0) and sums divided by the count of "
                     "the mask",
                     mask, x);
  }
  if (!subscript.assigned) {
    return fmt::format(
        "keep the shape: torch.where({}, {}, 0) or a weight of 0 where the mask is false, and for "
        "a cross-entropy ignore_index=-100 in the labels",
        mask, x);
  }
  if (const std::string from = SameMasked(subscript); !from.empty()) {
    return fmt::format("write {} = torch.where({}, {}, {})", x, mask, from, x);
  }
  if (IsNumber(subscript.value)) {
    return fmt::format("write {} = {}.masked_fill({}, {}), or torch.where({}, {}, {})", x, x, mask,
                       subscript.value, mask, subscript.value, x);
  }
  return fmt::format("write {} = torch.where({}, value, {}) with a value of the full shape", x,
                     mask, x);
}

}  // namespace tilewise
