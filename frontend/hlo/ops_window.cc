// Windows over all dims of an array, as the graph has them over the spatial
// dims of [batch, spatial.., feature]: dims that the window leaves alone are
// the batch and the feature. A window that takes all that came before is a
// running sum.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/reducer.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

bool IsTrivial(const HloWindowDim& w) {
  return w.size == 1 && w.stride == 1 && w.pad_low == 0 && w.pad_high == 0 && w.base_dilation == 1;
}

WindowDim GraphWindow(const HloWindowDim& w) {
  return {w.size, w.stride, w.pad_low, w.pad_high, w.window_dilation, w.base_dilation};
}

// How an array becomes [batch, spatial.., feature] or, channels_first,
// [batch, feature, spatial..].
struct Arrangement {
  std::vector<int64_t> order;  // a transpose, before sizes of 1 are added
  bool add_first = false;      // a batch of 1
  bool add_last = false;       // one feature
  bool channels_first = false;
  std::vector<WindowDim> window;
};

Arrangement Arrange(const std::vector<HloWindowDim>& window) {
  Arrangement a;
  std::vector<int64_t> trivial;
  std::vector<int64_t> spatial;
  for (size_t i = 0; i < window.size(); ++i) {
    (IsTrivial(window[i]) ? trivial : spatial).push_back(static_cast<int64_t>(i));
  }
  const auto last = static_cast<int64_t>(window.size()) - 1;
  const auto leaves_alone = [&](int64_t dim) {
    return std::find(trivial.begin(), trivial.end(), dim) != trivial.end();
  };
  for (int64_t i = 0; i <= last; ++i) a.order.push_back(i);
  int64_t first_window = 1;
  int64_t last_window = last - 1;
  if (trivial.size() >= 2 && leaves_alone(0) && leaves_alone(last)) {
    // The order stays as it is.
  } else if (trivial.size() >= 2 && leaves_alone(0) && leaves_alone(1)) {
    a.channels_first = true;
    first_window = 2;
    last_window = last;
  } else if (trivial.size() >= 2) {
    a.order = {trivial.front()};
    for (int64_t i = 0; i <= last; ++i) {
      if (i != trivial.front() && i != trivial.back()) a.order.push_back(i);
    }
    a.order.push_back(trivial.back());
  } else {
    a.add_first = trivial.empty() || trivial[0] != 0;
    a.add_last = trivial.empty() || trivial[0] != last || last == 0;
    first_window = a.add_first ? 0 : 1;
    last_window = a.add_last ? last : last - 1;
  }
  for (int64_t i = first_window; i <= last_window; ++i) {
    a.window.push_back(GraphWindow(window[a.order[i]]));
  }
  return a;
}

OpId ToWindowed(GraphBuilder& e, const Arrangement& a, OpId x) {
  x = e.Transpose(x, a.order);
  if (x == kNoOp || (!a.add_first && !a.add_last)) return x;
  std::vector<Dim> dims = e.shape(x).dims;
  if (a.add_first) dims.insert(dims.begin(), Dim{});
  if (a.add_last) dims.emplace_back();
  return e.Reshape(x, std::move(dims));
}

OpId FromWindowed(GraphBuilder& e, const Arrangement& a, OpId x) {
  if (x == kNoOp) return x;
  std::vector<Dim> dims = e.shape(x).dims;
  if (a.add_first) dims.erase(dims.begin());
  if (a.add_last) dims.pop_back();
  x = e.Reshape(x, std::move(dims));
  std::vector<int64_t> back(a.order.size());
  for (size_t i = 0; i < back.size(); ++i) {
    back[a.order[i]] = static_cast<int64_t>(i);
  }
  return e.Transpose(x, std::move(back));
}

struct Running {
  int64_t dim = 0;
  bool reverse = false;
};

