// Switching between the stacks of generators. C++ exceptions never cross from
// one stack to another: they are caught, carried over and thrown again.

#include "python/generator.h"

namespace tilewise::py {
namespace {

constexpr size_t kStackBytes = size_t{1} << 20;
constexpr int64_t kTouchedBytes = int64_t{12} << 10;
constexpr size_t kGeneratorReserve = size_t{96} << 10;

}  // namespace

Generator::Generator(Interpreter& in, const Function* function, Environment* names,
                     const Node* made)
    : in_(in), function_(function), names_(names), made_(made), frame_(in.frame()) {
  frame_.names = names;
  if (names != nullptr) names->Hold();
  frame_.returned = Value();
  frame_.tries = 0;
  frame_.trying = nullptr;
  frame_.maybe_returned.clear();
  if (function != nullptr) {
    frame_.module = function->module;
    frame_.owner = function->owner;
    frame_.function = function;
    frame_.body = nullptr;
  }
  in.generators_.push_back(this);
}
Generator::~Generator() = default;

void Generator::Body() {
  try {
    if (made_ != nullptr) {
      in_.Comprehend(
          made_, 0, [this] { Yield(in_, in_.Eval(made_->a)); }, holds);
    } else {
      in_.Exec(function_->node->a);
      returned = frame_.returned.set() ? frame_.returned : None();
    }
  } catch (const Raised& raised) {
    raised_ = raised.exception;
  } catch (const Stopped& stopped) {
    stopped_ = stopped;
  } catch (const Abandoned&) {
    abandon_ = false;
  }
  state_ = State::kEnded;
}

void Generator::Switch(Interpreter& in) {
  // Each has a stack of its own: how many run within each other is counted.
  constexpr int kMaxNested = 500;
  if (in.nested_ >= kMaxNested && !abandon_)
    in.Raise("RecursionError", "calls are nested too deep");
  // What only ends is no work of the program, which may have none left.
  if (!abandon_) in.Step(1 + static_cast<int64_t>(frames_.size() / 16));
  if (fiber_ == nullptr) {
    // This charges the pages of its stack that any generator touches.
    in.Spend(kTouchedBytes);
    fiber_ = std::make_unique<Fiber>(kStackBytes, [this] { Body(); });
  }
  Generator* const outer = in.running_;
  char* const limit = in.stack_limit_;
  in.running_ = this;
  in.stack_limit_ = fiber_->stack().base() + kGeneratorReserve;
  const size_t depth = in.frames_.size();
  // What it runs on a condition that is not known counts while it runs.
  const int undecided = in.undecided_;
  in.undecided_ += undecided_;
  in.frames_.push_back(&frame_);
  in.frames_.insert(in.frames_.end(), frames_.begin(), frames_.end());
  state_ = State::kRunning;
  ++in.nested_;
  fiber_->Enter();
  --in.nested_;
  frames_.assign(in.frames_.begin() + static_cast<std::ptrdiff_t>(depth) + 1, in.frames_.end());
  in.frames_.resize(depth);
  in.running_ = outer;
  in.stack_limit_ = limit;
  undecided_ = in.undecided_ - undecided;
  in.undecided_ = undecided;
  if (state_ == State::kEnded) fiber_.reset();
}

Value Generator::Resume(Interpreter& in, Value sent) {
  if (state_ == State::kEnded) {
    if (to_raise_.has_value()) throw Raised{*std::exchange(to_raise_, std::nullopt)};
    return {};
  }
  if (state_ == State::kRunning) in.Raise("ValueError", "generator already executing");
  sent_ = sent;
  yielded_ = Value();
  Switch(in);
  if (stopped_.has_value()) throw Stopped{*std::exchange(stopped_, std::nullopt)};
  if (raised_.has_value()) throw Raised{*std::exchange(raised_, std::nullopt)};
  return state_ == State::kEnded ? Value() : yielded_;
}

Value Generator::Throw(Interpreter& in, Value exception) {
  to_raise_ = exception;
  if (state_ == State::kNew) state_ = State::kEnded;
  return Resume(in, None());
}

void Generator::Close(Interpreter& in) {
  if (!waits()) return;
  std::optional<Value> raised;
  try {
    Throw(in, in.Call(in.ExceptionType("GeneratorExit"), std::vector<Value>{}));
  } catch (const Raised& exception) {
    raised = exception.exception;
  }
  if (raised.has_value() && !in.IsInstance(*raised, in.ExceptionType("GeneratorExit"))) {
    throw Raised{*raised};
  }
}

Value Generator::Yield(Interpreter& in, const Value& value) {
  // A `finally` that yields has nobody left to yield to.
  if (abandon_) throw Abandoned{};
  yielded_ = value;
  state_ = State::kWaiting;
  const int64_t progress = in.progress_;
  fiber_->Leave();
  // What is trained on the items of a loop that yields them is no round of that loop.
  frame_.elsewhere += in.progress_ - progress;
  if (abandon_) throw Abandoned{};
  if (to_raise_.has_value()) throw Raised{*std::exchange(to_raise_, std::nullopt)};
  return sent_;
}

void Generator::Abandon(Interpreter& in) {
  if (state_ != State::kWaiting) return;
  abandon_ = true;
  Switch(in);
}

Value Interpreter::EvalYield(const Node* node) {
  if (node->kind == NodeKind::kYield) {
    const Value value = node->a == nullptr ? None() : Eval(node->a);
    return running_ == nullptr ? None() : running_->Yield(*this, value);
  }
  const Value source = Eval(node->a);
  if (running_ == nullptr) return None();
  Iterator* items = Iterate(source);
  Value sent = None();
  for (;;) {
    const Value item = sent.none() ? items->Next(*this) : items->Send(*this, sent);
    running_->Opened(frames_.back(), items->open());
    if (!item.set()) break;
    sent = running_->Yield(*this, item);
  }
  return items->returned.set() ? items->returned : None();
}

}  // namespace tilewise::py
