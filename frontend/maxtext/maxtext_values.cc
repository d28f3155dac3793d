// Finds the files beside the one that was given, as MaxText's folders have them:
// configs/base.yml, configs/models/NAME.yml.

#include "frontend/maxtext/maxtext_values.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "frontend/mapped_file.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr int kMostBases = 4;

bool IsBase(const Setting& root) {
  return root.Find("base_output_directory") != nullptr && root.Find("model_name") != nullptr &&
         root.Find("base_config") == nullptr;
}

// base.yml in the folder or in one of those that it lies in.
std::vector<std::string> BasesAround(const fs::path& folder, const std::string& name) {
  const fs::path parent = folder / "..";
  return {(folder / name).lexically_normal().string(), (parent / name).lexically_normal().string(),
          (parent / fs::path(name).filename()).lexically_normal().string(),
          (parent / ".." / fs::path(name).filename()).lexically_normal().string()};
}

Setting OfArguments(const std::vector<std::string>& arguments, const std::string& path) {
  Setting root;
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    if (equals == std::string::npos) continue;
    Setting& setting = root.children.emplace_back();
    setting.key = argument.substr(0, equals);
    setting.value = argument.substr(equals + 1);
    setting.is_scalar = true;
    setting.location = {path, 0, 0, 0, ""};
  }
  return root;
}

}  // namespace

absl::StatusOr<bool> MaxTextValues::Add(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    consulted_.push_back(path);
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    absl::StatusOr<MappedFile> file = MappedFile::Open(path);
    if (!file.ok()) continue;
    TW_ASSIGN_OR_RETURN(Setting root, ParseYamlSettings({path, file->bytes()}));
    layers_.push_back(std::move(root));
    return true;
  }
  return false;
}

absl::StatusOr<MaxTextValues> MaxTextValues::Read(const InputFile& file,
                                                  const std::vector<std::string>& arguments) {
  MaxTextValues values;
  TW_ASSIGN_OR_RETURN(Setting own, ParseYamlSettings(file));
  values.start_ =
      own.children.empty() ? Location{file.path, 1, 1, 0, ""} : own.children.front().location;
  const fs::path folder = fs::path(file.path).parent_path();
  // A base may have one of its own.
  const Setting* of = IsBase(own) ? nullptr : &own;
  for (int i = 0; of != nullptr && i < kMostBases; ++i) {
    const Setting* base = of->Find("base_config");
    if (base == nullptr && i > 0) break;
    const std::string name = base == nullptr ? "base.yml" : base->value;
    TW_ASSIGN_OR_RETURN(const bool found, values.Add(BasesAround(folder, name)));
    if (!found && base != nullptr) values.missing_base_ = name;
    of = found ? &values.layers_.back() : nullptr;
  }
  std::reverse(values.layers_.begin(), values.layers_.end());
  Setting given = OfArguments(arguments, file.path);
  values.layers_.push_back(std::move(own));
  const Setting* name = given.Find("model_name");
  if (name == nullptr) name = values.layers_.back().Find("model_name");
  if (name != nullptr && !name->is_null() && name->value != "default") {
    const std::string model = name->value + ".yml";
    TW_ASSIGN_OR_RETURN(
        const bool found,
        values.Add({(folder / "models" / model).string(), (folder / model).string(),
                    (folder / ".." / "models" / model).lexically_normal().string()}));
    if (!found) values.missing_model_ = model;
  }
  values.layers_.push_back(std::move(given));
  return values;
}

const Setting* MaxTextValues::Find(std::string_view key) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    const std::vector<Setting>& settings = layer->children;
    const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                    [&](const Setting& setting) { return setting.key == key; });
    if (found != settings.rend()) return &*found;
  }
  return nullptr;
}

int64_t MaxTextValues::Integer(std::string_view key, int64_t otherwise) const {
  return static_cast<int64_t>(Number(key, static_cast<double>(otherwise)));
}

double MaxTextValues::Number(std::string_view key, double otherwise) const {
  constexpr double kLargest = 1e15;
  const Setting* setting = Find(key);
  if (setting == nullptr) return otherwise;
  if (const std::optional<int64_t> whole = setting->integer()) {
    return static_cast<double>(*whole);
  }
  double value = 0;
  const std::string& text = setting->value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && value > -kLargest && value < kLargest ? value : otherwise;
}

bool MaxTextValues::Flag(std::string_view key, bool otherwise) const {
  const Setting* setting = Find(key);
  return setting == nullptr ? otherwise : setting->boolean().value_or(otherwise);
}

std::string MaxTextValues::Text(std::string_view key, std::string_view otherwise) const {
  const Setting* setting = Find(key);
  return setting == nullptr || !setting->is_scalar || setting->is_null() ? std::string(otherwise)
                                                                         : setting->value;
}

}  // namespace tilewise
