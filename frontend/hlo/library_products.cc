// Products of libraries, as dots and convolutions. What they return besides the
// matmul is room to work in.

#include <fmt/format.h>

#include "frontend/hlo/backend_config.h"
#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/ops.h"
#include "frontend/hlo/products.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

// The shape of the matmul's result, which may come with others in a tuple.
const HloShape& Product(const Site& site) {
  return site.shape.elements.empty() ? site.shape : site.shape.elements[0];
}

// `product` and, in a tuple, room of the other shapes.
Value WithRoom(Translation& t, const Site& site, OpId product) {
  if (site.shape.kind != HloShape::Kind::kTuple) return product;
  std::vector<Value> results = {product};
  for (size_t i = 1; i < site.shape.elements.size(); ++i) {
    const HloShape& shape = site.shape.elements[i];
    results.push_back(HoldsNothing(shape) ? Value()
                                          : Value(t.emit().Constant(0, GraphShape(shape))));
  }
  return Value::Tuple(std::move(results));
}

// What the library adds to the matmul: another array, a bias, a function.
OpId Epilogue(GraphBuilder& e, const Site& site, OpId product) {
  const std::string_view epilogue = ConfigWord(site.more().backend_config, "epilogue");
  const bool has_bias = epilogue.find("BIAS") != std::string_view::npos;
  const size_t addend = ConfigNumber(site.more().backend_config, "beta").value_or(0) != 0 ? 2 : 0;
  if (addend > 0 && site.operand(addend) != kNoOp) {
    product = BinaryOf(e, OpKind::kAdd, product, site.operand(addend));
  }
  const OpId bias = site.operand(addend > 0 ? 3 : 2);
  if (has_bias && bias != kNoOp && product != kNoOp && e.shape(bias).rank() == 1) {
    const std::vector<Dim> dims = e.shape(product).dims;
    const int64_t last = static_cast<int64_t>(dims.size()) - 1;
    product = BinaryOf(e, OpKind::kAdd, product, e.Broadcast(bias, dims, {last}));
  }
  if (epilogue.find("RELU") != std::string_view::npos) {
    product = e.BinaryScalar(OpKind::kMaximum, product, 0);
  }
  if (epilogue.find("GELU") != std::string_view::npos) {
    product = e.Add(OpKind::kGelu, {product}, GeluAttrs{.approximate = true});
  }
  return product;
}

std::vector<int64_t> ActivationOrder(int64_t batch, const std::vector<int64_t>& spatial,
                                     int64_t feature) {
  std::vector<int64_t> order = {batch};
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.push_back(feature);
  return order;
}

// Dims of the shape that an operand or result of a convolution has.
Shape Ordered(const Shape& shape, const std::vector<int64_t>& order) {
  Shape ordered(shape.dtype, {});
  for (const int64_t dim : order) {
    ordered.dims.push_back(shape.dims[dim]);
  }
  return ordered;
}

bool Fits(const std::vector<int64_t>& order, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (const int64_t dim : order) {
    const size_t place = dim;
    if (dim < 0 || place >= rank || seen[place]) return false;
    seen[place] = true;
  }
  return order.size() == rank;
}

}  // namespace

Value TranslateLibraryDot(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const std::string_view config = site.more().backend_config;
  DotDims dims;
  dims.lhs_contract = ConfigList(config, "lhs_contracting_dimensions");
  dims.rhs_contract = ConfigList(config, "rhs_contracting_dimensions");
  dims.lhs_batch = ConfigList(config, "lhs_batch_dimensions");
  dims.rhs_batch = ConfigList(config, "rhs_batch_dimensions");
  if (dims.lhs_contract.empty()) {
    e.Fail("found no dimension numbers in the backend config of a product");
    return {};
  }
  OpId product = EmitDot(e, site.operand(0), site.operand(1), std::move(dims), Product(site).dtype,
                         PrecisionPasses(site.more()));
  const double alpha = ConfigNumber(config, "alpha_real").value_or(1);
  if (alpha != 1) product = e.BinaryScalar(OpKind::kMultiply, product, alpha);
  return WithRoom(t, site, Epilogue(e, site, product));
}

