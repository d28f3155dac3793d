// Labels are characters; the dims that an ellipsis stands for get labels of
// their own, the same for all operands and counted from the last dim.

#include "library/einsum.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "library/broadcast.h"

namespace tilewise {
namespace {

constexpr Dim kSizeOne = {1, false};
constexpr size_t kMaxRank = 64;

struct LabelledOp {
  OpId op = kNoOp;
  std::string labels;  // one character per dim
};

struct Equation {
  std::vector<std::string> inputs;
  std::string output;
  bool explicit_output = false;
};

Equation Split(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) clean += c;
  }
  Equation equation;
  const size_t arrow = clean.find("->");
  equation.explicit_output = arrow != std::string::npos;
  if (equation.explicit_output) equation.output = clean.substr(arrow + 2);
  std::string inputs = clean.substr(0, arrow);
  size_t begin = 0;
  for (size_t i = 0; i <= inputs.size(); ++i) {
    if (i < inputs.size() && inputs[i] != ',') continue;
    equation.inputs.push_back(inputs.substr(begin, i - begin));
    begin = i + 1;
  }
  return equation;
}

// Label of the ellipsis dim that is `from_end` before the last of them.
char EllipsisLabel(size_t from_end) { return static_cast<char>(1 + from_end); }

// "...ij" with `dims` dims behind the ellipsis.
std::string WithoutEllipsis(const std::string& labels, size_t dims) {
  const size_t at = labels.find("...");
  if (at == std::string::npos) return labels;
  std::string filled;
  for (size_t i = dims; i-- > 0;) filled += EllipsisLabel(i);
  return labels.substr(0, at) + filled + labels.substr(at + 3);
}

// x with the diagonal of each label that occurs twice.
LabelledOp Diagonal(GraphBuilder& builder, LabelledOp term) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t twin = term.labels.find(term.labels[i], i + 1);
    if (twin == std::string::npos) continue;
    const Shape shape = builder.shape(term.op).WithType(DType::kS32);
    const OpId on = builder.Compare(Comparison::kEq, builder.Iota(shape, static_cast<int64_t>(i)),
                                    builder.Iota(shape, static_cast<int64_t>(twin)));
    const OpId kept = builder.Select(on, term.op, FilledLike(builder, term.op, 0));
    term.op = builder.Reduce(Reducer::kSum, kept, {static_cast<int64_t>(twin)});
    term.labels.erase(twin, 1);
    --i;
  }
  return term;
}

// x summed over labels that `wanted` has not.
LabelledOp Summed(GraphBuilder& builder, LabelledOp term, const std::string& wanted) {
  std::vector<int64_t> dims;
  std::string left;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (wanted.find(term.labels[i]) == std::string::npos) {
      dims.push_back(static_cast<int64_t>(i));
    } else {
      left += term.labels[i];
    }
  }
  if (!dims.empty()) {
    term.op = builder.Reduce(Reducer::kSum, term.op, std::move(dims));
  }
  term.labels = left;
  return term;
}

// Drops dims of size 1 whose label has another size in `other`, which stretch.
LabelledOp WithoutStretched(GraphBuilder& builder, LabelledOp term, const LabelledOp& other) {
  const std::vector<Dim> dims = builder.shape(term.op).dims;
  std::vector<Dim> kept;
  std::string labels;
  for (size_t i = 0; i < term.labels.size() && i < dims.size(); ++i) {
    const size_t at = other.labels.find(term.labels[i]);
    const std::vector<Dim>& others = builder.shape(other.op).dims;
    const bool stretches = at != std::string::npos && at < others.size() && dims[i] == kSizeOne &&
                           others[at] != kSizeOne;
    if (stretches) continue;
    kept.push_back(dims[i]);
    labels += term.labels[i];
  }
  if (kept.size() != dims.size()) term.op = builder.Reshape(term.op, kept);
  term.labels = labels;
  return term;
}

