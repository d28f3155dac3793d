// Names are matched as patterns made from the table.

#include "accuracy/model_shapes.h"

#include <algorithm>
#include <cctype>

#include "accuracy/published.h"

namespace tilewise {
namespace {

// "gpt-3 175b" -> "(?:^|[^a-z])(gpt[-_ ]?3[-_ ]?175b)(?![0-9])".
std::string PatternOf(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '-' || c == ' ') {
      pattern += "[-_ ]?";
    } else if (std::isalnum(byte) != 0) {
      pattern += c;
    } else {
      pattern += std::string("\\") + c;
    }
  }
  return "(?:^|[^a-z])(" + pattern + ")(?![0-9])";
}

}  // namespace

SpecParts::SpecParts(std::string_view spec, std::string_view name) : name_(name) {
  size_t comma = std::min(spec.find(','), spec.size());
  model_ = spec.substr(0, comma);
  while (comma < spec.size()) {
    spec.remove_prefix(comma + 1);
    comma = std::min(spec.find(','), spec.size());
    const std::string_view item = spec.substr(0, comma);
    const size_t equals = std::min(item.find('='), item.size());
    Set(item.substr(0, equals), equals < item.size() ? item.substr(equals + 1) : "");
  }
}

void SpecParts::Set(std::string_view name, std::string_view value) {
  for (auto& [known, old] : values_) {
    if (known == name) {
      old = value;
      return;
    }
  }
  values_.emplace_back(name, value);
}

bool SpecParts::Has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(),
                     [name](const auto& value) { return value.first == name; });
}

std::string SpecParts::text() const {
  std::string text = model_;
  for (const auto& [name, value] : values_) text += "," + name + "=" + value;
  return text;
}

SpecParts ShapeOfNamedModel(const TextMatch& text) {
  const PublishedModel* longest = nullptr;
  for (const PublishedModel& model : PublishedModels()) {
    if (longest && model.name.size() <= longest->name.size()) continue;
    if (!text.Word(PatternOf(model.name)).empty()) longest = &model;
  }
  return longest ? SpecParts(longest->spec, longest->name) : SpecParts("");
}

}  // namespace tilewise
