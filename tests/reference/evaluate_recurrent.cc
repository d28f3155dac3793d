// Recurrent cells, one example, step and unit at a time. z already holds
// x * W + b of every step; G is the number of gates, U of units.
//
//   simple:  h = tanh(z + h' R)
//   lstm, gates i f g o:  c = f c' + i g,  h = o tanh(c)
//   gru, gates u r g (reset before the product):
//            g = tanh(z_g + (r h') R_g),  h = u h' + (1 - u) g
//
// h' and c' are the state of the step before, zero at the start; h[t] is the
// state after step t also when time runs backwards.

#include <cmath>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

using Vector = std::vector<double>;

struct Step {
  int64_t time = 0;
  Vector before;       // h'
  Vector cell_before;  // c', lstm only
  Vector gates;        // after their functions, G * U
  Vector cell;         // c, lstm only
  Vector hidden;       // h
};

class Layer {
 public:
  Layer(const Op& op, const Tensor& z, const Tensor& r)
      : cell_(op.as<RecurrentAttrs>().cell),
        reverse_(op.as<RecurrentAttrs>().reverse_time),
        z_(z),
        r_(r),
        steps_(z.sizes[1]),
        units_(r.sizes[0]),
        width_(r.sizes[1]) {}

  // All steps of one example, in the order they are computed.
  std::vector<Step> Run(int64_t example) const {
    std::vector<Step> run;
    Vector hidden(units_, 0);
    Vector cell(units_, 0);
    for (int64_t i = 0; i < steps_; ++i) {
      Step step;
      step.time = reverse_ ? steps_ - 1 - i : i;
      step.before = hidden;
      step.cell_before = cell;
      Compute(example, step);
      hidden = step.hidden;
      cell = step.cell;
      run.push_back(step);
    }
    return run;
  }

  // The gradients of one step: from those of h and c after the step (`dh`,
  // `dc`) to those of z, and to those of h' and c' in their place.
  Vector Backward(const Step& step, Vector& dh, Vector& dc) const {
    Vector dz(width_, 0);
    Vector dbefore(units_, 0);
    for (int64_t u = 0; u < units_; ++u) {
      if (cell_ == CellKind::kSimpleRnn) {
        dz[u] = dh[u] * TanhSlope(step.gates[u]);
      } else if (cell_ == CellKind::kLstm) {
        LstmBackward(step, u, dh[u], dc[u], dz);
      } else {
        GruBackward(step, u, dh[u], dbefore[u], dz);
      }
    }
    if (cell_ == CellKind::kGru) {
      GruResetBackward(step, dz, dbefore);
    } else {
      for (int64_t u = 0; u < units_; ++u) {
        dbefore[u] += DotRow(u, dz, 0, width_);
      }
    }
    dh = dbefore;
    return dz;
  }

  int64_t units() const { return units_; }
  int64_t width() const { return width_; }

 private:
  static double TanhSlope(double y) { return 1 - y * y; }
  static double LogisticSlope(double y) { return y * (1 - y); }
  size_t Gate(int64_t gate, int64_t unit) const { return gate * units_ + unit; }

  // z + state * R in column `column`.
  double Sum(int64_t example, int64_t time, const Vector& state, int64_t column) const {
    double sum = z_[{example, time, column}];
    for (int64_t u = 0; u < units_; ++u) {
      sum += state[u] * r_[{u, column}];
    }
    return sum;
  }

  // Row `u` of R times d over the columns [begin, end).
  double DotRow(int64_t u, const Vector& d, int64_t begin, int64_t end) const {
    double sum = 0;
    for (int64_t j = begin; j < end; ++j) sum += r_[{u, j}] * d[j];
    return sum;
  }

  void Compute(int64_t example, Step& step) const {
    step.gates.assign(width_, 0);
    step.hidden.assign(units_, 0);
    step.cell.assign(units_, 0);
    const int64_t gates = width_ / units_;
    for (int64_t j = 0; j < width_; ++j) {
      const int64_t gate = j / units_;
      if (cell_ == CellKind::kGru && gate == 2) continue;
      const double sum = Sum(example, step.time, step.before, j);
      const bool is_tanh = gates == 1 || (gates == 4 && gate == 2);
      step.gates[j] = is_tanh ? std::tanh(sum) : Logistic(sum);
    }
    if (cell_ == CellKind::kGru) ComputeCandidate(example, step);
    for (int64_t u = 0; u < units_; ++u) ComputeHidden(u, step);
  }

