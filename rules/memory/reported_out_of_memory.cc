// Passes on what the compiler's own report says of memory that ran out, and
// works out from its numbers what would make the program fit.

#include <algorithm>
#include <cmath>
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
What: a report in a log that memory ran out, with its own numbers: of the
compiler ("Ran out of memory in memory space hbm", vmem or smem, with the largest
allocations and their padding; "Aborting compilation early", an estimate without
them), and of the runtime ("Attempting to reserve" for a program, "Attempting to
allocate" for an array).
Why: the report counts one core. Padding counts in full: a minor dimension of 10
takes the room of 128, the dimension before it is rounded up to 8 or more rows.
While running, what was made before and is still referred to is there as well.
Remedy: change the shapes that are mostly padding; take a smaller batch as far as
temporaries have to shrink; else bfloat16, recomputation in the backward pass,
donated arguments, or sharding. While running: drop or donate old arrays. Of vmem:
smaller blocks or a higher limit of the kernel; the batch has no part in it.
Ignore: a log of a run that was repaired since.
Numbers: padding is size less unpadded size of the allocations that the report
lists; a batch that fits supposes that temporaries grow with it and the rest does
not. The saving is that of this batch in the model that was read with the log.
Where the log names no capacity, that of the target's cores is stated.
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

bool IsOfHbm(const MemoryReport& report) { return report.space == "hbm"; }

// Returns the share of this batch with which all fits, with the temporaries scaled; none when that
// cannot be said, or no batch does.
std::optional<double> ShareThatFits(const MemoryReport& report) {
  if (!IsOfHbm(report)) return std::nullopt;
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

// No batch is the answer to a need of so many times the capacity.
constexpr double kBeyondBatches = 16;
// A need of so many times has something in it that is not sharded but was meant to be.
constexpr double kBeyondRemat = 4;

// The last two dims of "f32[32,4096,4096]{1,2,0}" where they are equal and long:
// scores of all positions with all.
bool HoldsAllPairs(const ReportedAllocation& allocation) {
  constexpr int64_t kLong = 1024;
  const size_t open = allocation.shape.find('[');
  const size_t close = allocation.shape.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  int64_t last = 0, before = 0, current = 0;
  for (const char c : allocation.shape.substr(open + 1, close - open)) {
    if (c >= '0' && c <= '9') {
      current = std::min<int64_t>(current * 10 + (c - '0'), int64_t{1} << 40);
    } else {
      before = last;
      last = current;
      current = 0;
    }
  }
  return last == before && last >= kLong;
}

std::string SparseCoreAdvice(const MemoryReport& report) {
  return fmt::format(
      "shard the embedding tables over more chips, or lower max_ids_per_partition and "
      "max_unique_ids_per_partition: {} of the {} are the SparseCore's, and the dense model is not "
      "what is too large",
      FormatBytes(report.sparse_core), FormatBytes(report.used));
}

// What the list itself points at.
std::string ListAdvice(const MemoryReport& report) {
  std::string text;
  if (!report.largest.empty() && HoldsAllPairs(report.largest.front())) {
    text +=
        "use a fused attention (flash, splash) or compute it in chunks, which never stores the "
        "scores of all positions with all; ";
  }
  if (report.largest.empty() && report.capacity.value > 0 &&
      static_cast<double>(report.used.value) >=
          kBeyondRemat * static_cast<double>(report.capacity.value)) {
    text += fmt::format(
        "look for an array whose sharding was lost, or take more chips: the need is {:.1f} times "
        "the memory, which recomputation does not close; ",
        static_cast<double>(report.used.value) / static_cast<double>(report.capacity.value));
  }
  if (report.says_arguments && report.arguments.value == 0 && report.largest.empty()) {
    text += "shard the weights: arguments are 0 B, so that weights count as part of the program; ";
  }
  const bool again = std::ranges::any_of(report.largest, [](const ReportedAllocation& allocation) {
    return allocation.label.find(".remat") != std::string::npos;
  });
  if (again) text += "XLA recomputes values already (remat in the list), which was not enough; ";
  return text;
}

std::string EstimateAdvice(const MemoryReport& report) {
  const double times = static_cast<double>(report.used.value) /
                       static_cast<double>(std::max<int64_t>(1, report.capacity.value));
  const std::string list =
      "set --xla_tpu_impure_oom_fast_exit_threshold=-1 in LIBTPU_INIT_ARGS for the list of "
      "allocations";
  if (times >= kBeyondBatches) {
    return fmt::format(
        "look at the shapes for a dim that is larger than meant, or shard the arrays: the program "
        "needs {} times a core's memory, which no smaller batch and no recomputation makes up for; "
        "{}",
        FormatCount(std::llround(times)), list);
  }
  return fmt::format(
      "take a batch per core of at most {:.0f} % of this one, as far as the need grows with it, "
      "or bfloat16 activations, recomputation or sharding; {}",
      100 / std::max(1.0, times), list);
}

std::string LoadAdvice(const MemoryReport& report) {
  std::string text =
      "drop or donate (donate_argnums) arrays that are still referred to, as an old state, the "
      "outputs of earlier steps or a second copy of the weights, or free programs that are loaded "
      "(jax.clear_caches)";
  if (report.free && *report.free >= report.used) {
    return text + "; the free memory lies in pieces: make large arrays first and keep them";
  }
  return text + "; or a smaller batch per core, which the program's temporaries grow with";
}

std::string AllocationAdvice(const MemoryReport& report, Bytes hbm) {
  if (report.free && *report.free >= report.used) {
    return "the free memory lies in pieces and there is little of it: donate the state of a step "
           "(donate_argnums), keep no old one, and make large arrays first";
  }
  if (report.used > hbm) {
    return "shard the array over cores, or change its shape: no core has room for it even when it "
           "is empty";
  }
  constexpr int64_t kSmall = 16;
  const bool small = report.used * kSmall < hbm;
  return std::string(small ? "look at earlier arrays, which fill the memory, and not at this one: "
                           : "") +
         "see what is referred to (jax.live_arrays()), drop or donate what is not needed, keep "
         "weights sharded from the start instead of whole on one core, and move large data with "
         "each batch rather than at once; or a smaller batch per core";
}

std::string ScratchAdvice(const MemoryReport& report) {
  const std::string whose =
      report.kernel.empty() ? "the kernel's" : fmt::format("{}'s", report.kernel);
  const bool spills = std::ranges::any_of(report.largest, [](const ReportedAllocation& allocation) {
    return allocation.label.find("spill") != std::string::npos;
  });
  if (report.space == "vmem" && spills) {
    return "compile the computation in smaller pieces, with static shapes and int32 instead of "
           "int64: the room is taken by spilled registers of one large computation; the batch and "
           "the size of HBM have no part in it";
  }
  if (report.space == "vmem" && report.kernel.find("fusion") != std::string::npos) {
    return fmt::format(
        "break {} apart, with an optimisation barrier or an op that is not fused between its "
        "inputs: it is a limit of the compiler, which neither the batch nor HBM changes",
        report.kernel.substr(0, 120));
  }
  if (report.space == "vmem") {
    return fmt::format(
        "make {} blocks smaller, or raise its vmem_limit_bytes (of all kernels: "
        "--xla_tpu_scoped_vmem_limit_kib): the limit is a default of the compiler; the batch and "
        "the size of HBM have no part in it",
        whose);
  }
  return fmt::format(
      "hand {} scalars (lengths, block tables, prefetched indices) over in parts, or move them to "
      "VMEM: {} is small and shared by all of them",
      whose, report.space);
}

std::string Advice(const MemoryReport& report, Bytes hbm) {
  if (!IsOfHbm(report)) return ScratchAdvice(report);
  switch (report.stage) {
    case MemoryStage::kEstimate:
      return EstimateAdvice(report);
    case MemoryStage::kLoad:
      return LoadAdvice(report);
    case MemoryStage::kAllocate:
      return AllocationAdvice(report, hbm);
    case MemoryStage::kCompile:
      break;
  }
  if (report.sparse_core > report.used - report.sparse_core) return SparseCoreAdvice(report);
  return PaddingAdvice(report) + ListAdvice(report) + BatchAdvice(report) +
         "; or bfloat16 activations, recomputing activations in the backward pass (jax.checkpoint, "
         "tf.recompute_grad), donated arguments";
}

std::string PartsText(const MemoryReport& report) {
  std::string text;
  const std::pair<std::string_view, Bytes> parts[] = {{"reserved", report.reserved},
                                                      {"program", report.program},
                                                      {"arguments", report.arguments},
                                                      {"temporaries", report.temporaries},
                                                      {"SparseCore", report.sparse_core}};
  for (const auto& [name, bytes] : parts) {
    if (bytes.value <= 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, FormatBytes(bytes));
  }
  return text.empty() ? "" : text + ")";
}

// What of HBM a program can use on a core of the target.
Bytes CapacityOf(const Facts& facts) { return facts.target.chip.usable_hbm(); }

std::string LeftText(const MemoryReport& report) {
  if (!report.free) return "";
  std::string text = fmt::format(", and {} were free", FormatBytes(*report.free));
  if (report.free_in_one_piece.value > 0 && report.free_in_one_piece < *report.free) {
    text += fmt::format(", {} of them in one piece", FormatBytes(report.free_in_one_piece));
  }
  return text;
}

// What happened, up to the capacity.
std::string WhatText(const MemoryReport& report) {
  switch (report.stage) {
    case MemoryStage::kEstimate:
      return fmt::format(
          "the compiler gave up before it placed buffers: the program needs {} by its estimate",
          FormatBytes(report.used));
    case MemoryStage::kLoad:
      return fmt::format("{} needs {} of its own beside the arrays that are there{}",
                         report.kernel.empty() ? "a compiled program" : report.kernel,
                         FormatBytes(report.used), LeftText(report));
    case MemoryStage::kAllocate:
      return fmt::format("an array of {} found no room while the program ran{}",
                         FormatBytes(report.used), LeftText(report));
    case MemoryStage::kCompile:
      break;
  }
  if (report.used.value == 0) return fmt::format("the compiler ran out of {}", report.space);
  return fmt::format("the compiler used {}", FormatBytes(report.used));
}

// Says where the log is of another chip than the target.
std::string OtherChipText(const Facts& facts, const MemoryReport& report) {
  constexpr double kRounding = 0.03;
  const auto here = static_cast<double>(CapacityOf(facts).value);
  if (!IsOfHbm(report) ||
      std::abs(static_cast<double>(report.capacity.value) - here) <= kRounding * here) {
    return "";
  }
  return fmt::format(" ({} has {})", facts.target.chip.name, FormatBytes(CapacityOf(facts)));
}

std::string CapacityText(const Facts& facts, const MemoryReport& report) {
  if (report.capacity.value > 0) {
    return fmt::format(" of {} of {} per core{}", FormatBytes(report.capacity), report.space,
                       OtherChipText(facts, report));
  }
  if (!IsOfHbm(report)) {
    return report.used.value == 0 ? ", without numbers" : fmt::format(" of {}", report.space);
  }
  return fmt::format("; a core of {} has {} of {}", facts.target.chip.name,
                     FormatBytes(CapacityOf(facts)), report.space);
}

Bytes MissingOf(const Facts& facts, const MemoryReport& report) {
  if (report.exceeded.value > 0) return report.exceeded;
  Bytes room = report.capacity.value > 0 ? report.capacity : CapacityOf(facts);
  if (report.free) room = *report.free;
  return report.used - std::min(room, report.used);
}

void Check(const Facts& facts, Sink& sink) {
  for (const MemoryReport& report : facts.workload.memory_reports) {
    const Bytes missing = MissingOf(facts, report);
    const std::string exceeded =
        missing.value > 0 ? fmt::format(", {} too much", FormatBytes(missing)) : "";
    const std::string kernel = report.stage == MemoryStage::kCompile && !report.kernel.empty()
                                   ? fmt::format(" for {}", report.kernel)
                                   : "";
    Finding& found = sink.Report(
        report.location, "{}{}{}{}{}{}{}", WhatText(report), CapacityText(facts, report), kernel,
        exceeded, report.times > 1 ? fmt::format(" ({} times)", FormatCount(report.times)) : "",
        PartsText(report), LargestText(report));
    if (missing.value > 0 && IsOfHbm(report)) {
      found.cost.bytes = missing;
    } else {
      found.cost.unknown = IsOfHbm(report)
                               ? "the report does not say what is missing"
                               : fmt::format("it is {} that is short, not HBM", report.space);
    }
    found.fix.text = Advice(report, CapacityOf(facts));
    found.change.batch_per_core = BatchThatFits(facts, report);
  }
}

}  // namespace

TW_RULE(ME008)

}  // namespace tilewise::ME008
