// Update rules as Keras states them (LARS: You et al. 2017, LAMB: You et al.
// 2019, Adafactor: Shazeer and Stern 2018, Lion: Chen et al. 2023), with the defaults of their
// hyperparameters. Adafactor's mean of the squared gradients of a matrix is the
// product of means over its rows and over its columns, which alone are kept;
// with momentum it is the form that big_vision trains with, in bf16.

#include "graph/optimizer.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace tilewise {
namespace {

constexpr double kMomentum = 0.9;
constexpr double kRmsDecay = 0.9;
constexpr double kEpsilon = 1e-7;
constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kAdamWDecay = 0.004;
constexpr double kLionDecay = 0.99;
constexpr double kAdadeltaDecay = 0.95;
constexpr double kLarsDecay = 1e-4;
constexpr double kLarsTrust = 1e-3;
constexpr double kLambDecay = 0.01;
constexpr double kLambEpsilon = 1e-6;
constexpr double kFactoredDecay = 0.999;
constexpr double kFactoredEpsilon = 1e-30;
constexpr double kLeastScale = 1e-3;  // of a variable, for its step
constexpr double kClip = 1;           // root mean square of a step

double DefaultLearningRate(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::kSgd:
    case OptimizerKind::kMomentum:
    case OptimizerKind::kLars:
      return 0.01;
    default:
      return 0.001;
  }
}

// The update of one variable. w and g are f32.
class Update {
 public:
  Update(GraphBuilder& builder, const TrainingSpec& spec, OpId variable, OpId gradient)
      : b_(builder),
        variable_(variable),
        name_(builder.op(variable).name),
        slot_type_(builder.shape(variable).dtype),
        momentum_type_(spec.momentum_type.value_or(slot_type_)),
        rate_(spec.learning_rate.value_or(DefaultLearningRate(spec.optimizer))),
        w_(builder.Convert(variable, DType::kF32)),
        g_(builder.Convert(gradient, DType::kF32)) {}

  void Apply(OptimizerKind kind) {
    const OpId step = Step(kind);
    const OpId updated = b_.Binary(OpKind::kSubtract, w_, step);
    b_.AddOutput(b_.Convert(updated, b_.shape(variable_).dtype), Output::Role::kState, variable_);
  }

 private:
  // What is subtracted from the variable.
  OpId Step(OptimizerKind kind) {
    switch (kind) {
      case OptimizerKind::kSgd:
        return Times(g_, rate_);
      case OptimizerKind::kMomentum:
        return Accumulate("momentum", kMomentum, Times(g_, rate_), momentum_type_);
      case OptimizerKind::kRmsProp:
        return RmsStep();
      case OptimizerKind::kRmsPropMomentum:
        return Accumulate("momentum", kMomentum, RmsStep(), momentum_type_);
      case OptimizerKind::kAdam:
        return Times(AdamDirection(kEpsilon), rate_);
      case OptimizerKind::kAdamW:
        return Times(Decayed(AdamDirection(kEpsilon), kAdamWDecay), rate_);
      case OptimizerKind::kLars:
        return LarsStep();
      case OptimizerKind::kLamb:
        return LambStep();
      case OptimizerKind::kLion:
        return LionStep();
      case OptimizerKind::kAdagrad:
        return AdagradStep();
      case OptimizerKind::kAdadelta:
        return AdadeltaStep();
      case OptimizerKind::kAdamax:
        return AdamaxStep();
      case OptimizerKind::kAdafactor:
        return AdafactorStep();
      case OptimizerKind::kAdafactorMomentum:
        break;
    }
    return Accumulate("momentum", kMomentum, AdafactorStep(), DType::kBF16);
  }

  OpId Times(OpId x, double y) { return b_.BinaryScalar(OpKind::kMultiply, x, y); }
  OpId Sum(OpId x, OpId y) { return b_.Binary(OpKind::kAdd, x, y); }
  OpId Decayed(OpId x, double decay) { return Sum(x, Times(w_, decay)); }

  // A new slot, of the dims of x.
  OpId Slot(std::string_view slot, OpId x, DType type) {
    b_.SetScope(name_);
    const OpId old = b_.Variable(b_.shape(x).WithType(type), slot, false);
    b_.SetScope("update/" + name_);
    return old;
  }
  // What the slot holds after the step: `next`, rounded to its type.
  OpId Store(OpId slot, OpId next) {
    const OpId stored = b_.Convert(next, b_.shape(slot).dtype);
    b_.AddOutput(stored, Output::Role::kState, slot);
    return Wide(stored);
  }
  // A new slot s, of the dims of x, whose next value decay * s + x is returned.
  OpId Accumulate(std::string_view slot, double decay, OpId x, DType type) {
    const OpId old = Slot(slot, x, type);
    return Store(old, Sum(Times(Wide(old), decay), x));
  }
  OpId Wide(OpId x) { return b_.Convert(x, DType::kF32); }

