// Models first, then the parameters of each in the order of their declaration.

#include "cli/list/zoo_rows.h"

#include <fmt/format.h>

#include "zoo/zoo.h"

namespace tilewise {
namespace {

std::string ValuesOf(const ZooParameter& parameter) {
  if (!parameter.words.empty()) return std::string(parameter.words);
  return fmt::format("{}..{}", parameter.smallest, parameter.largest);
}

ListingRow RowOf(std::vector<std::string> cells) {
  ListingRow row;
  row.cells.assign(cells.begin(), cells.end());
  return row;
}

}  // namespace

ListingSection ZooModelSection() {
  ListingSection section{.title = "zoo models", .columns = {"name", "summary"}, .rows = {}};
  for (const ZooModel& model : ZooModels()) {
    section.rows.push_back(RowOf({fmt::format("zoo:{}", model.name), std::string(model.summary)}));
  }
  return section;
}

ListingSection ZooParameterSection() {
  ListingSection section{.title = "zoo parameters",
                         .columns = {"model", "parameter", "default", "values", "meaning"},
                         .rows = {}};
  for (const ZooModel& model : ZooModels()) {
    for (const ZooParameter& parameter : model.parameters) {
      section.rows.push_back(RowOf({std::string(model.name), std::string(parameter.name),
                                    std::string(parameter.default_value), ValuesOf(parameter),
                                    std::string(parameter.help)}));
    }
  }
  return section;
}

}  // namespace tilewise