  // g of a gru needs all of r first.
  void ComputeCandidate(int64_t example, Step& step) const {
    Vector reset(units_, 0);
    for (int64_t u = 0; u < units_; ++u) {
      reset[u] = step.gates[Gate(1, u)] * step.before[u];
    }
    for (int64_t j = 2 * units_; j < width_; ++j) {
      step.gates[j] = std::tanh(Sum(example, step.time, reset, j));
    }
  }

  void ComputeHidden(int64_t u, Step& step) const {
    const Vector& g = step.gates;
    double& hidden = step.hidden[u];
    if (cell_ == CellKind::kSimpleRnn) {
      hidden = g[u];
    } else if (cell_ == CellKind::kLstm) {
      double& cell = step.cell[u];
      cell = g[Gate(1, u)] * step.cell_before[u] + g[Gate(0, u)] * g[Gate(2, u)];
      hidden = g[Gate(3, u)] * std::tanh(cell);
    } else {
      hidden = g[Gate(0, u)] * step.before[u] + (1 - g[Gate(0, u)]) * g[Gate(2, u)];
    }
  }

  // Puts dc of the step before in the place of `dc`.
  void LstmBackward(const Step& step, int64_t u, double dh, double& dc, Vector& dz) const {
    const Vector& g = step.gates;
    const double i = g[Gate(0, u)];
    const double f = g[Gate(1, u)];
    const double candidate = g[Gate(2, u)];
    const double o = g[Gate(3, u)];
    const double squashed = std::tanh(step.cell[u]);
    const double dcell = dc + dh * o * TanhSlope(squashed);
    dz[Gate(0, u)] = dcell * candidate * LogisticSlope(i);
    dz[Gate(1, u)] = dcell * step.cell_before[u] * LogisticSlope(f);
    dz[Gate(2, u)] = dcell * i * TanhSlope(candidate);
    dz[Gate(3, u)] = dh * squashed * LogisticSlope(o);
    dc = dcell * f;
  }

  // dz of the gates u and g, and the direct part of dh'.
  void GruBackward(const Step& step, int64_t u, double dh, double& dbefore, Vector& dz) const {
    const double update = step.gates[Gate(0, u)];
    const double candidate = step.gates[Gate(2, u)];
    dz[Gate(0, u)] = dh * (step.before[u] - candidate) * LogisticSlope(update);
    dz[Gate(2, u)] = dh * (1 - update) * TanhSlope(candidate);
    dbefore = dh * update;
  }

  // dz of the gate r, which acts through g, then the rest of dh'.
  void GruResetBackward(const Step& step, Vector& dz, Vector& dbefore) const {
    for (int64_t u = 0; u < units_; ++u) {
      const double reset = step.gates[Gate(1, u)];
      const double dreset_state = DotRow(u, dz, 2 * units_, width_);
      dz[Gate(1, u)] = dreset_state * step.before[u] * LogisticSlope(reset);
      dbefore[u] += dreset_state * reset;
    }
    for (int64_t u = 0; u < units_; ++u) {
      dbefore[u] += DotRow(u, dz, 0, 2 * units_);
    }
  }

  CellKind cell_;
  bool reverse_;
  const Tensor& z_;
  const Tensor& r_;
  int64_t steps_;
  int64_t units_;
  int64_t width_;
};

}  // namespace

void EvaluateRecurrent(const Op& op, Operands in, Tensor& out) {
  const Layer layer(op, *in[0], *in[1]);
  for (int64_t example = 0; example < out.sizes[0]; ++example) {
    for (const Step& step : layer.Run(example)) {
      for (int64_t u = 0; u < layer.units(); ++u) {
        out[{example, step.time, u}] = step.hidden[u];
      }
    }
  }
}

void EvaluateRecurrentGrad(const Op& op, Operands in, Tensor& out) {
  const Layer layer(op, *in[0], *in[1]);
  const Tensor& dh_out = *in[3];
  const size_t units = layer.units();
  for (int64_t example = 0; example < out.sizes[0]; ++example) {
    const std::vector<Step> run = layer.Run(example);
    Vector dh(units, 0);
    Vector dc(units, 0);
    for (auto step = run.rbegin(); step != run.rend(); ++step) {
      for (int64_t u = 0; u < layer.units(); ++u) {
        dh[u] += dh_out[{example, step->time, u}];
      }
      const Vector dz = layer.Backward(*step, dh, dc);
      for (int64_t j = 0; j < layer.width(); ++j) {
        out[{example, step->time, j}] = dz[j];
      }
    }
  }
}

}  // namespace tilewise::reference
