// A loop over the steps, as Keras's cell computes one: for each of the four
// gates a convolution of the input and one of the state, which keeps its size.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/broadcast.h"
#include "library/windows.h"

namespace tilewise {
namespace {

using Gates = std::array<OpId, 4>;  // input, forget, candidate, output

int32_t NewLoop(const GraphBuilder& builder) {
  int32_t last = 0;
  for (OpId id = 0; id < builder.size(); ++id) {
    last = std::max(last, builder.op(id).loop.id);
  }
  return last + 1;
}

class ConvLstm {
 public:
  explicit ConvLstm(LayerContext& ctx)
      : ctx_(ctx),
        b_(ctx.builder),
        rank_(SpatialRank(ctx.layer.class_name)),
        filters_(ctx.config.Positive("filters")),
        channels_first_(ctx.config.ChannelsFirst()) {}

  OpId Build() {
    if (!ctx_.ExpectRank(ctx_.input(), rank_ + 3) || !TakeWeights()) {
      return kNoOp;
    }
    const bool sequences = ctx_.config.Flag("return_sequences", false);
    const bool backwards = ctx_.config.Flag("go_backwards", false);
    const OpId x = Drop(ctx_, ctx_.input(), ctx_.config.Number("dropout", 0),
                        /*shared=*/{1});
    const OpId steps = b_.Transpose(x, TimeSwapped());
    const OpId first = b_.Scalar(0, DType::kS32);
    place_ = {NewLoop(b_), std::max<int64_t>(time_, 1)};
    b_.SetLoop(place_);
    const OpId iteration = b_.Barrier(first, {});
    const OpId step =
        backwards ? ScalarWith(b_, OpKind::kSubtract, static_cast<double>(time_ - 1), iteration)
                  : iteration;
    const Gates gates = OfInput(Squeezed(b_, b_.DynamicSlice(steps, {step}, {0}, {1}), {0}));
    Advance(gates);
    const OpId all = sequences ? AllSteps(step) : kNoOp;
    b_.SetLoop({});
    if (ctx_.config.Flag("return_state", false)) {
      ctx_.more_outputs = {hidden_, cell_};
    }
    if (!sequences) return hidden_;
    const OpId result = b_.Transpose(all, TimeSwapped());
    return backwards ? b_.Reverse(result, {1}) : result;
  }

 private:
  bool TakeWeights() {
    const Shape x = ctx_.shape(ctx_.input());
    if (!b_.ok()) return false;
    time_ = x.dims[1].factor;
    std::vector<int64_t> sizes = ctx_.config.PerDim("kernel_size", rank_);
    window_ = {sizes,
               ctx_.config.PerDim("strides", rank_, 1),
               ctx_.config.PerDim("dilation_rate", rank_, 1),
               {}};
    padding_ = ctx_.config.Text("padding", "valid");
    const std::vector<int64_t> ones(rank_, 1);
    state_window_ = {sizes, ones, ones, "same"};
    const size_t features = channels_first_ ? 2 : x.dims.size() - 1;
    kernels_ = Parts("kernel", sizes, x.dims[features].factor);
    recurrent_kernels_ = Parts("recurrent_kernel", sizes, filters_);
    if (ctx_.config.Flag("use_bias", true)) {
      biases_ = Split(ctx_.Variable("bias", {4 * filters_}), 0);
    }
    return b_.ok();
  }

  Gates Split(OpId weights, int64_t dim) {
    Gates parts = {};
    for (int64_t i = 0; i < 4; ++i) {
      parts[i] = b_.SliceDim(weights, dim, i * filters_, (i + 1) * filters_);
    }
    return parts;
  }

  Gates Parts(std::string_view name, std::vector<int64_t> sizes, int64_t features) {
    sizes.push_back(features);
    sizes.push_back(4 * filters_);
    return Split(ctx_.Variable(name, sizes), rank_ + 1);
  }

