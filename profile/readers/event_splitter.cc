// The splitter looks at strings and brackets only: what an event says is read
// from its own text by whoever asked for it.

#include "profile/readers/event_splitter.h"

#include <cstring>

namespace tilewise {
namespace {

constexpr size_t kPart = size_t{1} << 20;
constexpr size_t kLargestEvent = size_t{64} << 20;
constexpr size_t kLargestMember = size_t{64} << 10;
constexpr size_t kMostMembers = 64;

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

EventSplitter::EventSplitter(ByteSource& source) : source_(source) {
  buffer_.resize(2 * kPart + kPadding);
}

bool EventSplitter::Fill() {
  if (keep_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + keep_, end_ - keep_);
    at_ -= keep_;
    end_ -= keep_;
    keep_ = 0;
  }
  if (buffer_.size() - kPadding - end_ < kPart) {
    if (buffer_.size() > kLargestEvent) return false;
    buffer_.resize(2 * buffer_.size());
  }
  const size_t fresh = source_.Read(buffer_.data() + end_, kPart);
  end_ += fresh;
  return fresh > 0;
}

bool EventSplitter::SkipBlanks() {
  while (true) {
    while (at_ < end_ && IsBlank(buffer_[at_])) ++at_;
    if (at_ < end_) return true;
    if (!Fill()) return false;
  }
}

// Moves behind the closing quote; at_ is on the opening one.
bool EventSplitter::SkipString() {
  ++at_;
  while (true) {
    while (at_ < end_) {
      const char c = buffer_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      at_ += c == '\\' ? 2 : 1;
    }
    const size_t beyond = at_ - end_;
    at_ = end_;
    if (!Fill()) return false;
    at_ += beyond;
  }
}

bool EventSplitter::SkipContainer() {
  int depth = 0;
  while (true) {
    while (at_ < end_) {
      const char c = buffer_[at_];
      if (c == '"') {
        if (!SkipString()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (depth == 0) return true;
    }
    if (!Fill()) return false;
  }
}

bool EventSplitter::SkipValue() {
  if (!SkipBlanks()) return false;
  if (buffer_[at_] == '{' || buffer_[at_] == '[') return SkipContainer();
  if (buffer_[at_] == '"') return SkipString();
  while (true) {
    while (at_ < end_) {
      const char c = buffer_[at_];
      if (c == ',' || c == '}' || c == ']' || IsBlank(c)) return true;
      ++at_;
    }
    if (!Fill()) return false;
  }
}

// A member of the document; true when it is the array of events, which at_ is
// in then.
bool EventSplitter::NextMember() {
  while (true) {
    if (!SkipBlanks()) break;
    if (buffer_[at_] == ',') {
      ++at_;
      continue;
    }
    if (buffer_[at_] != '"') {
      complete_ = buffer_[at_] == '}';
      break;
    }
    keep_ = at_;
    if (!SkipString()) break;
    const std::string key = buffer_.substr(keep_ + 1, at_ - keep_ - 2);
    if (!SkipBlanks() || buffer_[at_] != ':') break;
    ++at_;
    if (!SkipBlanks()) break;
    keep_ = at_;
    if (key == "traceEvents" && buffer_[at_] == '[') {
      ++at_;
      found_ = true;
      in_events_ = true;
      return true;
    }
    if (!SkipValue()) break;
    if (at_ - keep_ <= kLargestMember && members_.size() < kMostMembers) {
      members_.emplace_back(key, buffer_.substr(keep_, at_ - keep_));
    }
    keep_ = at_;
  }
  done_ = true;
  return false;
}

// False: the array has ended, or the bytes have (done_).
bool EventSplitter::NextElement(std::string_view& event) {
  while (true) {
    keep_ = at_;
    if (!SkipBlanks()) break;
    const char c = buffer_[at_];
    if (c == ',') {
      ++at_;
      continue;
    }
    if (c == ']') {
      ++at_;
      in_events_ = false;
      return false;
    }
    keep_ = at_;
    if (!SkipValue()) break;
    if (at_ == keep_) break;  // a stray '}'
    if (c != '{') continue;
    event = std::string_view(buffer_).substr(keep_, at_ - keep_);
    return true;
  }
  done_ = true;
  return false;
}

bool EventSplitter::Next(std::string_view& event) {
  if (!started_) {
    started_ = true;
    if (!SkipBlanks()) return false;
    bare_ = buffer_[at_] == '[';
    if (!bare_ && buffer_[at_] != '{') return false;
    ++at_;
    in_events_ = bare_;
    found_ = bare_;
  }
  while (!done_) {
    if (in_events_) {
      if (NextElement(event)) return true;
      if (!done_ && bare_) {
        complete_ = true;
        done_ = true;
      }
    } else if (!NextMember()) {
      break;
    }
  }
  return false;
}

}  // namespace tilewise
