// The text was read as a model before: what does not look like one is passed
// over.

#include "edit/keras_text.h"

#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr int kDeepest = 50;  // models inside of models

class LayerFinder {
 public:
  explicit LayerFinder(std::string_view text) : text_(text) {}

  // `at`: of the object of a layer or model, to which `path` leads. `wrapper`:
  // the name of the layer that it is in; empty: none.
  void Add(size_t at, const std::string& path, std::string_view wrapper, int depth) {
    if (depth > kDeepest || at >= text_.size() || text_[at] != '{') return;
    const std::vector<JsonPart> entry = JsonParts(text_, at);
    const JsonPart* class_name = FindJsonMember(entry, "class_name");
    const JsonPart* config = FindJsonMember(entry, "config");
    if (class_name == nullptr || config == nullptr) return;
    std::vector<JsonPart> settings = JsonParts(text_, config->begin);
    const bool list = text_[config->begin] == '[';
    const JsonPart* layers = list ? config : FindJsonMember(settings, "layers");
    const std::string inside = Below(path, "config");
    if (layers != nullptr && text_[layers->begin] == '[') {
      AddAll(*layers, list ? inside : Below(inside, "layers"), depth);
      return;
    }
    if (text_[config->begin] != '{') return;
    LayerText layer = {.name = wrapper,
                       .class_name = JsonString(text_, class_name),
                       .path = path,
                       .settings = std::move(settings)};
    for (const auto* members : {&entry, &std::as_const(layer.settings)}) {
      if (!layer.name.empty()) break;
      layer.name = JsonString(text_, FindJsonMember(*members, "name"));
    }
    const JsonPart* wrapped = FindJsonMember(layer.settings, "layer");
    const size_t below = wrapped == nullptr ? text_.size() : wrapped->begin;
    const std::string_view name = layer.name;
    found_.push_back(std::move(layer));
    Add(below, Below(inside, "layer"), name, depth + 1);
  }

  std::vector<LayerText> Take() && { return std::move(found_); }

 private:
  static std::string Below(const std::string& path, std::string_view key) {
    return fmt::format("{}{}{}", path, path.empty() ? "" : ".", key);
  }

  void AddAll(const JsonPart& layers, const std::string& path, int depth) {
    const std::vector<JsonPart> entries = JsonParts(text_, layers.begin);
    for (size_t i = 0; i < entries.size(); ++i) {
      Add(entries[i].begin, fmt::format("{}[{}]", path, i), "", depth + 1);
    }
  }

  std::string_view text_;
  std::vector<LayerText> found_;
};

}  // namespace

std::string_view JsonString(std::string_view text, const JsonPart* part) {
  if (part == nullptr || part->end < part->begin + 2) return {};
  if (text[part->begin] != '"') return {};
  return text.substr(part->begin + 1, part->end - part->begin - 2);
}

std::vector<LayerText> LayersIn(std::string_view text) {
  size_t at = text.find('{');
  if (at == std::string_view::npos) return {};
  std::string path;
  for (const std::string_view wrapper : {"modelTopology", "model_config"}) {
    const std::vector<JsonPart> parts = JsonParts(text, at);
    const JsonPart* inside = FindJsonMember(parts, wrapper);
    if (inside == nullptr) continue;
    at = inside->begin;
    path += (path.empty() ? "" : ".") + std::string(wrapper);
  }
  LayerFinder finder(text);
  finder.Add(at, path, "", 0);
  return std::move(finder).Take();
}

}  // namespace tilewise
