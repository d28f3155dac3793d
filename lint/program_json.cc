// Structs become arrays in the order of their fields: short, and a field that
// is missing cannot be overlooked. nlohmann::json throws; the exceptions end
// in the two public functions.

#include "lint/program_json.h"

#include <nlohmann/json.hpp>

namespace tilewise {
namespace {

using nlohmann::json;

template <class T>
json OptionalJson(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
void ReadOptional(const json& value, std::optional<T>& result) {
  if (!value.is_null()) result = value.get<T>();
}

}  // namespace

// Found by argument-dependent look-up.
void to_json(json& j, const Seconds& value) { j = value.value; }
void from_json(const json& j, Seconds& value) { j.get_to(value.value); }
void to_json(json& j, const Bytes& value) { j = value.value; }
void from_json(const json& j, Bytes& value) { j.get_to(value.value); }

void to_json(json& j, const Location& place) {
  j = {place.file, place.line, place.column, place.cell, place.item};
}
void from_json(const json& j, Location& place) {
  j.at(0).get_to(place.file);
  j.at(1).get_to(place.line);
  j.at(2).get_to(place.column);
  j.at(3).get_to(place.cell);
  j.at(4).get_to(place.item);
}

void to_json(json& j, const Span& span) {
  j = {span.file, span.cell, span.begin, span.end};
}
void from_json(const json& j, Span& span) {
  j.at(0).get_to(span.file);
  j.at(1).get_to(span.cell);
  j.at(2).get_to(span.begin);
  j.at(3).get_to(span.end);
}

void to_json(json& j, const TextEdit& edit) {
  j = {edit.span, edit.replacement};
}
void from_json(const json& j, TextEdit& edit) {
  j.at(0).get_to(edit.span);
  j.at(1).get_to(edit.replacement);
}

void to_json(json& j, const Fix& fix) {
  j = {static_cast<int>(fix.applicability), fix.text, fix.edits,
       fix.changes_numerics};
}
void from_json(const json& j, Fix& fix) {
  fix.applicability = static_cast<Applicability>(j.at(0).get<int>());
  j.at(1).get_to(fix.text);
  j.at(2).get_to(fix.edits);
  j.at(3).get_to(fix.changes_numerics);
}

void to_json(json& j, const Cost& cost) {
  j = {OptionalJson(cost.time_per_step),
       OptionalJson(cost.share_of_step),
       cost.of_wall_step,
       OptionalJson(cost.bytes),
       OptionalJson(cost.flops),
       OptionalJson(cost.once_per_run),
       cost.unknown};
}
void from_json(const json& j, Cost& cost) {
  ReadOptional(j.at(0), cost.time_per_step);
  ReadOptional(j.at(1), cost.share_of_step);
  j.at(2).get_to(cost.of_wall_step);
  ReadOptional(j.at(3), cost.bytes);
  ReadOptional(j.at(4), cost.flops);
  ReadOptional(j.at(5), cost.once_per_run);
  j.at(6).get_to(cost.unknown);
}

void to_json(json& j, const Saving& saving) {
  j = {saving.time_per_step, saving.share_of_step, saving.of_wall_step,
       saving.hbm};
}
void from_json(const json& j, Saving& saving) {
  j.at(0).get_to(saving.time_per_step);
  j.at(1).get_to(saving.share_of_step);
  j.at(2).get_to(saving.of_wall_step);
  j.at(3).get_to(saving.hbm);
}

void to_json(json& j, const OpLine& line) {
  j = {line.text, line.begin, line.end};
}
void from_json(const json& j, OpLine& line) {
  j.at(0).get_to(line.text);
  j.at(1).get_to(line.begin);
  j.at(2).get_to(line.end);
}

void to_json(json& j, const Diagnostic& d) {
  j = {d.rule,
       d.name,
       static_cast<int>(d.severity),
       d.location,
       d.message,
       d.cost,
       d.fix,
       OptionalJson(d.saving),
       d.related,
       OptionalJson(d.op_line),
       d.fingerprint};
}
void from_json(const json& j, Diagnostic& d) {
  j.at(0).get_to(d.rule);
  j.at(1).get_to(d.name);
  d.severity = static_cast<Severity>(j.at(2).get<int>());
  j.at(3).get_to(d.location);
  j.at(4).get_to(d.message);
  j.at(5).get_to(d.cost);
  j.at(6).get_to(d.fix);
  ReadOptional(j.at(7), d.saving);
  j.at(8).get_to(d.related);
  ReadOptional(j.at(9), d.op_line);
  j.at(10).get_to(d.fingerprint);
}

void to_json(json& j, const SuppressedFinding& s) {
  j = {s.finding, s.reason, s.in_source, s.by};
}
void from_json(const json& j, SuppressedFinding& s) {
  j.at(0).get_to(s.finding);
  j.at(1).get_to(s.reason);
  j.at(2).get_to(s.in_source);
  j.at(3).get_to(s.by);
}

void to_json(json& j, const Outcome& o) {
  j = {o.step, o.wall_step, o.peak, o.mxu_use, o.per_example, o.global_batch};
}
void from_json(const json& j, Outcome& o) {
  j.at(0).get_to(o.step);
  j.at(1).get_to(o.wall_step);
  j.at(2).get_to(o.peak);
  j.at(3).get_to(o.mxu_use);
  j.at(4).get_to(o.per_example);
  j.at(5).get_to(o.global_batch);
}

void to_json(json& j, const Reachable& r) {
  j = {r.now,       r.safe,          r.all,     r.safe_fixes,
       r.all_fixes, r.not_simulated, r.left_out};
}
void from_json(const json& j, Reachable& r) {
  j.at(0).get_to(r.now);
  j.at(1).get_to(r.safe);
  j.at(2).get_to(r.all);
  j.at(3).get_to(r.safe_fixes);
  j.at(4).get_to(r.all_fixes);
  j.at(5).get_to(r.not_simulated);
  j.at(6).get_to(r.left_out);
}

void to_json(json& j, const SourceFile& file) {
  j = {file.path, file.text, file.cells};
}
void from_json(const json& j, SourceFile& file) {
  j.at(0).get_to(file.path);
  j.at(1).get_to(file.text);
  j.at(2).get_to(file.cells);
}

void to_json(json& j, const StepFigures& f) {
  j = {f.step,         f.mxu_busy, f.vector_busy, f.dma_busy,   f.collective,
       f.useful_flops, f.mxu_use,  f.lower_bound, f.hbm_traffic};
}
void from_json(const json& j, StepFigures& f) {
  j.at(0).get_to(f.step);
  j.at(1).get_to(f.mxu_busy);
  j.at(2).get_to(f.vector_busy);
  j.at(3).get_to(f.dma_busy);
  j.at(4).get_to(f.collective);
  j.at(5).get_to(f.useful_flops);
  j.at(6).get_to(f.mxu_use);
  j.at(7).get_to(f.lower_bound);
  j.at(8).get_to(f.hbm_traffic);
}

std::optional<std::string> WriteProgramJson(const LintedProgram& p) {
  try {
    const json j = {"tilewise program 1",
                    p.name,
                    p.target,
                    p.cores,
                    p.batch_per_core,
                    p.global_batch,
                    p.steps_per_execution,
                    p.training,
                    p.batch_assumed,
                    p.layers,
                    p.costed_share,
                    OptionalJson(p.figures),
                    p.findings,
                    OptionalJson(p.reachable),
                    p.suppressed,
                    p.used_entries,
                    p.notes,
                    p.files};
    return j.dump();
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<LintedProgram> ReadProgramJson(std::string_view text) {
  try {
    const json j = json::parse(text);
    if (j.at(0) != "tilewise program 1" || j.size() != 18) return std::nullopt;
    LintedProgram p;
    j.at(1).get_to(p.name);
    j.at(2).get_to(p.target);
    j.at(3).get_to(p.cores);
    j.at(4).get_to(p.batch_per_core);
    j.at(5).get_to(p.global_batch);
    j.at(6).get_to(p.steps_per_execution);
    j.at(7).get_to(p.training);
    j.at(8).get_to(p.batch_assumed);
    j.at(9).get_to(p.layers);
    j.at(10).get_to(p.costed_share);
    ReadOptional(j.at(11), p.figures);
    j.at(12).get_to(p.findings);
    ReadOptional(j.at(13), p.reachable);
    j.at(14).get_to(p.suppressed);
    j.at(15).get_to(p.used_entries);
    j.at(16).get_to(p.notes);
    j.at(17).get_to(p.files);
    return p;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tilewise