Value TranslateMatMul(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const OpId lhs = site.operand(0);
  const OpId rhs = site.operand(1);
  if (lhs == kNoOp || rhs == kNoOp || e.shape(lhs).rank() < 2 ||
      e.shape(rhs).rank() != e.shape(lhs).rank()) {
    e.Fail("found operands of a product that are not two matrices");
    return {};
  }
  const int64_t last = e.shape(lhs).rank() - 1;
  const std::string_view config = site.more().backend_config;
  DotDims dims;
  for (int64_t i = 0; i + 1 < last; ++i) {
    dims.lhs_batch.push_back(i);
    dims.rhs_batch.push_back(i);
  }
  const bool turn_left = ConfigWord(config, "transpose_a") == "true";
  const bool turn_right = ConfigWord(config, "transpose_b") == "true";
  dims.lhs_contract = {turn_left ? last - 1 : last};
  dims.rhs_contract = {turn_right ? last : last - 1};
  return WithRoom(
      t, site,
      EmitDot(e, lhs, rhs, std::move(dims), Product(site).dtype, PrecisionPasses(site.more())));
}

Value TranslateLibraryConvolution(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const InstructionExtras& more = site.more();
  const ConvDims& conv = more.conv;
  const std::string_view target = more.custom_call_target;
  const std::vector<int64_t> x_order =
      ActivationOrder(conv.input_batch, conv.input_spatial, conv.input_feature);
  const std::vector<int64_t> y_order =
      ActivationOrder(conv.output_batch, conv.output_spatial, conv.output_feature);
  std::vector<int64_t> k_order = conv.kernel_spatial;
  k_order.push_back(conv.kernel_in);
  k_order.push_back(conv.kernel_out);
  const HloShape& product = Product(site);
  const size_t rank = more.window.size() + 2;
  OpId lhs = site.operand(0);
  OpId rhs = site.operand(1);
  if (lhs == kNoOp || rhs == kNoOp || product.dims.size() != rank ||
      e.shape(lhs).dims.size() != rank || e.shape(rhs).dims.size() != rank ||
      !Fits(x_order, rank) || !Fits(y_order, rank) || !Fits(k_order, rank)) {
    e.Fail(
        fmt::format("found a window of {} dims and dimension numbers that "
                    "do not fit the operands",
                    more.window.size()));
    return {};
  }
  UniteTypes(e, lhs, rhs);
  ConvAttrs attrs;
  attrs.groups = more.feature_groups;
  attrs.precision_passes = e.shape(lhs).dtype == DType::kF32 ? PrecisionPasses(more) : 1;
  for (const HloWindowDim& w : more.window) {
    attrs.window.push_back(
        {w.size, w.stride, w.pad_low, w.pad_high, w.window_dilation, w.base_dilation});
  }
  const Shape made = GraphShape(product).WithType(e.shape(lhs).dtype);
  OpId result = kNoOp;
  if (target == "__cudnn$convBackwardInput") {
    result = e.Add(OpKind::kConvInputGrad, {e.Transpose(lhs, y_order), e.Transpose(rhs, k_order)},
                   std::move(attrs), Ordered(made, x_order));
    result = e.Transpose(result, InverseOf(x_order));
  } else if (target == "__cudnn$convBackwardFilter") {
    result = e.Add(OpKind::kConvKernelGrad, {e.Transpose(lhs, x_order), e.Transpose(rhs, y_order)},
                   std::move(attrs), Ordered(made, k_order));
    result = e.Transpose(result, InverseOf(k_order));
  } else {
    result = e.Add(OpKind::kConvolution, {e.Transpose(lhs, x_order), e.Transpose(rhs, k_order)},
                   std::move(attrs));
    result = e.Transpose(result, InverseOf(y_order));
    const OpId bias = site.operand(2);
    if (result != kNoOp && bias != kNoOp && e.shape(bias).rank() == 1) {
      const std::vector<Dim> dims = e.shape(result).dims;
      const OpId wide =
          e.Broadcast(e.Convert(bias, e.shape(result).dtype), dims, {conv.output_feature});
      result = BinaryOf(e, OpKind::kAdd, result, wide);
    }
  }
  return WithRoom(t, site, e.Convert(result, product.dtype));
}

}  // namespace tilewise::hlo
