// Numbers are checked here against the range that makes sense for them, so that
// no size further down can overflow.

#include "cli/argument_kinds.h"

#include <charconv>

#include <fmt/format.h>

#include "base/units.h"
#include "cli/known_words.h"

namespace tilewise {
namespace {

std::string CheckRange(const std::string& text, int64_t least, int64_t most) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value >= least && value <= most) {
    return "";
  }
  return fmt::format("found '{}', expected a whole number from {} to {}", text,
                     FormatCount(least), FormatCount(most));
}

}  // namespace

CLI::Option* AddNumber(CLI::App& app, const std::string& name, int64_t& value,
                       int64_t most, const std::string& help, const char* group,
                       int64_t least) {
  return app.add_option(name, value, help)
      ->type_name("N")
      ->group(group)
      ->check(CLI::Validator(
          [least, most](std::string& text) {
            return CheckRange(text, least, most);
          },
          "", "range"));
}

CLI::Option* AddList(CLI::App& app, const std::string& name,
                     std::vector<std::string>& list, const std::string& help,
                     const char* type, const char* group) {
  return app.add_option(name, list, help)
      ->type_name(type)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
}

CLI::Validator OneOf(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& text) {
        return CheckWord(text, words);
      },
      "", "word");
}

}  // namespace tilewise
