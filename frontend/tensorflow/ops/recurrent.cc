// Recurrent layers and cells that TensorFlow has as one op. Layers are one
// matmul of all steps with the input weights and then the recurrence; cells
// are written out. Peepholes are left out: they are elementwise.

#include "library/recurrent.h"

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostLayers = 4096;
constexpr int64_t kMostUnits = int64_t{1} << 24;

Term Product(Term x, Term w) { return x.Of(x.b().MatMul(x.id, w.id)); }

Term Columns(Term x, int64_t part, int64_t units) {
  const int64_t last = x.shape().rank() - 1;
  return x.Of(x.b().SliceDim(x.id, last, part * units, (part + 1) * units));
}

// Weights [features + units, gates x units] of input and state.
struct Weights {
  OpId input = kNoOp, state = kNoOp;
  int64_t units = 0;
};

absl::StatusOr<int64_t> UnitsOf(const Shape& weights, int64_t features, int64_t gates) {
  if (weights.rank() == 2 && weights.is_static() && weights.size(1) % gates == 0 &&
      weights.size(0) == features + weights.size(1) / gates) {
    return weights.size(1) / gates;
  }
  return InvalidInput(
      fmt::format("found weights {} for {} features", FormatShape(weights), features));
}

absl::StatusOr<Weights> SplitWeights(GraphBuilder& b, OpId w, int64_t features, int64_t gates) {
  Weights weights;
  TW_ASSIGN_OR_RETURN(weights.units, UnitsOf(b.shape(w), features, gates));
  weights.input = b.SliceDim(w, 0, 0, features);
  weights.state = b.SliceDim(w, 0, features, features + weights.units);
  return weights;
}

absl::StatusOr<int64_t> Features(const Shape& x, int64_t rank) {
  if (x.rank() == rank && !x.dims.back().per_batch && x.dims.back().factor <= kMostUnits) {
    return x.dims.back().factor;
  }
  return InvalidInput(fmt::format("found {}, expected rank {}", FormatShape(x), rank));
}

// x, cell state, state, weights, three peepholes, bias -> i, cs, f, o, ci, co,
// h. The order of the gates is i, ci, f, o.
absl::Status LstmBlockCell(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 8));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t features, Features(b.shape(xs[0]), 2));
  TW_ASSIGN_OR_RETURN(const int64_t units, UnitsOf(b.shape(xs[3]), features, 4));
  const Term joined(b, b.Concatenate({xs[0], xs[2]}, 1));
  const Term gates = Product(joined, Term(b, xs[3])) + Term(b, xs[7]);
  const Term in = Sigmoid(Columns(gates, 0, units));
  const Term candidate = Tanh(Columns(gates, 1, units));
  const Term forget = Sigmoid(Columns(gates, 2, units) + ctx.Float("forget_bias", 1));
  const Term out = Sigmoid(Columns(gates, 3, units));
  Term state = candidate * in + Term(b, xs[1]) * forget;
  const double clip = ctx.Float("cell_clip", 3);
  if (clip > 0) state = Max(Min(state, clip), -clip);
  const Term shown = Tanh(state);
  const Term results[] = {in, state, forget, out, candidate, shown, shown * out};
  for (int64_t i = 0; i < 7; ++i) ctx.Set(i, results[i].id);
  return absl::OkStatus();
}

// x, state, weights of r and u, of c, biases -> r, u, c, h.
absl::Status GruBlockCell(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 6));
  GraphBuilder& b = ctx.builder();
  const Term state(b, xs[1]);
  TW_ASSIGN_OR_RETURN(const int64_t units, Features(state.shape(), 2));
  const Term joined(b, b.Concatenate({xs[0], xs[1]}, 1));
  const Term gates = Sigmoid(Product(joined, Term(b, xs[2])) + Term(b, xs[4]));
  const Term r = Columns(gates, 0, units), u = Columns(gates, 1, units);
  const Term reset(b, b.Concatenate({xs[0], (r * state).id}, 1));
  const Term c = Tanh(Product(reset, Term(b, xs[3])) + Term(b, xs[5]));
  const Term results[] = {r, u, c, u * state + (1.0 - u) * c};
  for (int64_t i = 0; i < 4; ++i) ctx.Set(i, results[i].id);
  return absl::OkStatus();
}

