// Native functions that try what may raise, and have another way where it does.

#pragma once

#include "python/interpreter.h"

namespace tilewise::py {

class Interpreter::Expecting {
 public:
  explicit Expecting(Interpreter& in) : in_(in) { ++in_.expecting_; }
  ~Expecting() { --in_.expecting_; }
  Expecting(const Expecting&) = delete;
  Expecting& operator=(const Expecting&) = delete;

 private:
  Interpreter& in_;
};

}  // namespace tilewise::py
