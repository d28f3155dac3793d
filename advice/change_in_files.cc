// Each part of a change has one function; a change is written whole or not at
// all.

#include "advice/change_in_files.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "advice/written_settings.h"
#include "edit/layer.h"
#include "edit/precision.h"
#include "edit/python.h"
#include "edit/setting.h"
#include "edit/span_text.h"
#include "graph/rebatch.h"
#include "workload/blocks.h"
#include "workload/versions.h"

namespace tilewise {
namespace {

constexpr int64_t kLargestBatch = int64_t{1} << 30;

// A batch per replica or per step keeps its proportion to the global one.
FileEdit SetBatch(const Facts& facts, int64_t batch_per_core) {
  const Workload& workload = facts.workload;
  const auto location = BatchSizeText(workload);
  if (!location || workload.declared_global_batch() != facts.global_batch) {
    return {};
  }
  const int64_t global = batch_per_core * facts.target.batch_shards();
  const auto now = NumberIn(workload, *location);
  if (!now || *now < 1 || *now > kLargestBatch || global > kLargestBatch ||
      *now * global % facts.global_batch != 0) {
    return {};
  }
  const std::string size = std::to_string(*now * global / facts.global_batch);
  return {fmt::format("set the batch size to {}", size),
          {{.span = *location, .replacement = size}}};
}

FileEdit SetSteps(const Facts& facts, int64_t steps) {
  const Workload& workload = facts.workload;
  const HostLoop& loop = workload.host_loop;
  const std::string number = std::to_string(steps);
  if (loop.compile_arguments.begin < loop.compile_arguments.end) {
    std::string_view keyword = StepsPerExecutionKeyword(workload.facts);
    for (const std::string_view name :
         {"steps_per_execution", "experimental_steps_per_execution"}) {
      if (KeywordValue(workload, loop.compile_arguments, name)) keyword = name;
    }
    return {fmt::format("pass {}={} to compile()", keyword, number),
            SetArgument(workload, loop.compile_arguments, keyword, number)};
  }
  const auto setting = SettingAt(workload, loop.steps_per_execution_location);
  if (!setting || !NumberIn(workload, setting->value)) return {};
  return {fmt::format("set {} to {}", setting->name, number),
          {{.span = setting->value, .replacement = number}}};
}

// What the layer of a variable has to be told for the variable to have its new
// shape: nothing (its input sets the size), its features, or its rows.
std::optional<LayerSize> SizeToSet(const Graph& graph, const Op& variable, const Shape& then,
                                   int64_t& dim) {
  const Shape& now = variable.shape;
  dim = now.rank() - 1;
  if (now.rank() > 1 && now.size(dim) != then.size(dim)) {
    return LayerSize::kFeatures;
  }
  dim = 0;
  const bool table = std::ranges::any_of(graph.ops(), [&](const Op& op) {
    const bool gathers = op.kind == OpKind::kGather || op.kind == OpKind::kGatherSlices;
    return gathers && op.operands[0] == variable.id;
  });
  if (table && now.size(0) != then.size(0)) return LayerSize::kRows;
  return std::nullopt;
}

// Changes all layers whose own size changes with this one.
FileEdit SetWidth(const Facts& facts, const NewWidth& width) {
  const Graph& graph = *facts.source;
  const auto resized = ResizeDim(graph, width.op, width.dim, width.size);
  if (!resized.ok()) return {};
  FileEdit result;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable) continue;
    const Shape& then = resized->op(op.id).shape;
    if (then == op.shape) continue;
    int64_t dim = 0;
    const auto size = SizeToSet(graph, op, then, dim);
    if (!size) continue;
    const std::vector<TextEdit> edits =
        SetLayerSize(facts.workload, op.location, *size, op.shape.size(dim), then.size(dim));
    if (edits.empty()) return {};
    result.text +=
        fmt::format("{}set the {} of {} to {}", result.text.empty() ? "" : ", ",
                    *size == LayerSize::kRows ? "rows" : "width",
                    op.location.item.empty() ? op.name : op.location.item, edits[0].replacement);
    result.edits.insert(result.edits.end(), edits.begin(), edits.end());
  }
  return result;
}

// Two parts may make the same edit of one location, but two layers may not make
// different ones.
bool AddEdits(const std::vector<TextEdit>& more, std::vector<TextEdit>& all) {
  for (const TextEdit& edit : more) {
    const auto same = std::ranges::find(all, edit.span, &TextEdit::span);
    if (same == all.end()) {
      all.push_back(edit);
    } else if (same->replacement != edit.replacement) {
      return false;
    }
  }
  return true;
}

std::vector<FileEdit> PartsOf(const Facts& facts, const Change& change) {
  std::vector<FileEdit> parts;
  if (change.batch_per_core) {
    parts.push_back(SetBatch(facts, *change.batch_per_core));
  }
  if (change.steps_per_execution) {
    parts.push_back(SetSteps(facts, *change.steps_per_execution));
  }
  if (change.compute_type == DType::kBF16) {
    parts.push_back(UseBFloat16(facts.workload));
  }
  for (const NewWidth& width : change.widths) {
    parts.push_back(SetWidth(facts, width));
  }
  return parts;
}

}  // namespace

std::string WriteChange(const Facts& facts, const Change& change, Finding& found) {
  const bool other_type = change.compute_type && change.compute_type != DType::kBF16;
  // A wider layer is another model: its author decides that, not an edit.
  const bool wider = std::ranges::any_of(change.widths, [&](const NewWidth& width) {
    return width.size > facts.source->op(width.op).shape.size(width.dim);
  });
  if (change.pipeline || !change.replace.empty() || other_type || wider) return "";
  std::string text;
  std::vector<TextEdit> edits;
  for (const FileEdit& part : PartsOf(facts, change)) {
    if (part.edits.empty() || !AddEdits(part.edits, edits)) return "";
    text += (text.empty() ? "" : ", ") + part.text;
  }
  if (edits.empty()) return "";
  found.fix.edits = std::move(edits);
  found.fix.applicability = Applicability::kUnsafe;
  return text;
}

}  // namespace tilewise
