// The groups of options are walked; each value has the place where the program sets it.

#include "frontend/program/pipeline_options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/program/record_facts.h"

namespace tilewise::program {
namespace {

constexpr int kMaxGroups = 4;

std::string TextOfOption(const py::Value& value) {
  if (value.tag == py::Value::Tag::kBool) return value.truth ? "True" : "False";
  if (const auto number = py::AsInt(value)) return fmt::format("{}", *number);
  if (const std::string* text = py::TextOf(value)) return *text;
  const py::Instance* instance = value.as<py::Instance>();
  const py::Value* name = instance == nullptr ? nullptr : AttributeOf(*instance, "name");
  const std::string* text = name == nullptr ? nullptr : py::TextOf(*name);
  return text == nullptr ? "" : text->substr(text->rfind('.') + 1);
}

const Place* PlaceOfOption(const py::Instance& group, const std::string& name) {
  const py::Value* places = AttributeOf(group, "_places");
  const py::Dict* dict = places == nullptr ? nullptr : places->as<py::Dict>();
  if (dict == nullptr) return nullptr;
  for (const py::Dict::Entry& entry : dict->entries) {
    const std::string* key = entry.live ? py::TextOf(entry.key) : nullptr;
    if (key != nullptr && *key == name && entry.value.is_object()) {
      return dynamic_cast<const Place*>(entry.value.object);
    }
  }
  return nullptr;
}

void AddOptions(const py::Instance& group, const std::string& prefix, int depth, SourceTexts& texts,
                std::vector<PipelineOption>& options) {
  for (const auto& [symbol, value] : group.attributes.items()) {
    const std::string& name = *symbol;
    if (name.starts_with("_")) continue;
    const std::string full = prefix.empty() ? name : prefix + "." + name;
    const py::Instance* inner = value.as<py::Instance>();
    if (inner != nullptr && depth < kMaxGroups && AttributeOf(*inner, "_places") != nullptr) {
      AddOptions(*inner, full, depth + 1, texts, options);
      continue;
    }
    const std::string text = TextOfOption(value);
    if (text.empty()) continue;
    PipelineOption option{full, text, {}, {}};
    if (const Place* place = PlaceOfOption(group, name)) {
      option.location = place->location;
      if (python::Node assignment = texts.Around(place->statement, "assignment")) {
        option.target = assignment.field("left").span();
        option.location = assignment.field("left").location();
      }
    }
    options.push_back(std::move(option));
  }
}

// Options whose value False turns rewrites off that a rule counts on.
bool DisablesRewrites(const PipelineOption& option) {
  if (option.value != "False") return false;
  const std::string_view name = std::string_view(option.name).substr(option.name.rfind('.') + 1);
  return name == "apply_default_optimizations" || name == "map_and_batch_fusion" ||
         name == "map_parallelization" || name == "autotune" || option.name == "autotune.enabled";
}

}  // namespace

void ApplyOptions(const py::Value* options, SourceTexts& texts, Pipeline& pipeline) {
  const py::Instance* object = options == nullptr ? nullptr : options->as<py::Instance>();
  if (object == nullptr) return;
  std::vector<PipelineOption> set;
  AddOptions(*object, "", 0, texts, set);
  std::ranges::stable_sort(set, {}, &PipelineOption::location);
  for (PipelineOption& option : set) {
    if (DisablesRewrites(option)) pipeline.rewrites_disabled = true;
    const bool ordered =
        option.name == "deterministic" || option.name == "experimental_deterministic";
    if (ordered && option.value == "True") pipeline.reproducible = true;
    pipeline.options.push_back(std::move(option));
  }
}

}  // namespace tilewise::program
