// Attention in one kernel of a library, as the graph's flash attention.

#include "frontend/hlo/backend_config.h"
#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

// mask_type of the library: 2 to 5 hide later keys.
AttentionAttrs AttentionOf(const Site& site) {
  const std::string_view config = site.more().backend_config;
  AttentionAttrs attrs;
  const double mask = ConfigNumber(config, "mask_type").value_or(0);
  attrs.causal = mask >= 2 && mask <= 5;
  attrs.flash = true;
  attrs.scale = ConfigNumber(config, "scaling_factor").value_or(1);
  return attrs;
}

// [batch, heads, queries, 1] of the library as [batch, heads, queries].
OpId Rows(GraphBuilder& e, OpId rows) {
  if (rows == kNoOp) return rows;
  std::vector<Dim> dims = e.shape(rows).dims;
  if (dims.size() == 4 && dims.back() == Dim{}) dims.pop_back();
  return e.Reshape(e.Convert(rows, DType::kF32), std::move(dims));
}

// Zeros for the results from `first` on: states and room to work in.
void FillRest(Translation& t, const Site& site, size_t first, std::vector<Value>& results) {
  for (size_t i = first; i < site.shape.elements.size(); ++i) {
    const HloShape& shape = site.shape.elements[i];
    results.push_back(HoldsNothing(shape) ? Value()
                                          : Value(t.emit().Constant(0, GraphShape(shape))));
  }
}

}  // namespace

Value TranslateFusedAttention(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const std::vector<OpId> operands = {site.operand(0), site.operand(1), site.operand(2)};
  if (site.shape.elements.size() < 2) {
    e.Fail("found an attention without a tuple of results");
    return {};
  }
  AttentionAttrs attrs = AttentionOf(site);
  std::vector<Value> results;
  results.emplace_back(e.Add(OpKind::kFlashAttention, operands, attrs));
  attrs.result = 1;
  const OpId rows = e.Add(OpKind::kFlashAttention, operands, attrs);
  results.emplace_back(e.Reshape(rows, GraphDims(site.shape.elements[1])));
  FillRest(t, site, 2, results);
  return Value::Tuple(std::move(results));
}

// Operands: q, k, v, bias, log-sum-exp, random state, output, its gradient.
Value TranslateFusedAttentionGrad(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  if (site.shape.elements.size() < 3) {
    e.Fail("found the gradient of an attention without three results");
    return {};
  }
  const std::vector<OpId> operands = {site.operand(0), site.operand(1),          site.operand(2),
                                      site.operand(6), Rows(e, site.operand(4)), site.operand(7)};
  AttentionAttrs attrs = AttentionOf(site);
  std::vector<Value> results;
  for (int64_t i = 0; i < 3; ++i) {
    attrs.result = i;
    results.emplace_back(e.Add(OpKind::kFlashAttentionGrad, operands, attrs));
  }
  FillRest(t, site, 3, results);
  return Value::Tuple(std::move(results));
}

}  // namespace tilewise::hlo
