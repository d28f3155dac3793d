// docs/configuration.md has an entry for every key, and it is right.

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/config_keys.h"

namespace tilewise {
namespace {

// The page's words, one blank between two of them.
std::string Documentation() {
  std::ifstream page(TILEWISE_SOURCE_DIR "/docs/configuration.md");
  std::string text, word;
  while (page >> word) text += word + " ";
  return text;
}

const char* CommandsOf(KeyScope scope) {
  switch (scope) {
    case KeyScope::kModel:
      return "all";
    case KeyScope::kRules:
      return "lint, advise";
    case KeyScope::kLint:
      return "lint";
  }
  return "";
}

// "`chip` (`--chip`; all; default `v3`): TPU generation".
std::string EntryOf(const ConfigKey& key) {
  const std::string flag(key.flag);
  const std::string standard(key.standard);
  return fmt::format("- `{}` ({}{}{}): {} ", key.name, flag.empty() ? "" : "`--" + flag + "`; ",
                     CommandsOf(key.scope), standard.empty() ? "" : "; default `" + standard + "`",
                     key.summary);
}

TEST(ConfigurationPage, HasAnEntryForEveryKey) {
  const std::string page = Documentation();
  ASSERT_NE(page, "");
  for (const ConfigKey& key : ConfigKeys()) {
    EXPECT_THAT(page, testing::HasSubstr(EntryOf(key)))
        << "put this entry into docs/configuration.md";
  }
}

}  // namespace
}  // namespace tilewise
