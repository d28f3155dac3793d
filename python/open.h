// Loops over what is not known: one round stands for all. What a round added to
// containers that were there before makes them open, and numbers and texts that
// it counted up become unknown.

#pragma once

#include <memory>
#include <vector>

#include "python/interpreter.h"

namespace tilewise::py {

class OpenRun {
 public:
  // `body`: the statements of a round, null where there are none.
  OpenRun(Interpreter& in, const Node* body) : in_(in), body_(body) {}
  ~OpenRun();
  OpenRun(const OpenRun&) = delete;
  OpenRun& operator=(const OpenRun&) = delete;
  // Whether it is in a generator that has given an item and was not asked for more.
  bool waits() const;
  // Begins a round over what is `open`; what changes from then on is kept.
  void Round(const Openness& open);
  // What changes from now on is kept, as the loop may turn out to be open.
  void Watch() {
    if (!begun_) Begin();
  }
  // The rounds so far stand for more.
  void Stand(const Openness& open) { open_.Join(open); }
  // Ends the run after the last round.
  void End();
  const Openness& open() const { return open_; }
  // Keeps `object` before it changes.
  void Save(Object& object);

 private:
  struct Change {
    Object* object = nullptr;
    std::unique_ptr<Object> before;  // null: too large, the size is compared
    size_t size = 0;
  };
  void Begin();
  bool Counted(const Value& before, const Value& after, Symbol name) const;
  void Mark(const Change& change);
  void MarkNames(Namespace& now, const Namespace& before);
  Value NotKnown();

  Interpreter& in_;
  const Node* body_;
  Openness open_;
  bool begun_ = false;
  uint32_t epoch_ = 0;
  int64_t rounds_ = 0;
  const class Generator* running_ = nullptr;
  std::vector<Change> changes_;
};

}  // namespace tilewise::py
