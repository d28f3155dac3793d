// The zoo specs that published names of models stand for.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "accuracy/text_match.h"

namespace tilewise {

// A zoo spec in parts: "zoo:bert", {"layers", "24"} ...
class SpecParts {
 public:
  explicit SpecParts(std::string_view spec, std::string_view name = "");
  void Set(std::string_view name, std::string_view value);
  void Set(std::string_view name, int64_t value) { Set(name, std::to_string(value)); }
  bool Has(std::string_view name) const;
  // What the text does not say of the model.
  void Assume(std::string what) { assumed_.push_back(std::move(what)); }
  const std::vector<std::string>& assumed() const { return assumed_; }
  bool empty() const { return model_.empty(); }
  const std::string& model() const { return model_; }
  // The published name that it was found by, "" for none.
  const std::string& name() const { return name_; }
  std::string text() const;

 private:
  std::string name_, model_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> assumed_;
};

// The shape of the longest name of validation/models.csv that stands in the text,
// as a word and with or without its hyphens; empty for none.
SpecParts ShapeOfNamedModel(const TextMatch& text);

}  // namespace tilewise
