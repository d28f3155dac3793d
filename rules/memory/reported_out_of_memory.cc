// Passes on what the compiler's own report says of memory that ran out, and
// works out from its numbers what would make the program fit.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::ME008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME008",
    .name = "reported-out-of-memory",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .summary = "a log says that the program did not fit in memory",
    .no_saving = "a log has no graph",
    .doc = R"(
What: XLA's report "Ran out of memory in memory space hbm" (or vmem) in a log,
with its own numbers: used, capacity, the largest allocations and their padding.
Why: the report counts one core. Padding counts in full: a minor dimension of 10
takes the room of 128, the dimension before it is rounded up to 8 or more rows.
Remedy: change the shapes that are mostly padding; take a smaller batch as far as
temporaries have to shrink; else bfloat16, recomputation in the backward pass,
donated arguments, or sharding.
Ignore: a log of a run that was repaired since.
Numbers: padding is size less unpadded size of the allocations that the report
lists; a batch that fits supposes that temporaries grow with it and the rest does
not. The saving is that of this batch in the model that was read with the log.
Sources: XLA docs/errors/error_1000.md and error_1001.md; flowpm#27, flax#1733,
pytorch/xla#1735, #1965, EasyDeL#166.)",
};

constexpr size_t kShown = 5;
constexpr double kPadded = 1.5;  // times the unpadded size: worth a change

double Expansion(const ReportedAllocation& allocation) {
  return allocation.unpadded.value <= 0 ? 1
                                        : static_cast<double>(allocation.size.value) /
                                              static_cast<double>(allocation.unpadded.value);
}

Bytes Padding(const ReportedAllocation& allocation) {
  return allocation.size - std::min(allocation.size, allocation.unpadded);
}

std::string NameOf(const ReportedAllocation& allocation) {
  const std::string& name = allocation.shape.empty() ? allocation.kind : allocation.shape;
  std::string text = name.empty() ? "an allocation" : name.substr(0, 120);
  if (!allocation.operation.empty()) {
    text += fmt::format(" of {}", allocation.operation.substr(0, 120));
  }
  if (allocation.source.known()) {
    text += fmt::format(" at {}", FormatLocation(allocation.source));
  }
  return text;
}

std::string LargestText(const MemoryReport& report) {
  std::string text;
  for (size_t i = 0; i < std::min(kShown, report.largest.size()); ++i) {
    const ReportedAllocation& allocation = report.largest[i];
    text += fmt::format("{}{} {}", i == 0 ? "; largest: " : ", ", FormatBytes(allocation.size),
                        NameOf(allocation));
    if (Expansion(allocation) >= 1.05) {
      text += fmt::format(" ({:.1f}x its data)", Expansion(allocation));
    }
  }
  return text;
}

// Allocations of a size and shape that are mostly padding, and what they waste.
struct Padded {
  Bytes bytes;
  const ReportedAllocation* worst = nullptr;
};

Padded MostlyPadding(const MemoryReport& report) {
  Padded padded;
  for (const ReportedAllocation& allocation : report.largest) {
    if (Expansion(allocation) < kPadded) continue;
    padded.bytes += Padding(allocation);
    if (padded.worst == nullptr || Padding(*padded.worst) < Padding(allocation)) {
      padded.worst = &allocation;
    }
  }
  return padded;
}

std::string PaddingAdvice(const MemoryReport& report) {
  const Padded padded = MostlyPadding(report);
  if (padded.worst == nullptr) return "";
  return fmt::format(
      "change the shape of {}, of which {} is padding (minor dimensions are rounded up to 128, "
      "those before them to 8 or more): {} of the listed allocations is padding{}; ",
      NameOf(*padded.worst), FormatBytes(Padding(*padded.worst)), FormatBytes(padded.bytes),
      padded.bytes >= report.exceeded && report.exceeded.value > 0 ? ", more than what is missing"
                                                                   : "");
}

// What is in memory whatever the batch is.
Bytes FixedOf(const MemoryReport& report) {
  return report.used - std::min(report.used, report.temporaries);
}

// Of this batch, with the temporaries scaled so that all fits; none when that
// cannot be said, or no batch does.
std::optional<double> ShareThatFits(const MemoryReport& report) {
  if (report.space == "vmem") return std::nullopt;
  if (report.temporaries.value <= 0 || report.capacity.value <= 0) {
    return std::nullopt;
  }
  const Bytes left = report.capacity - FixedOf(report);
  const double share =
      static_cast<double>(left.value) / static_cast<double>(report.temporaries.value);
  if (share <= 0 || share >= 1) return std::nullopt;
  return share;
}

std::string BatchAdvice(const MemoryReport& report) {
  const Bytes fixed = FixedOf(report);
  const bool known = report.temporaries.value > 0 && report.capacity.value > 0;
  if (known && fixed >= report.capacity) {
    return fmt::format(
        "no smaller batch fits, since {} are no temporaries: shard weights and optimizer state "
        "over cores",
        FormatBytes(fixed));
  }
  const std::optional<double> share = ShareThatFits(report);
  if (!share) return "take a smaller batch per core";
  return fmt::format(
      "a batch per core of at most {:.0f} % of this one fits, as far as the {} of temporaries grow "
      "with it",
      100 * *share, FormatBytes(report.temporaries));
}

// That batch in whole rows, of the model that was read with the log.
std::optional<int64_t> BatchThatFits(const Facts& facts, const MemoryReport& report) {
  const std::optional<double> share = ShareThatFits(report);
  if (facts.model == nullptr || facts.batch_assumed || !share) {
    return std::nullopt;
  }
  const int64_t rows = facts.target.chip.sublanes;
  const auto batch = static_cast<int64_t>(*share * static_cast<double>(facts.batch_per_core));
  if (batch < rows) return std::nullopt;
  return batch / rows * rows;
}

std::string Advice(const MemoryReport& report) {
  if (report.space == "vmem") {
    return "make the kernel's blocks smaller, or raise --xla_tpu_scoped_vmem_limit_kib";
  }
  return PaddingAdvice(report) + BatchAdvice(report) +
         "; or bfloat16 activations, recomputing activations in the backward pass (jax.checkpoint, "
         "tf.recompute_grad), donated arguments";
}

std::string PartsText(const MemoryReport& report) {
  std::string text;
  const std::pair<std::string_view, Bytes> parts[] = {{"reserved", report.reserved},
                                                      {"program", report.program},
                                                      {"arguments", report.arguments},
                                                      {"temporaries", report.temporaries}};
  for (const auto& [name, bytes] : parts) {
    if (bytes.value <= 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, FormatBytes(bytes));
  }
  return text.empty() ? "" : text + ")";
}

void Check(const Facts& facts, Sink& sink) {
  for (const MemoryReport& report : facts.workload.memory_reports) {
    const std::string capacity =
        report.capacity.value > 0 ? fmt::format(" of {}", FormatBytes(report.capacity)) : "";
    const std::string exceeded =
        report.exceeded.value > 0 ? fmt::format(", {} too much", FormatBytes(report.exceeded)) : "";
    Finding& found = sink.Report(report.location, "the compiler used {}{} of {} per core{}{}{}",
                                 FormatBytes(report.used), capacity, report.space, exceeded,
                                 PartsText(report), LargestText(report));
    if (report.exceeded.value > 0) {
      found.cost.bytes = report.exceeded;
    } else {
      found.cost.unknown = "the report does not say what is missing";
    }
    found.fix.text = Advice(report);
    found.change.batch_per_core = BatchThatFits(facts, report);
  }
}

}  // namespace

TW_RULE(ME008)

}  // namespace tilewise::ME008
