// The events of a Chrome trace one by one, from a document that is never whole
// in memory: {"traceEvents": [{..}, {..}]} or [{..}, {..}].

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/readers/byte_source.h"

namespace tilewise {

class EventSplitter {
 public:
  // Bytes that may be read after the end of a returned event.
  static constexpr size_t kPadding = 64;

  // `source` outlives it.
  explicit EventSplitter(ByteSource& source);

  // The JSON object of the next event; valid until the next call. False: there
  // is none.
  bool Next(std::string_view& event);
  // Other members of the document that came so far, as JSON text; long ones are
  // left out.
  const std::vector<std::pair<std::string, std::string>>& members() const { return members_; }
  // The document ended where it should.
  bool complete() const { return complete_; }
  // Its traceEvents were found.
  bool found_events() const { return found_; }

 private:
  bool Fill();  // more bytes behind end_; false: there are none
  bool SkipBlanks();
  bool SkipString();
  // Moves at_ behind the value that begins there.
  bool SkipValue();
  bool SkipContainer();
  bool NextMember();
  bool NextElement(std::string_view& event);

  ByteSource& source_;
  std::string buffer_;
  size_t keep_ = 0;  // bytes before it are not needed
  size_t at_ = 0, end_ = 0;
  bool started_ = false, in_events_ = false, bare_ = false, done_ = false;
  bool complete_ = false, found_ = false;
  std::vector<std::pair<std::string, std::string>> members_;
};

}  // namespace tilewise