  // A running mean of x.
  OpId Mean(std::string_view slot, double decay, OpId x, DType type) {
    return Accumulate(slot, decay, Times(x, 1 - decay), type);
  }
  OpId Squared(OpId x) { return b_.Binary(OpKind::kMultiply, x, x); }

  // rate * g / sqrt(mean square + epsilon).
  OpId RmsStep() {
    const OpId square = Mean("rms", kRmsDecay, Squared(g_), slot_type_);
    const OpId scale = b_.Unary(OpKind::kRsqrt, b_.BinaryScalar(OpKind::kAdd, square, kEpsilon));
    return Times(b_.Binary(OpKind::kMultiply, g_, scale), rate_);
  }

  // mean(g) / (sqrt(mean(g^2)) + epsilon).
  OpId AdamDirection(double epsilon) {
    const OpId mean = Mean("m", kBeta1, g_, momentum_type_);
    const OpId square = Mean("v", kBeta2, Squared(g_), slot_type_);
    const OpId deviation = b_.BinaryScalar(OpKind::kAdd, b_.Unary(OpKind::kSqrt, square), epsilon);
    return b_.Binary(OpKind::kDivide, mean, deviation);
  }

  OpId Root(OpId x, double epsilon) {
    return b_.Unary(OpKind::kSqrt, b_.BinaryScalar(OpKind::kAdd, x, epsilon));
  }

  // rate * sign(mean(g), towards g) and the decay of weights.
  OpId LionStep() {
    const OpId slot = Slot("m", g_, momentum_type_);
    const OpId old = Wide(slot);
    const OpId direction = b_.Unary(OpKind::kSign, Sum(Times(old, kBeta1), Times(g_, 1 - kBeta1)));
    Store(slot, Sum(Times(old, kLionDecay), Times(g_, 1 - kLionDecay)));
    return Times(direction, rate_);
  }

  // rate * g / sqrt(sum of the squares so far + epsilon).
  OpId AdagradStep() {
    const OpId sum = Accumulate("accumulator", 1, Squared(g_), slot_type_);
    return Times(b_.Binary(OpKind::kDivide, g_, Root(sum, kEpsilon)), rate_);
  }

  // g scaled by the root mean squares of earlier steps over that of gradients.
  OpId AdadeltaStep() {
    const OpId squares = Mean("accumulated_grads", kAdadeltaDecay, Squared(g_), slot_type_);
    const OpId slot = Slot("accumulated_updates", g_, slot_type_);
    const OpId old = Wide(slot);
    const OpId scale = b_.Binary(OpKind::kDivide, Root(old, kEpsilon), Root(squares, kEpsilon));
    const OpId step = b_.Binary(OpKind::kMultiply, g_, scale);
    Store(slot, Sum(Times(old, kAdadeltaDecay), Times(Squared(step), 1 - kAdadeltaDecay)));
    return Times(step, rate_);
  }

  // mean(g) over the largest of the gradients, which decays.
  OpId AdamaxStep() {
    const OpId mean = Mean("m", kBeta1, g_, momentum_type_);
    const OpId slot = Slot("u", g_, slot_type_);
    const OpId largest =
        b_.Binary(OpKind::kMaximum, Times(Wide(slot), kBeta2), b_.Unary(OpKind::kAbs, g_));
    Store(slot, largest);
    const OpId scale = b_.BinaryScalar(OpKind::kAdd, largest, kEpsilon);
    return Times(b_.Binary(OpKind::kDivide, mean, scale), rate_);
  }

