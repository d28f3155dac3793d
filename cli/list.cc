// What tilewise knows: rules, chips, hosts, formats. With --verbose each
// number of a chip or host stands with its source.

#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/suggest.h"
#include "frontend/load.h"
#include "hardware/target.h"
#include "report/report.h"
#include "report/table.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr Align kLeft = Align::kLeft;

absl::StatusOr<std::string> ListRules(bool) {
  Table table({{"id", kLeft},
               {"name", kLeft},
               {"severity", kLeft},
               {"fix", kLeft},
               {"summary", kLeft}});
  for (const Rule* rule : AllRules()) {
    const RuleInfo& info = rule->info;
    table.AddRow({std::string(info.id), std::string(info.name),
                  std::string(SeverityName(info.severity)),
                  std::string(ApplicabilityName(info.fix)),
                  std::string(info.summary)});
  }
  return table.Text("");
}

std::string NumbersText(const std::vector<SourcedNumber>& numbers) {
  Table table({{"field", kLeft}, {"value", kLeft}, {"source", kLeft}});
  for (const SourcedNumber& number : numbers) {
    table.AddRow({number.field, number.value, number.source});
  }
  return table.Text("  ") + "\n";
}

absl::StatusOr<std::string> ListChips(bool verbose) {
  std::string text;
  for (const std::string& name : ChipNames()) {
    TW_ASSIGN_OR_RETURN(const Chip chip, FindChip(name));
    text += fmt::format("{:<5} {}\n", name, chip.description);
    if (!verbose) continue;
    TW_ASSIGN_OR_RETURN(const auto numbers, ChipNumbers(name));
    text += NumbersText(numbers);
  }
  return text;
}

absl::StatusOr<std::string> ListHosts(bool verbose) {
  std::string text;
  for (const std::string& name : HostNames()) {
    TW_ASSIGN_OR_RETURN(const Host host, FindHost(name));
    text += fmt::format("{:<10} {}\n", name, host.description);
    if (!verbose) continue;
    TW_ASSIGN_OR_RETURN(const auto numbers, HostNumbers(name));
    text += NumbersText(numbers);
  }
  return text;
}

absl::StatusOr<std::string> ListFormats(bool) {
  std::string text = "read:\n";
  for (const InputFormat& format : InputFormats()) {
    text += fmt::format("  {:<12} {}\n", format.name, format.summary);
  }
  text += "written:\n";
  for (const Format& format : Formats()) {
    text += fmt::format("  {:<12} {}\n", format.name, format.summary);
  }
  return text;
}

struct Listing {
  std::string_view name;
  absl::StatusOr<std::string> (*text)(bool verbose);
};

constexpr Listing kListings[] = {{"rules", ListRules},
                                 {"chips", ListChips},
                                 {"hosts", ListHosts},
                                 {"formats", ListFormats}};

}  // namespace

absl::StatusOr<int> RunList(const Options& options) {
  std::vector<std::string> names;
  for (const Listing& listing : kListings) {
    names.emplace_back(listing.name);
    if (listing.name != options.listed) continue;
    TW_ASSIGN_OR_RETURN(const std::string text, listing.text(options.verbose));
    TW_RETURN_IF_ERROR(WriteOutput(text, options.output));
    return kExitClean;
  }
  return InvalidInput("list: " + UnknownWord(options.listed, names));
}

}  // namespace tilewise
