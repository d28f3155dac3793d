// docs/configuration.md has a row for every key, and it is right.

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/config_keys.h"

namespace tilewise {
namespace {

std::string Documentation() {
  std::ostringstream text;
  text << std::ifstream(TILEWISE_SOURCE_DIR "/docs/configuration.md").rdbuf();
  return text.str();
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

std::string Code(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

std::string RowOf(const ConfigKey& key) {
  const std::string flag(key.flag);
  return fmt::format(
      "| {} | {} | {} | {} | {} | {} |\n", Code(std::string(key.name)),
      Code(flag.empty() ? "" : "--" + flag),
      Code(flag.empty() ? "" : VariableOf(flag)), CommandsOf(key.scope),
      Code(std::string(key.standard)), key.summary);
}

TEST(ConfigurationPage, HasARowForEveryKey) {
  const std::string page = Documentation();
  ASSERT_NE(page, "");
  for (const ConfigKey& key : ConfigKeys()) {
    EXPECT_THAT(page, testing::HasSubstr(RowOf(key)))
        << "put this row into docs/configuration.md";
  }
}

}  // namespace
}  // namespace tilewise