// The operands of BlockLSTM with the batch first.
struct Block {
  OpId x = kNoOp;  // [batch, time, features]
  OpId h0 = kNoOp;
  Weights weights;
  OpId bias = kNoOp;
};

absl::StatusOr<Block> ReadBlock(OpContext& ctx) {
  const OpId x = ctx.Input(1), h0 = ctx.Input(3), w = ctx.Input(4), bias = ctx.Input(8);
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t features, Features(b.shape(x), 3));
  Block block;
  TW_ASSIGN_OR_RETURN(block.weights, SplitWeights(b, w, features, 4));
  block.x = b.Transpose(x, {1, 0, 2});
  block.h0 = h0;
  block.bias = bias;
  return block;
}

// All results have the dims of the states, which stand for the gates as well:
// the recurrence keeps these inside.
absl::Status BlockLstm(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Block block, ReadBlock(ctx));
  GraphBuilder& b = ctx.builder();
  const OpId states = RecurrentLayer(
      b, CellKind::kLstm, {block.x, block.weights.input, block.weights.state, block.bias, block.h0},
      false);
  const OpId by_time = b.Transpose(states, {1, 0, 2});
  for (int64_t i = 0; i < 7; ++i) ctx.Set(i, by_time);
  return absl::OkStatus();
}

// The state before each step: [batch, time, units].
OpId StatesBefore(GraphBuilder& b, OpId states, OpId h0) {
  const Shape shape = b.shape(states);
  const OpId first = b.Reshape(h0, {shape.dims[0], {1, false}, shape.dims[2]});
  const int64_t steps = shape.dims[1].factor;
  if (steps == 1) return first;
  return b.Concatenate({first, b.SliceDim(states, 1, 0, steps - 1)}, 1);
}

// Operands 15 and 17: the states and their gradient. Results: of x, the two
// states, the weights, the peepholes (zero), the bias.
absl::Status BlockLstmGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Block block, ReadBlock(ctx));
  TW_ASSIGN_OR_RETURN(const OpId h, Tensor(ctx, 15));
  TW_ASSIGN_OR_RETURN(const OpId dh, Tensor(ctx, 17));
  GraphBuilder& b = ctx.builder();
  if (b.shape(h).rank() != 3 || b.shape(dh) != b.shape(h)) {
    return InvalidInput("the states and their gradient differ in shape");
  }
  const Term x(b, block.x);
  const Term product = Product(x, x.Of(block.weights.input));
  const Term z = product + x.Of(block.bias);
  const OpId states = b.Transpose(h, {1, 0, 2});
  const Term dz(b, b.RecurrentGrad(CellKind::kLstm, z.id, block.weights.state, states,
                                   b.Transpose(dh, {1, 0, 2}), false));
  const auto back = [&](OpId d, OpId weights) {
    return b.Dot(d, weights, {{}, {}, {b.shape(d).rank() - 1}, {1}});
  };
  const auto of_weights = [&](OpId source) {
    return b.Dot(source, dz.id, {{}, {}, {0, 1}, {0, 1}});
  };
  ctx.Set(0, b.Transpose(back(dz.id, block.weights.input), {1, 0, 2}));
  const Shape gates = b.shape(dz.id);
  const OpId first = b.Reshape(b.SliceDim(dz.id, 1, 0, 1), {gates.dims[0], gates.dims[2]});
  const OpId dh0 = back(first, block.weights.state);
  ctx.Set(1, dh0);
  ctx.Set(2, dh0);
  ctx.Set(3,
          b.Concatenate({of_weights(block.x), of_weights(StatesBefore(b, states, block.h0))}, 0));
  const Shape peephole = Shape::Of(gates.dtype, {block.weights.units});
  for (int64_t i = 4; i < 7; ++i) ctx.Set(i, b.Constant(0, peephole));
  ctx.Set(7, Sum(dz, {0, 1}).id);
  return absl::OkStatus();
}

struct Layers {
  CellKind cell = CellKind::kLstm;
  int64_t gates = 4;
  int64_t directions = 1;
  int64_t units = 0;
  int64_t layers = 0;
  bool time_major = true;
};

