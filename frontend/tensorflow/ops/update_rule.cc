// Formulas and operands as the documentation of TensorFlow's ops states them.

#include "frontend/tensorflow/ops/update_rule.h"

#include <span>

namespace tilewise::tf {
namespace {

using R = Role;

void GradientDescent(Update& u) { u.w = u.w - u.g * u.Number(R::kRate); }

void Momentum(Update& u) {
  Term& a = u.slot[0];
  const Term rate = u.Number(R::kRate), momentum = u.Number(R::kMomentum);
  a = a * momentum + u.g;
  u.w = u.nesterov ? u.w - (u.g * rate + a * momentum * rate) : u.w - a * rate;
}

void KerasMomentum(Update& u) {
  Term& a = u.slot[0];
  const Term momentum = u.Number(R::kMomentum);
  const Term step = u.g * u.Number(R::kRate);
  a = a * momentum - step;
  u.w = u.nesterov ? u.w + a * momentum - step : u.w + a;
}

// Kingma and Ba 2015, with the correction of the bias in the rate.
Term AdamRate(const Update& u) {
  return u.Number(R::kRate) * Sqrt(1.0 - u.Number(R::kBeta2Power)) /
         (1.0 - u.Number(R::kBeta1Power));
}

void AdamMoments(Update& u) {
  Term &m = u.slot[0], &v = u.slot[1];
  m = m + (u.g - m) * (1.0 - u.Number(R::kBeta1));
  v = v + (Square(u.g) - v) * (1.0 - u.Number(R::kBeta2));
}

void Adam(Update& u) {
  AdamMoments(u);
  const Term beta1 = u.Number(R::kBeta1);
  const Term direction = u.nesterov ? u.slot[0] * beta1 + u.g * (1.0 - beta1) : u.slot[0];
  u.w = u.w - direction * AdamRate(u) / (Sqrt(u.slot[1]) + u.Number(R::kEpsilon));
}

void AdamWithAmsgrad(Update& u) {
  AdamMoments(u);
  u.slot[2] = Max(u.slot[2], u.slot[1]);
  u.w = u.w - u.slot[0] * AdamRate(u) / (Sqrt(u.slot[2]) + u.Number(R::kEpsilon));
}

void AdaMax(Update& u) {
  Term &m = u.slot[0], &v = u.slot[1];
  m = m + (u.g - m) * (1.0 - u.Number(R::kBeta1));
  v = Max(v * u.Number(R::kBeta2), Abs(u.g));
  const Term rate = u.Number(R::kRate) / (1.0 - u.Number(R::kBeta1Power));
  u.w = u.w - m * rate / (v + u.Number(R::kEpsilon));
}

void Adagrad(Update& u) {
  u.slot[0] = u.slot[0] + Square(u.g);
  u.w = u.w - u.g * u.Number(R::kRate) * Rsqrt(u.slot[0]);
}

void AdagradV2(Update& u) {
  u.slot[0] = u.slot[0] + Square(u.g);
  u.w = u.w - u.g * u.Number(R::kRate) / (Sqrt(u.slot[0]) + u.Number(R::kEpsilon));
}

void Adadelta(Update& u) {
  Term &a = u.slot[0], &d = u.slot[1];
  const Term rho = u.Number(R::kRho), epsilon = u.Number(R::kEpsilon);
  a = a * rho + Square(u.g) * (1.0 - rho);
  const Term step = Sqrt(d + epsilon) * Rsqrt(a + epsilon) * u.g;
  d = d * rho + Square(step) * (1.0 - rho);
  u.w = u.w - step * u.Number(R::kRate);
}

void RmsProp(Update& u) {
  Term &ms = u.slot[0], &mom = u.slot[1];
  ms = ms + (Square(u.g) - ms) * (1.0 - u.Number(R::kRho));
  mom = mom * u.Number(R::kMomentum) + u.g * u.Number(R::kRate) * Rsqrt(ms + u.Number(R::kEpsilon));
  u.w = u.w - mom;
}

void CenteredRmsProp(Update& u) {
  Term &mg = u.slot[0], &ms = u.slot[1], &mom = u.slot[2];
  const Term rest = 1.0 - u.Number(R::kRho);
  ms = ms + (Square(u.g) - ms) * rest;
  mg = mg + (u.g - mg) * rest;
  mom = mom * u.Number(R::kMomentum) +
        u.g * u.Number(R::kRate) * Rsqrt(ms - Square(mg) + u.Number(R::kEpsilon));
  u.w = u.w - mom;
}

// McMahan et al. 2013.
void Ftrl(Update& u) {
  Term &a = u.slot[0], &linear = u.slot[1];
  const Term rate = u.Number(R::kRate);
  const Term power = -u.Number(R::kRatePower);
  const Term next = a + Square(u.g);
  const Term root = Power(next, power);
  Term g = u.g;
  if (u.Number(R::kShrinkage).id != kNoOp) {
    g = g + u.w * u.Number(R::kShrinkage) * 2;
  }
  linear = linear + g - u.w * (root - Power(a, power)) / rate;
  const Term quadratic = root / rate + u.Number(R::kL2) * 2;
  const Term l1 = u.Number(R::kL1);
  const Term shrunk = (Sign(linear) * l1 - linear) / quadratic;
  u.w = Where(Compared(Comparison::kGt, Abs(linear), l1), shrunk, u.w.Like(0));
  a = next;
}

// sign(x) max(|x| - rate l1, 0) / (1 + rate l2).
Term Proximal(const Update& u, Term x, Term rate) {
  return Sign(x) * Max(Abs(x) - rate * u.Number(R::kL1), 0) / (1.0 + rate * u.Number(R::kL2));
}

void ProximalGradientDescent(Update& u) {
  const Term rate = u.Number(R::kRate);
  u.w = Proximal(u, u.w - u.g * rate, rate);
}

void ProximalAdagrad(Update& u) {
  u.slot[0] = u.slot[0] + Square(u.g);
  const Term rate = u.Number(R::kRate) * Rsqrt(u.slot[0]);
  u.w = Proximal(u, u.w - u.g * rate, rate);
}

// Duchi et al. 2011: the sums of gradients and of their squares.
void AdagradDa(Update& u) {
  Term &sum = u.slot[0], &squares = u.slot[1];
  const Term rate = u.Number(R::kRate), step = u.Number(R::kStep);
  sum = sum + u.g;
  squares = squares + Square(u.g);
  const Term kept = Max(Abs(sum) - step * u.Number(R::kL1), 0) * Sign(sum);
  u.w = -(kept * rate) / (Sqrt(squares) + step * rate * u.Number(R::kL2));
}

// Bello et al. 2017: the step grows where gradient and mean agree in sign.
void AddSign(Update& u) {
  Term& m = u.slot[0];
  const Term beta = u.Number(R::kBeta1);
  m = m * beta + u.g * (1.0 - beta);
  const Term agree = Sign(u.g) * Sign(m) * u.Number(R::kDecay);
  u.w = u.w - u.g * u.Number(R::kRate) * (agree + u.Number(R::kBase));
}

void PowerSign(Update& u) {
  Term& m = u.slot[0];
  const Term beta = u.Number(R::kBeta1);
  m = m * beta + u.g * (1.0 - beta);
  const Term agree = Sign(u.g) * Sign(m) * u.Number(R::kDecay);
  u.w = u.w - u.g * u.Number(R::kRate) * Exp(agree * u.Number(R::kBase));
}

constexpr Role kG = R::kGradient, kLr = R::kRate, kEps = R::kEpsilon;

constexpr UpdateRule kDense[] = {
    {"AdaMax", 2, AdaMax, {R::kBeta1Power, kLr, R::kBeta1, R::kBeta2, kEps, kG}},
    {"Adadelta", 2, Adadelta, {kLr, R::kRho, kEps, kG}},
    {"Adagrad", 1, Adagrad, {kLr, kG}},
    {"AdagradDA", 2, AdagradDa, {kG, kLr, R::kL1, R::kL2, R::kStep}},
    {"AdagradV2", 1, AdagradV2, {kLr, kEps, kG}},
    {"Adam", 2, Adam, {R::kBeta1Power, R::kBeta2Power, kLr, R::kBeta1, R::kBeta2, kEps, kG}},
    {"AdamWithAmsgrad",
     3,
     AdamWithAmsgrad,
     {R::kBeta1Power, R::kBeta2Power, kLr, R::kBeta1, R::kBeta2, kEps, kG}},
    {"AddSign", 1, AddSign, {kLr, R::kBase, R::kDecay, R::kBeta1, kG}},
    {"CenteredRMSProp", 3, CenteredRmsProp, {kLr, R::kRho, R::kMomentum, kEps, kG}},
    {"Ftrl", 2, Ftrl, {kG, kLr, R::kL1, R::kL2, R::kRatePower}},
    {"FtrlV2", 2, Ftrl, {kG, kLr, R::kL1, R::kL2, R::kShrinkage, R::kRatePower}},
    {"GradientDescent", 0, GradientDescent, {kLr, kG}},
    {"KerasMomentum", 1, KerasMomentum, {kLr, kG, R::kMomentum}},
    {"Momentum", 1, Momentum, {kLr, kG, R::kMomentum}},
    {"PowerSign", 1, PowerSign, {kLr, R::kBase, R::kDecay, R::kBeta1, kG}},
    {"ProximalAdagrad", 1, ProximalAdagrad, {kLr, R::kL1, R::kL2, kG}},
    {"ProximalGradientDescent", 0, ProximalGradientDescent, {kLr, R::kL1, R::kL2, kG}},
    {"RMSProp", 2, RmsProp, {kLr, R::kRho, R::kMomentum, kEps, kG}},
};

constexpr UpdateRule kSparse[] = {
    {"Adadelta", 2, Adadelta, {kLr, R::kRho, kEps, kG, R::kIndices}},
    {"Adagrad", 1, Adagrad, {kLr, kG, R::kIndices}},
    {"AdagradDA", 2, AdagradDa, {kG, R::kIndices, kLr, R::kL1, R::kL2, R::kStep}},
    {"AdagradV2", 1, AdagradV2, {kLr, kEps, kG, R::kIndices}},
    {"CenteredRMSProp", 3, CenteredRmsProp, {kLr, R::kRho, R::kMomentum, kEps, kG, R::kIndices}},
    {"Ftrl", 2, Ftrl, {kG, R::kIndices, kLr, R::kL1, R::kL2, R::kRatePower}},
    {"FtrlV2", 2, Ftrl, {kG, R::kIndices, kLr, R::kL1, R::kL2, R::kShrinkage, R::kRatePower}},
    {"KerasMomentum", 1, KerasMomentum, {kLr, kG, R::kIndices, R::kMomentum}},
    {"Momentum", 1, Momentum, {kLr, kG, R::kIndices, R::kMomentum}},
    {"ProximalAdagrad", 1, ProximalAdagrad, {kLr, R::kL1, R::kL2, kG, R::kIndices}},
    {"ProximalGradientDescent", 0, ProximalGradientDescent, {kLr, R::kL1, R::kL2, kG, R::kIndices}},
    {"RMSProp", 2, RmsProp, {kLr, R::kRho, R::kMomentum, kEps, kG, R::kIndices}},
};

}  // namespace

const UpdateRule* FindUpdateRule(std::string_view op) {
  const bool sparse = op.find("Sparse") != std::string_view::npos;
  const std::string_view name = op.substr(op.find("Apply") + 5);
  for (const UpdateRule& rule :
       sparse ? std::span<const UpdateRule>(kSparse) : std::span<const UpdateRule>(kDense)) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace tilewise::tf