// The only window dim reaches from the place back to the start (or on to the
// end) of `shape`.
std::optional<Running> RunsAlong(const std::vector<HloWindowDim>& window, const Shape& shape) {
  std::optional<Running> found;
  for (size_t i = 0; i < window.size(); ++i) {
    const HloWindowDim& w = window[i];
    if (IsTrivial(w)) continue;
    const Dim size = shape.dims[i];
    const int64_t before = w.size - 1;
    const bool forward = w.pad_low == before && w.pad_high == 0;
    const bool backward = w.pad_high == before && w.pad_low == 0;
    if (found || size.per_batch || w.size < size.factor || w.stride != 1 || w.base_dilation != 1 ||
        w.window_dilation != 1 || !(forward || backward)) {
      return std::nullopt;
    }
    found = Running{static_cast<int64_t>(i), !forward};
  }
  return found;
}

OpId WindowOne(Translation& t, const Site& site, Reducer reducer, OpId x) {
  GraphBuilder& e = t.emit();
  const std::vector<HloWindowDim>& window = site.more().window;
  if (x == kNoOp || e.shape(x).dims.size() != window.size()) {
    e.Fail(fmt::format("found a window of {} dims, expected {}", window.size(), e.shape(x).rank()));
    return kNoOp;
  }
  if (std::all_of(window.begin(), window.end(), IsTrivial)) return x;
  if (const std::optional<Running> run = RunsAlong(window, e.shape(x))) {
    return e.Add(OpKind::kCumulative, {x}, CumulativeAttrs{{run->dim}, run->reverse, reducer});
  }
  const Arrangement a = Arrange(window);
  const OpId made = e.Add(OpKind::kReduceWindow, {ToWindowed(e, a, x)},
                          PoolAttrs{{a.window, a.channels_first}, reducer});
  return FromWindowed(e, a, made);
}

OpId JoinStart(GraphBuilder& e, Reducer reducer, OpId x, OpId start) {
  if (x == kNoOp || start == kNoOp) return x;
  const std::optional<double> value = ConstantValue(e, start);
  if (!value || IsIdentity(reducer, e.shape(x).dtype, *value)) return x;
  const OpKind kind = reducer == Reducer::kMax       ? OpKind::kMaximum
                      : reducer == Reducer::kMin     ? OpKind::kMinimum
                      : reducer == Reducer::kProduct ? OpKind::kMultiply
                                                     : OpKind::kAdd;
  return BinaryOf(e, kind, x, e.Convert(start, e.shape(x).dtype));
}

}  // namespace

Value TranslateReduceWindow(Translation& t, const Site& site) {
  const Computation* callee = t.Callee(site, 0);
  if (callee == nullptr) return {};
  const size_t count = site.operands.size() / 2;
  std::vector<Value> results;
  results.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const Reducer reducer = JoinOf(t.module(), *callee, i, count);
    const OpId made = WindowOne(t, site, reducer, site.operand(i));
    results.emplace_back(JoinStart(t.emit(), reducer, made, site.operand(count + i)));
  }
  if (site.shape.kind == HloShape::Kind::kArray && results.size() == 1) {
    return results[0];
  }
  return Value::Tuple(std::move(results));
}

Value TranslateSelectAndScatter(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const std::vector<HloWindowDim>& window = site.more().window;
  const OpId x = site.operand(0);
  const OpId dy = site.operand(1);
  if (x == kNoOp || dy == kNoOp || e.shape(x).dims.size() != window.size() ||
      std::all_of(window.begin(), window.end(), IsTrivial)) {
    e.Fail(fmt::format("found a window of {} dims, expected those of {}", window.size(),
                       FormatShape(e.shape(x))));
    return {};
  }
  const Arrangement a = Arrange(window);
  const OpId made = e.Add(OpKind::kSelectAndScatter,
                          {ToWindowed(e, a, x), ToWindowed(e, a, e.Convert(dy, e.shape(x).dtype))},
                          PoolAttrs{{a.window, a.channels_first}, Reducer::kMax});
  return FromWindowed(e, a, made);
}

}  // namespace tilewise::hlo