absl::StatusOr<Layers> ReadLayers(const OpContext& ctx, const Shape& state) {
  Layers layers;
  const std::string_view mode = ctx.Text("rnn_mode", "lstm");
  if (mode == "gru") {
    layers.cell = CellKind::kGru;
    layers.gates = 3;
  } else if (mode != "lstm") {
    layers.cell = CellKind::kSimpleRnn;
    layers.gates = 1;
  }
  layers.directions = ctx.Text("direction", "") == "bidirectional" ? 2 : 1;
  layers.time_major = ctx.Bool("time_major", true);
  const size_t place = layers.time_major ? 0 : 1;  // of the layers
  if (state.rank() != 3 || state.dims[2].per_batch || state.dims[place].per_batch ||
      state.dims[place].factor % layers.directions != 0 || state.dims[place].factor > kMostLayers ||
      state.dims[2].factor > kMostUnits) {
    return InvalidInput(
        fmt::format("found state {} of {} directions", FormatShape(state), layers.directions));
  }
  layers.units = state.dims[2].factor;
  layers.layers = state.dims[place].factor / layers.directions;
  return layers;
}

// Takes parts of a flat buffer of weights, one after the other.
class Buffer {
 public:
  Buffer(GraphBuilder& builder, OpId flat) : b_(builder), flat_(flat) {}

  // kNoOp: the buffer ends before.
  OpId Take(const std::vector<int64_t>& sizes) {
    const Shape part = Shape::Of(b_.shape(flat_).dtype, sizes);
    const int64_t begin = at_;
    at_ += part.elements();
    const Dim size = b_.shape(flat_).dims[0];
    if (size.per_batch || at_ > size.factor) return kNoOp;
    return b_.Reshape(b_.SliceDim(flat_, 0, begin, at_), part.dims);
  }

 private:
  GraphBuilder& b_;
  OpId flat_;
  int64_t at_ = 0;
};

// Input, states, cell states, flat weights -> the last layer's states of all
// steps, and the final ones of each layer.
absl::Status CudnnRnn(OpContext& ctx) {
  const OpId input = ctx.Input(0), state = ctx.Input(1), flat = ctx.Input(3);
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const Layers layers, ReadLayers(ctx, b.shape(state)));
  TW_RETURN_IF_ERROR(Features(b.shape(input), 3).status());
  if (b.shape(flat).rank() != 1) return InvalidInput("weights are not flat");
  OpId x = layers.time_major ? b.Transpose(input, {1, 0, 2}) : input;
  Buffer buffer(b, flat);
  std::vector<OpId> finals;
  const int64_t width = layers.gates * layers.units;
  for (int64_t layer = 0; layer < layers.layers; ++layer) {
    std::vector<OpId> outputs;
    for (int64_t way = 0; way < layers.directions; ++way) {
      const int64_t features = b.shape(x).dims.back().factor;
      const OpId in = buffer.Take({features, width});
      const OpId hidden = buffer.Take({layers.units, width});
      const OpId bias = buffer.Take({width});
      if (in == kNoOp || hidden == kNoOp || bias == kNoOp) {
        return InvalidInput("the buffer of weights is too small");
      }
      const OpId states = RecurrentLayer(b, layers.cell, {x, in, hidden, bias, kNoOp}, way == 1);
      outputs.push_back(states);
      finals.push_back(Unsqueezed(b, FinalState(b, states, way == 1), {layers.time_major ? 0 : 1}));
    }
    x = outputs.size() == 1 ? outputs[0] : b.Concatenate(outputs, 2);
  }
  ctx.Set(0, layers.time_major ? b.Transpose(x, {1, 0, 2}) : x);
  const int64_t place = layers.time_major ? 0 : 1;
  const OpId final = finals.size() == 1 ? finals[0] : b.Concatenate(finals, place);
  ctx.Set(1, final);
  ctx.Set(2, final);
  return absl::OkStatus();
}

constexpr OpEntry kRecurrentOps[] = {
    {"BlockLSTM", BlockLstm},
    {"BlockLSTMGrad", BlockLstmGrad},
    {"BlockLSTMGradV2", BlockLstmGrad},
    {"BlockLSTMV2", BlockLstm},
    {"CudnnRNN", CudnnRnn},
    {"CudnnRNNV2", CudnnRnn},
    {"CudnnRNNV3", CudnnRnn},
    {"GRUBlockCell", GruBlockCell},
    {"LSTMBlockCell", LstmBlockCell},
};

}  // namespace

std::span<const OpEntry> RecurrentOps() { return kRecurrentOps; }

}  // namespace tilewise::tf
