// yaml-cpp's nodes are walked once, with limits: an alias may stand for much
// more than its text, and a node may be deeper than any configuration.

#include "lint/config_yaml.h"

#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace tilewise {
namespace {

constexpr int kDeepest = 16;
constexpr int kMostValues = 100'000;
constexpr size_t kLongestShown = 64;

Location LocationOf(const std::string& path, const YAML::Mark& mark) {
  if (mark.is_null()) return {.file = path};
  return {.file = path, .line = mark.line + 1, .column = mark.column + 1};
}

class Converter {
 public:
  explicit Converter(const std::string& path) : path_(path) {}

  absl::StatusOr<YamlValue> Convert(const YAML::Node& node, int depth) {
    YamlValue value;
    value.from = LocationOf(path_, node.Mark());
    if (depth > kDeepest) {
      return ErrorAt(value.from, fmt::format("found values nested deeper than "
                                             "{} levels, expected fewer",
                                             kDeepest));
    }
    if (++values_ > kMostValues) {
      return ErrorAt(value.from, "found more than 100,000 values, expected fewer");
    }
    if (node.IsScalar()) {
      value.kind = YamlValue::Kind::kScalar;
      value.scalar = node.Scalar();
    } else if (node.IsSequence()) {
      TW_RETURN_IF_ERROR(AddItems(node, depth, value));
    } else if (node.IsMap()) {
      TW_RETURN_IF_ERROR(AddMembers(node, depth, value));
    }
    return value;
  }

 private:
  absl::Status AddItems(const YAML::Node& node, int depth, YamlValue& value) {
    value.kind = YamlValue::Kind::kList;
    for (const YAML::Node& item : node) {
      TW_ASSIGN_OR_RETURN(YamlValue converted, Convert(item, depth + 1));
      value.items.push_back(std::move(converted));
    }
    return absl::OkStatus();
  }

  absl::Status AddMembers(const YAML::Node& node, int depth, YamlValue& value) {
    value.kind = YamlValue::Kind::kMap;
    std::set<std::string> seen;
    for (const auto& pair : node) {
      const Location place = LocationOf(path_, pair.first.Mark());
      if (!pair.first.IsScalar()) {
        return ErrorAt(place, "found a key that is no text, expected a name");
      }
      const std::string& key = pair.first.Scalar();
      if (!seen.insert(key).second) {
        return ErrorAt(
            place, fmt::format("found '{}' twice, expected it once", key.substr(0, kLongestShown)));
      }
      TW_ASSIGN_OR_RETURN(YamlValue converted, Convert(pair.second, depth + 1));
      value.members.push_back({key, place, std::move(converted)});
    }
    return absl::OkStatus();
  }

  const std::string& path_;
  int values_ = 0;
};

// Finds where documents begin.
class DocumentStarts : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  std::vector<YAML::Mark> marks;
};

// This reads at most two: the parser finds documents without end at a comma that stands first.
std::vector<YAML::Mark> FirstDocuments(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) {
  }
  return std::move(starts.marks);
}

}  // namespace

absl::Status ErrorAt(const Location& place, const std::string& message) {
  return InvalidInput(fmt::format("{}: {}", FormatLocation(place), message));
}

std::string DescribeYaml(const YamlValue& value) {
  switch (value.kind) {
    case YamlValue::Kind::kNull:
      return "nothing";
    case YamlValue::Kind::kList:
      return "a list";
    case YamlValue::Kind::kMap:
      return "a map";
    case YamlValue::Kind::kScalar:
      break;
  }
  return fmt::format("'{}'", value.scalar.substr(0, kLongestShown));
}

absl::StatusOr<YamlValue> ParseYaml(std::string_view text, const std::string& path) {
  try {
    const std::string copy(text);
    const std::vector<YAML::Mark> documents = FirstDocuments(copy);
    if (documents.empty()) return YamlValue{.from = {.file = path}};
    if (documents.size() > 1) {
      return ErrorAt(LocationOf(path, documents[1]), "found a second document, expected one");
    }
    return Converter(path).Convert(YAML::Load(copy), 0);
  } catch (const YAML::Exception& error) {
    return ErrorAt(LocationOf(path, error.mark), fmt::format("found no YAML: {}", error.msg));
  } catch (const std::exception& error) {
    return ErrorAt({.file = path}, fmt::format("found no YAML: {}", error.what()));
  }
}

}  // namespace tilewise