  // [batch, time, ..] and [time, batch, ..].
  std::vector<int64_t> TimeSwapped() const {
    std::vector<int64_t> order = {1, 0};
    for (int64_t dim = 2; dim < rank_ + 3; ++dim) order.push_back(dim);
    return order;
  }

  OpId Convolve(OpId x, OpId kernel, const WindowArguments& arguments) {
    if (!b_.ok()) return kNoOp;
    return b_.Convolution(x, kernel, MakeWindow(ctx_, x, arguments, channels_first_), 1,
                          channels_first_);
  }

  Gates OfInput(OpId x) {
    WindowArguments arguments = window_;
    arguments.padding = padding_;
    Gates gates = {};
    for (size_t i = 0; i < 4; ++i) {
      gates[i] = Convolve(x, kernels_[i], arguments);
      if (biases_[i] == kNoOp || !b_.ok()) continue;
      gates[i] = ctx_.AddBias(gates[i], biases_[i], FeatureDimOf(channels_first_, rank_ + 2));
    }
    return gates;
  }

  // Operand `i` of the layer as a state, or zeros.
  OpId Initial(size_t i, const Shape& shape) {
    b_.SetLoop({});
    const OpId state = i < ctx_.inputs.size()
                           ? b_.Convert(ctx_.inputs[i], shape.dtype)
                           : b_.Broadcast(b_.Scalar(0, shape.dtype), shape.dims, {});
    b_.SetLoop(place_);
    return b_.Barrier(state, {});
  }

  OpId Activated(std::string_view key, std::string_view otherwise, OpId x) {
    return ApplyActivation(ctx_, ctx_.config.Text(key, otherwise), x);
  }
  OpId Gate(OpId x) { return Activated("recurrent_activation", "hard_sigmoid", x); }

  void Advance(const Gates& of_input) {
    const Shape shape = ctx_.shape(of_input[0]);
    if (!b_.ok()) return;
    const OpId hidden = Initial(1, shape);
    const OpId cell = Initial(2, shape);
    Gates sum = {};
    for (size_t i = 0; i < 4; ++i) {
      sum[i] = b_.Binary(OpKind::kAdd, of_input[i],
                         Convolve(hidden, recurrent_kernels_[i], state_window_));
    }
    const OpId taken =
        b_.Binary(OpKind::kMultiply, Gate(sum[0]), Activated("activation", "tanh", sum[2]));
    const OpId kept = b_.Binary(OpKind::kMultiply, Gate(sum[1]), cell);
    cell_ = b_.Binary(OpKind::kAdd, kept, taken);
    hidden_ = b_.Binary(OpKind::kMultiply, Gate(sum[3]), Activated("activation", "tanh", cell_));
  }

  // [time, batch, ..] of the hidden states, written step by step.
  OpId AllSteps(OpId step) {
    Shape shape = ctx_.shape(hidden_);
    if (!b_.ok()) return kNoOp;
    shape.dims.insert(shape.dims.begin(), Dim{time_, false});
    b_.SetLoop({});
    const OpId rows = b_.Broadcast(b_.Scalar(0, shape.dtype), shape.dims, {});
    b_.SetLoop(place_);
    return b_.DynamicUpdateSlice(b_.Barrier(rows, {}), Unsqueezed(b_, hidden_, {0}), {step}, {0});
  }

  LayerContext& ctx_;
  GraphBuilder& b_;
  int64_t rank_;
  int64_t filters_;
  bool channels_first_;
  int64_t time_ = 1;
  EnclosingLoop place_;
  std::string padding_;
  WindowArguments window_, state_window_;
  Gates kernels_ = {}, recurrent_kernels_ = {};
  Gates biases_ = {kNoOp, kNoOp, kNoOp, kNoOp};
  OpId hidden_ = kNoOp;
  OpId cell_ = kNoOp;
};

}  // namespace

OpId BuildConvLstm(LayerContext& ctx) { return ConvLstm(ctx).Build(); }

}  // namespace tilewise
