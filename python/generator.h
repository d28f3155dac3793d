// Generators: code that runs on a stack of its own and stops at each yield.

#pragma once

#include <functional>
#include <optional>

#include "python/fiber.h"
#include "python/interpreter.h"

namespace tilewise::py {

class Generator : public Iterator {
 public:
  Generator(Interpreter& in, const Function* function, Environment* names, const Node* made);
  ~Generator() override;
  Value Next(Interpreter& in) override { return Resume(in, None()); }
  Value Send(Interpreter& in, Value value) override { return Resume(in, value); }
  // Raises `exception` where the generator stands.
  Value Throw(Interpreter& in, Value exception);
  // Ends the code where it stands: what `finally` says runs.
  void Close(Interpreter& in);
  // Gives `value`, from within, to whoever asked, and waits.
  Value Yield(Interpreter& in, const Value& value);
  // Lets the code end wherever it stands.
  void Abandon(Interpreter& in);
  // The generator's code, if that is the frame, loops over what is `open`.
  void Opened(const Frame* frame, const Openness& open) {
    if (frame == &frame_) holds.Join(open);
  }
  bool waits() const { return state_ == State::kWaiting; }
  const Environment* names() const { return names_; }

 private:
  struct Abandoned {};
  enum class State : uint8_t { kNew, kWaiting, kRunning, kEnded };
  void Body();
  Value Resume(Interpreter& in, Value sent);
  void Switch(Interpreter& in);

  Interpreter& in_;
  const Function* function_;
  Environment* names_;
  const Node* made_;  // of a generator expression
  Frame frame_;
  State state_ = State::kNew;
  std::unique_ptr<Fiber> fiber_;
  std::vector<Frame*> frames_;  // of the code within, above its own
  Value sent_, yielded_;
  std::optional<Value> to_raise_, raised_;
  std::optional<Stopped> stopped_;
  bool abandon_ = false;
  int undecided_ = 0;  // of its frames, while it waits
};

}  // namespace tilewise::py
