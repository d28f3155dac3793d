// One event of a Chrome trace, as the tools that write such traces fill it.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tilewise {

// Texts are valid until the next event is parsed.
struct ChromeEvent {
  char phase = 0;  // 'X', 'B', 'E', 'M', 'C', 's', 't', 'f' ..
  std::string_view name, category;
  int64_t process = 0, thread = 0;
  double start = 0, duration = 0;  // microseconds, as a rule
  bool has_start = false;
  std::string_view id;  // of a flow, as it is written
  // These come from the arguments:
  std::string_view arg_name, arg_op, long_name, hlo_category, tf_op, source, module;
  double flops = 0, bytes = 0;
  int64_t step = -1, group = -1;
  double peak_flops = 0, peak_hbm = 0;  // of a device's process_name
  bool has_value = false;
  double value = 0;  // of a counter: its first number
};

class ChromeEventParser {
 public:
  ChromeEventParser();
  ~ChromeEventParser();
  ChromeEventParser(const ChromeEventParser&) = delete;
  ChromeEventParser& operator=(const ChromeEventParser&) = delete;

  // False: no event. EventSplitter::kPadding bytes behind `json` can be read.
  bool Parse(std::string_view json, ChromeEvent& event);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewise
