// Flags data in one large file, in many tiny ones, or where the TPU's host
// cannot read it.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/input/feed.h"

namespace tilewise::IP020 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP020",
    .name = "small-or-local-shards",
    .set = RuleSet::kPreview,
    .summary = "files of the wrong size, or where the TPU cannot read them",
    .doc = R"(
What: more than 1 GB of records in a single file; many files of less than 10 MB;
or a local path in a program that drives a TPU on another machine.
Why: one file can be read by one stream only, and cannot be shared out to hosts.
Tiny files pay an open and a request each. A TPU node reads its input itself and
does not see the disk of the machine that the script runs on.
Remedy: shards of about 100 MB in a bucket of the TPU's region.
Numbers: items times bytes of an item where both are known, over the files.
Ignore: TPU VMs, whose own disk is local to the TPU: the rule speaks of local
paths only when the script names a TPU node.
Sources: Cloud TPU guide, TPU notebook notes.)",
    .thresholds = {{"max-single-gb", 1, "GB that one file may hold alone"},
                   {"min-mean-mb", 10, "MB that files should hold on average"},
                   {"many-files", 16, "files from which their mean size matters"}},
};

std::optional<double> TotalBytes(const Pipeline& pipeline) {
  if (!pipeline.source_items || !pipeline.source_item_bytes) return {};
  return static_cast<double>(*pipeline.source_items) *
         static_cast<double>(pipeline.source_item_bytes->value);
}

void CheckSizes(const Pipeline& pipeline, const Stage& source, Sink& sink) {
  const auto total = TotalBytes(pipeline);
  if (!total || !source.files || *source.files < 1) return;
  const auto files = static_cast<double>(*source.files);
  const bool large = *source.files == 1 && *total > sink.threshold("max-single-gb") * 1e9;
  const bool small =
      files >= sink.threshold("many-files") && *total / files < sink.threshold("min-mean-mb") * 1e6;
  if (!large && !small) return;
  Finding& found =
      sink.Report(source.location, "{} of records are in {}, expected files of about 100 MB",
                  FormatBytes(Bytes{static_cast<int64_t>(*total)}),
                  large ? "one file" : fmt::format("{} files", FormatCount(*source.files)));
  found.cost.unknown = "how storage serves single files is not simulated";
  found.fix.text =
      fmt::format("write the records to about {} files",
                  FormatCount(std::max<int64_t>(1, static_cast<int64_t>(*total / 1e8))));
}

// A local path that stands in the call itself; defaults of flags do not.
std::optional<std::string> LocalPath(const Facts& facts, const Stage& source) {
  for (const std::string& path : source.paths) {
    if (path.empty() || IsRemotePath(path)) return std::nullopt;
  }
  if (source.paths.empty()) return std::nullopt;
  const std::string_view text = TextOf(facts.workload, source.arguments);
  const bool written = text.find(source.paths.front()) != std::string::npos;
  return written ? std::optional(source.paths.front()) : std::nullopt;
}

void CheckPosition(const Facts& facts, const Stage& source, Sink& sink) {
  const HostLoop& loop = facts.workload.host_loop;
  const bool node = loop.framework == Framework::kTpuEstimator || loop.remote_tpu.value_or(false);
  const auto path = node ? LocalPath(facts, source) : std::nullopt;
  if (!path) return;
  Finding& found = sink.Report(source.location,
                               "{} is a local path, expected a bucket (gs://...): the TPU node "
                               "reads its input itself and does not see it",
                               *path);
  found.cost.unknown = "the program cannot read its input there";
  found.fix.text = "copy the files to a bucket in the TPU's region and read them from there";
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const Stage& source = pipeline->stages.front();
    if (!IsOneOf(source.kind, {StageKind::kRecordFiles, StageKind::kListFiles})) {
      continue;
    }
    CheckSizes(*pipeline, source, sink);
    CheckPosition(facts, source, sink);
  }
}

}  // namespace

TW_RULE(IP020)

}  // namespace tilewise::IP020