  OpId Norm(OpId x) {
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < b_.shape(x).rank(); ++i) dims.push_back(i);
    return b_.Unary(OpKind::kSqrt, b_.Reduce(Reducer::kSum, Squared(x), std::move(dims)));
  }

  // `ratio` where both norms are positive, else 1; over the whole variable.
  OpId TrustRatio(OpId norm, OpId other_norm, OpId ratio) {
    const OpId zero = b_.Scalar(0, DType::kF32);
    const OpId defined = b_.Binary(OpKind::kAnd, b_.Compare(Comparison::kGt, norm, zero),
                                   b_.Compare(Comparison::kGt, other_norm, zero));
    const OpId trust = b_.Select(defined, ratio, b_.Scalar(1, DType::kF32));
    return b_.BroadcastTo(trust, b_.shape(w_).dims);
  }

  OpId LarsStep() {
    const OpId w_norm = Norm(w_);
    const OpId g_norm = Norm(g_);
    const OpId scale =
        b_.BinaryScalar(OpKind::kAdd, Sum(g_norm, Times(w_norm, kLarsDecay)), kEpsilon);
    const OpId ratio = b_.Binary(OpKind::kDivide, Times(w_norm, kLarsTrust), scale);
    const OpId trust = TrustRatio(w_norm, g_norm, ratio);
    const OpId step = b_.Binary(OpKind::kMultiply, Decayed(g_, kLarsDecay), Times(trust, rate_));
    return Accumulate("momentum", kMomentum, step, momentum_type_);
  }

  OpId LambStep() {
    const OpId direction = Decayed(AdamDirection(kLambEpsilon), kLambDecay);
    const OpId w_norm = Norm(w_);
    const OpId norm = Norm(direction);
    const OpId trust = TrustRatio(w_norm, norm, b_.Binary(OpKind::kDivide, w_norm, norm));
    return b_.Binary(OpKind::kMultiply, direction, Times(trust, rate_));
  }

  int64_t rank() const { return b_.shape(w_).rank(); }

  OpId MeanOver(OpId x, std::vector<int64_t> dims) {
    double count = 1;
    for (const int64_t dim : dims) {
      count *= static_cast<double>(b_.shape(x).size(dim));
    }
    return Times(b_.Reduce(Reducer::kSum, x, std::move(dims)), 1 / count);
  }

  // Stretches a value without dim `missing` to the dims of the variable.
  OpId Stretch(OpId x, int64_t missing) {
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < rank(); ++i) {
      if (i != missing) dims.push_back(i);
    }
    return b_.Broadcast(x, b_.shape(w_).dims, std::move(dims));
  }

  // 1 / sqrt(mean(g^2)), the mean over rows and columns of the last two dims:
  // rows x columns / mean(rows).
  OpId FactoredScale() {
    const OpId square = b_.BinaryScalar(OpKind::kAdd, Squared(g_), kFactoredEpsilon);
    if (rank() < 2) {
      return b_.Unary(OpKind::kRsqrt, Mean("v", kFactoredDecay, square, DType::kF32));
    }
    const int64_t last = rank() - 1;
    const OpId rows = Mean("rows", kFactoredDecay, MeanOver(square, {last}), DType::kF32);
    const OpId columns = Mean("columns", kFactoredDecay, MeanOver(square, {last - 1}), DType::kF32);
    const OpId mean = MeanOver(rows, {last - 1});
    std::vector<int64_t> outer;
    outer.reserve(last - 1);
    for (int64_t i = 0; i < last - 1; ++i) outer.push_back(i);
    const OpId relative =
        b_.Binary(OpKind::kDivide, rows, b_.Broadcast(mean, b_.shape(rows).dims, std::move(outer)));
    return b_.Binary(OpKind::kMultiply, Stretch(b_.Unary(OpKind::kRsqrt, relative), last),
                     Stretch(b_.Unary(OpKind::kRsqrt, columns), last - 1));
  }

  OpId RootMeanSquare(OpId x) {
    const auto count = static_cast<double>(b_.shape(x).elements());
    return Times(Norm(x), 1 / std::sqrt(count));
  }

  // The scaled gradient, clipped, times the variable's own scale.
  OpId AdafactorStep() {
    const OpId step = b_.Binary(OpKind::kMultiply, g_, FactoredScale());
    const OpId one = b_.Scalar(1, DType::kF32);
    const OpId excess = b_.Binary(OpKind::kMaximum, Times(RootMeanSquare(step), 1 / kClip), one);
    const OpId scale =
        b_.Binary(OpKind::kMaximum, RootMeanSquare(w_), b_.Scalar(kLeastScale, DType::kF32));
    const OpId rate = Times(b_.Binary(OpKind::kDivide, scale, excess), rate_);
    return b_.Binary(OpKind::kMultiply, step, b_.BroadcastTo(rate, b_.shape(w_).dims));
  }

  GraphBuilder& b_;
  OpId variable_;
  std::string name_;
  // Slots have the type of the variable, as optax, PyTorch and Keras make them,
  // but for the factored ones of Adafactor.
  DType slot_type_, momentum_type_;
  double rate_;
  OpId w_;
  OpId g_;
};

}  // namespace

void AddOptimizerUpdate(GraphBuilder& builder, const TrainingSpec& spec, OpId variable,
                        OpId gradient) {
  builder.SetPhase(Phase::kUpdate);
  builder.SetOrigin(builder.op(variable).origin);
  builder.SetLocation(Location(builder.op(variable).location));
  builder.SetScope("update/" + builder.op(variable).name);
  Update(builder, spec, variable, gradient).Apply(spec.optimizer);
}

}  // namespace tilewise
