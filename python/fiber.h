// Code that runs on a stack of its own, and the switches to it and back.

#pragma once

#include <cstddef>
#include <functional>

#include <ucontext.h>

namespace tilewise::py {

// A stack that is mapped, not touched; below it lies a page that nothing may touch.
class Stack {
 public:
  explicit Stack(size_t bytes);
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  char* base() const { return base_; }
  size_t bytes() const { return bytes_; }

 private:
  char* base_ = nullptr;
  size_t bytes_ = 0;
};

// AddressSanitizer is told of every switch. No exception may come out of `body`.
class Fiber {
 public:
  Fiber(size_t stack_bytes, std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  // Runs the body, from outside, until it leaves or ends. It cannot be called after that end.
  void Enter();
  // Goes back, from within, to where Enter was called, until it is called again.
  void Leave();
  const Stack& stack() const { return stack_; }

 private:
  static void Start(unsigned high, unsigned low);
  void Back(bool ends);

  std::function<void()> body_;
  Stack stack_;
  ucontext_t inside_ = {}, outside_ = {};
  // What AddressSanitizer knows: where locals are kept, and the stack of Enter's caller.
  void* kept_inside_ = nullptr;
  const void* outer_base_ = nullptr;
  size_t outer_bytes_ = 0;
};

}  // namespace tilewise::py
