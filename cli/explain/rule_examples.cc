// The table is generated; names are "IP002/bad_before_batch.py".

#include "cli/explain/rule_examples.h"

#include <span>

#include <fmt/format.h>

#include "hardware/embedded_data.h"

namespace tilewise {

std::span<const EmbeddedFile> RuleExampleFiles();  // generated

std::vector<RuleExample> ShortExamples(std::string_view rule) {
  std::vector<RuleExample> examples;
  const std::string folder = fmt::format("{}/", rule);
  for (const EmbeddedFile& file : RuleExampleFiles()) {
    if (!file.name.starts_with(folder)) continue;
    const std::string_view name = file.name.substr(folder.size());
    examples.push_back({.file = std::string(name),
                        .text = std::string(file.text),
                        .bad = name.starts_with("bad")});
  }
  return examples;
}

}  // namespace tilewise
