// One entry per id that readers and sessions give to their notes.

#include "rules/note_kinds.h"

#include <algorithm>
#include <array>

namespace tilewise {
namespace {

constexpr std::array kKinds = {
    RuleInfo{.id = "RD001",
             .name = "unknown-layer",
             .severity = Severity::kInfo,
             .summary = "a layer or op that is not known: its cost is missing",
             .doc = R"(
What: a layer, op or call whose meaning is not known. It stands in the graph as
an opaque op whose result has the shape that the file gives it, if it gives one.
Effect: neither its time nor its memory is counted; the report says how much of
the model is costed, and findings about its neighbours may miss a cause.
Remedy: export the model in a form in which the layer is made of plain ops: ONNX,
StableHLO, HLO or a SavedModel instead of Python.)"},
    RuleInfo{.id = "RD002",
             .name = "cannot-resolve",
             .severity = Severity::kInfo,
             .summary = "a value that the files do not tell was assumed",
             .doc = R"(
What: a value that is computed when the program runs - a batch size, a width, a
path, the number of iterations of a loop - or an import that is not there.
Effect: the note says what was taken instead; where nothing was, the part that
depends on the value is left out.
Remedy: give it by flag or configuration (--batch, --steps-per-epoch, --batch-dim),
or write it as a literal.)"},
    RuleInfo{.id = "RD003",
             .name = "ignored-part",
             .severity = Severity::kInfo,
             .summary = "a part of a file was left out",
             .doc = R"(
What: something that was read but is not part of the simulated step: further
models or modules of the same file, outputs that nothing uses, settings that the
simulation has no use for, a file that holds no model.
Effect: nothing is said about that part.
Remedy: none, if it is not the part that you care for; else give the file that
holds that part alone, or name it as the note says.)"},
    RuleInfo{.id = "RD004",
             .name = "shape-disagrees",
             .severity = Severity::kInfo,
             .summary = "shapes do not fit, or the model cannot be simulated",
             .doc = R"(
What: the shape that a file writes down is not the one that follows from the op
and its operands; or the model as a whole cannot be lowered for the target, and
the note says at which op.
Effect: the shape of the file is used. A model that cannot be lowered has no
times, memory or savings; rules about input and host loop run all the same.
Remedy: look at the op that the note names; when the file is right, please
report it with the smallest model that shows it.)"},
    RuleInfo{.id = "RD005",
             .name = "model-not-read",
             .severity = Severity::kWarning,
             .summary = "a program trains a model that could not be followed",
             .doc = R"(
What: a program that builds or trains a model was run on what is known, and no
step came out; the note has the reason.
Effect: there is no step time, no memory, no tuning, and no rule on ops speaks.
That nothing was found says nothing of the model.
Remedy: what the reason asks for: a package's folder (--python-path), the
program's command line (-- --data_dir ..), a value (--assume NAME=VALUE), or the
model alone (--model and --input).)"},
    RuleInfo{.id = "RD006",
             .name = "too-small",
             .severity = Severity::kInfo,
             .summary = "rules saw something that is not worth a change of the program here",
             .doc = R"(
What: what the rules of the run see in the program and only its cost keeps from
being a finding, each rule once for each reason, with its places and its cost.
"little of the step" is below the rule's floor, or 0.5 % to 5 % of the step. "a fix
saves little" is less than 0.5 % of the step with a safe fix, 2 % with another one,
5 % where it changes numerics. "hidden behind the input", or the host: the device
waits for these longer than a fix of the step saves. "the input is 12x faster than
the step": it works beside the device. "only another model has less of it": no
change of this one is known that saves it. "matters once it runs on a TPU": the
program is written for GPUs.
Effect: none here; on another machine, at another batch or once the input keeps up
each of them may count.
Remedy: none; 'tilewise explain RULE' says what each is.)"}};

}  // namespace

std::span<const RuleInfo> NoteKinds() { return kKinds; }

const RuleInfo* FindNoteKind(std::string_view id_or_name) {
  const auto* const found = std::ranges::find_if(kKinds, [id_or_name](const RuleInfo& kind) {
    return kind.id == id_or_name || kind.name == id_or_name;
  });
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace tilewise
