// Tuples, calls, branches and loops. The body of a loop is written once, with
// the number of its iterations; of the branches of a conditional the one with
// the most work is taken.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/hlo/loop_trips.h"
#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "library/trip_count.h"

namespace tilewise::hlo {
namespace {

// Branches whose work differs by more make a note.
constexpr double kMuchLess = 0.5;
constexpr double kWorthANote = 1e4;

std::optional<int64_t> Iterations(Translation& t, const Site& site, const Value& state) {
  if (site.more().trip_count) return *site.more().trip_count;
  return DeriveIterations(t.module(), site.instruction, state, t.emit());
}

// `state` as the body finds it in any iteration.
Value Carried(GraphBuilder& e, const Value& state, const Computation& body) {
  const auto carry = [&](OpId op) { return Value(e.Barrier(op, {})); };
  if (!state.is_tuple()) return MapLeaves(state, carry);
  const std::vector<bool> unchanged = UnchangedElements(body);
  std::vector<Value> elements;
  elements.reserve(state.elements().size());
  for (size_t i = 0; i < state.elements().size(); ++i) {
    const Value& element = state.elements()[i];
    const bool same = i < unchanged.size() && unchanged[i];
    elements.push_back(same ? element : MapLeaves(element, carry));
  }
  return Value::Tuple(std::move(elements));
}

}  // namespace

Value TranslateTuple(Translation&, const Site& site) { return Value::Tuple(site.operands); }

Value TranslateGetTupleElement(Translation& t, const Site& site) {
  const size_t place = site.instruction.index;
  if (site.operands.empty() || place >= site.operands[0].elements().size()) {
    t.emit().Fail(fmt::format("found no element {} in its operand", site.instruction.index));
    return {};
  }
  return site.operands[0].elements()[place];
}

Value TranslateNothing(Translation&, const Site&) { return {}; }

Value TranslateBarrier(Translation& t, const Site& site) {
  const std::vector<OpId> all = site.arrays();
  const auto hold = [&](OpId op) {
    std::vector<OpId> operands = {op};
    for (const OpId other : all) {
      if (other != op) operands.push_back(other);
    }
    return Value(t.emit().Add(OpKind::kBarrier, std::move(operands)));
  };
  if (site.operands.size() == 1) {
    // Barriers over very many values would be as many squared operands.
    constexpr size_t kMaxHeld = 64;
    if (all.size() <= kMaxHeld) return MapLeaves(site.operands[0], hold);
    return MapLeaves(site.operands[0], [&](OpId op) { return Value(t.emit().Barrier(op, {})); });
  }
  std::vector<Value> results;
  results.reserve(site.operands.size());
  for (const Value& operand : site.operands) {
    results.push_back(MapLeaves(operand, hold));
  }
  return Value::Tuple(std::move(results));
}

Value TranslateCall(Translation& t, const Site& site) {
  const Computation* callee = t.Callee(site, 0);
  if (callee == nullptr) return {};
  return t.Inline(*callee, site.operands);
}

Value TranslateFusion(Translation& t, const Site& site) {
  const Computation* callee = t.Callee(site, 0);
  if (callee == nullptr) return {};
  return t.InlineFused(*callee, site.operands);
}

Value TranslateConditional(Translation& t, const Site& site) {
  const std::vector<int32_t>& branches = site.instruction.called;
  if (branches.empty() || site.operands.size() != branches.size() + 1) {
    t.emit().Fail(fmt::format("found {} operands of {} branches, expected {}", site.operands.size(),
                              branches.size(), branches.size() + 1));
    return {};
  }
  size_t most = 0;
  std::vector<double> work;
  work.reserve(branches.size());
  for (const int32_t branch : branches) {
    work.push_back(t.work().Of(t.module().computations[branch]));
    if (work.back() > work[most]) most = work.size() - 1;
  }
  const double least = *std::min_element(work.begin(), work.end());
  if (work[most] > kWorthANote && least < kMuchLess * work[most]) {
    t.Note("RD002", "cannot-resolve",
           fmt::format("the branches of {} differ in work; branch {} of {}, "
                       "which has the most, is taken",
                       site.instruction.name, most, branches.size()));
  }
  const Computation& taken = t.module().computations[branches[most]];
  return t.Inline(taken, {site.operands[most + 1]});
}

Value TranslateWhile(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  if (site.instruction.called.size() != 2 || site.operands.size() != 1) {
    e.Fail("found a while without condition, body or state");
    return {};
  }
  const Value& state = site.operands[0];
  const std::optional<int64_t> trips = Iterations(t, site, state);
  if (trips && *trips <= 0) return state;
  if (!trips) {
    t.Note("RD002", "cannot-resolve",
           fmt::format("how often {} runs does not follow from the module; "
                       "once is assumed",
                       site.instruction.name));
  }
  const EnclosingLoop outer = e.loop();
  e.SetLoop(LoopWithin(outer, t.NewLoop(), trips.value_or(1)));
  const Computation& body = *t.Callee(site, 1);
  Value result = t.Inline(body, {Carried(e, state, body)});
  e.SetLoop(outer);
  return result;
}

}  // namespace tilewise::hlo