// One dot of two terms; labels that `wanted` has are kept.
LabelledOp Contracted(GraphBuilder& builder, LabelledOp x, LabelledOp y, const std::string& wanted,
                      int64_t precision_passes) {
  x = Summed(builder, std::move(x), wanted + y.labels);
  y = Summed(builder, std::move(y), wanted + x.labels);
  x = WithoutStretched(builder, std::move(x), y);
  y = WithoutStretched(builder, std::move(y), x);
  // The free labels of the first operand come first.
  const auto place = [&](const LabelledOp& term, const LabelledOp& other) {
    size_t first = std::string::npos;
    for (const char label : term.labels) {
      if (other.labels.find(label) == std::string::npos) {
        first = std::min(first, wanted.find(label));
      }
    }
    return first;
  };
  if (place(y, x) < place(x, y) && place(x, y) != std::string::npos) std::swap(x, y);
  DotDims dims;
  std::string batch;
  std::string free_x;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    const char label = x.labels[i];
    const size_t at = y.labels.find(label);
    if (at == std::string::npos) {
      free_x += label;
      continue;
    }
    const bool kept = wanted.find(label) != std::string::npos;
    (kept ? dims.lhs_batch : dims.lhs_contract).push_back(static_cast<int64_t>(i));
    (kept ? dims.rhs_batch : dims.rhs_contract).push_back(static_cast<int64_t>(at));
    if (kept) batch += label;
  }
  std::string free_y;
  for (const char label : y.labels) {
    if (x.labels.find(label) == std::string::npos) free_y += label;
  }
  const OpId product = builder.Dot(x.op, y.op, std::move(dims), precision_passes);
  return {product, batch + free_x + free_y};
}

OpId Ordered(GraphBuilder& builder, const LabelledOp& term, const std::string& output) {
  std::vector<int64_t> order;
  std::vector<Dim> missing;
  for (const char label : output) {
    const size_t at = term.labels.find(label);
    if (at == std::string::npos) {
      builder.Fail("einsum: found a label of the result that no operand has");
      return kNoOp;
    }
    order.push_back(static_cast<int64_t>(at));
  }
  if (std::is_sorted(order.begin(), order.end())) return term.op;
  return builder.Transpose(term.op, std::move(order));
}

// The labels that occur once, sorted, behind those of the ellipsis.
std::string ImpliedOutput(const std::vector<LabelledOp>& terms, size_t ellipsis) {
  std::string all;
  for (const LabelledOp& term : terms) all += term.labels;
  std::string output;
  for (size_t i = ellipsis; i-- > 0;) output += EllipsisLabel(i);
  std::sort(all.begin(), all.end());
  for (const char label : all) {
    if (label < 'A') continue;
    if (std::count(all.begin(), all.end(), label) == 1) output += label;
  }
  return output;
}

bool AllLetters(const std::string& labels) {
  return std::all_of(labels.begin(), labels.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

// The operands with a label for each dim; fails when they do not fit.
std::vector<LabelledOp> Labelled(GraphBuilder& builder, const Equation& equation,
                                 std::span<const OpId> operands, size_t& ellipsis) {
  std::vector<LabelledOp> terms;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string labels = equation.inputs[i];
    const size_t rank = builder.shape(operands[i]).dims.size();
    const bool open = labels.find("...") != std::string::npos;
    const size_t named = labels.size() - (open ? 3 : 0);
    const bool letters = AllLetters(WithoutEllipsis(labels, 0));
    if (!letters || rank > kMaxRank || (open ? named > rank : named != rank)) {
      builder.Fail(fmt::format("einsum: found labels \"{}\" for {}", labels,
                               FormatShape(builder.shape(operands[i]))));
      return {};
    }
    if (open) ellipsis = std::max(ellipsis, rank - named);
    terms.push_back({operands[i], WithoutEllipsis(labels, rank - named)});
  }
  return terms;
}

}  // namespace

OpId Einsum(GraphBuilder& builder, std::string_view equation, std::span<const OpId> operands,
            int64_t precision_passes) {
  Equation parts = Split(equation);
  if (parts.inputs.size() != operands.size() || operands.empty()) {
    builder.Fail(fmt::format("einsum: found {} operands for \"{}\"", operands.size(), equation));
    return kNoOp;
  }
  DType type = builder.shape(operands[0]).dtype;
  for (const OpId id : operands) {
    type = CommonType(type, builder.shape(id).dtype);
  }
  size_t ellipsis = 0;
  std::vector<LabelledOp> terms = Labelled(builder, parts, operands, ellipsis);
  if (!builder.ok()) return kNoOp;
  const std::string output = parts.explicit_output ? WithoutEllipsis(parts.output, ellipsis)
                                                   : ImpliedOutput(terms, ellipsis);
  for (LabelledOp& term : terms) {
    term.op = builder.Convert(term.op, type);
    term = Diagonal(builder, std::move(term));
  }
  LabelledOp sum = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    std::string wanted = output;
    for (size_t j = i + 1; j < terms.size(); ++j) wanted += terms[j].labels;
    sum = Contracted(builder, std::move(sum), terms[i], wanted, precision_passes);
    if (!builder.ok()) return kNoOp;
  }
  return Ordered(builder, Summed(builder, std::move(sum), output), output);
}

}  // namespace tilewise
