// Text protos: parsing, completeness and listing, all by reflection so that a
// new field needs no code here.

#include "hardware/text_file.h"

#include <algorithm>

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include "hardware/number.pb.h"

namespace tilewise {
namespace {

namespace pb = google::protobuf;

class FirstError final : public pb::io::ErrorCollector {
 public:
  explicit FirstError(std::string_view file) : file_(file) {}
  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = fmt::format("{}:{}:{}: {}", file_, line + 1, column + 1, message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string file_;
  std::string text_;
};

bool IsNumber(const pb::FieldDescriptor& field) {
  return field.message_type() == proto::Number::descriptor();
}

void AppendNumbers(const pb::Message& message, const std::string& path,
                   std::vector<SourcedNumber>& out);

void AppendField(const pb::Message& message, const pb::FieldDescriptor& field,
                 const std::string& path, std::vector<SourcedNumber>& out) {
  if (field.cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) return;
  const pb::Reflection& reflection = *message.GetReflection();
  if (field.is_repeated()) {
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
      AppendNumbers(reflection.GetRepeatedMessage(message, &field, i),
                    fmt::format("{}{}[{}].", path, field.name(), i), out);
    }
    return;
  }
  if (!IsNumber(field) || !reflection.HasField(message, &field)) return;
  proto::Number number;
  number.CopyFrom(reflection.GetMessage(message, &field));
  out.push_back({path + field.name(), fmt::format("{}", number.value()),
                 fmt::format("{}: {}", KindText(number.kind()), number.source())});
}

void AppendNumbers(const pb::Message& message, const std::string& path,
                   std::vector<SourcedNumber>& out) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    AppendField(message, *type.field(i), path, out);
  }
}

void AppendLocations(std::string_view file, const pb::Message& message,
                     const pb::TextFormat::ParseInfoTree& tree, FieldLocations& places) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    if (field.is_repeated()) continue;
    const pb::TextFormat::ParseLocation place = tree.GetLocation(&field, -1);
    if (place.line < 0) continue;
    places[field.name()] = fmt::format("{}:{}:{}", file, place.line + 1, place.column + 1);
  }
}

}  // namespace

std::string KindText(proto::Number::Kind kind) {
  switch (kind) {
    case proto::Number::DATA_SHEET:
      return "data sheet";
    case proto::Number::MEASURED:
      return "measured";
    case proto::Number::FITTED:
      return "fitted";
    case proto::Number::ASSUMED:
      return "assumed";
    case proto::Number::UNKNOWN:
      break;
  }
  return "unknown";
}

absl::Status ParseTextFile(std::string_view file, std::string_view text, pb::Message& message,
                           FieldLocations* places) {
  FirstError error(file);
  pb::TextFormat::ParseInfoTree tree;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(&tree);
  if (parser.ParseFromString(std::string(text), &message)) {
    if (places != nullptr) AppendLocations(file, message, tree, *places);
    return absl::OkStatus();
  }
  return InvalidInput(error.text().empty() ? fmt::format("{}: not a text proto", file)
                                           : error.text());
}

absl::Status CheckComplete(std::string_view file, const pb::Message& message,
                           const std::vector<std::string_view>& optional) {
  const pb::Descriptor& type = *message.GetDescriptor();
  const pb::Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    if (field.is_repeated() || reflection.HasField(message, &field)) continue;
    const bool may_lack =
        std::find(optional.begin(), optional.end(), field.name()) != optional.end();
    if (may_lack) continue;
    return InvalidInput(
        fmt::format("{}: found no {}, expected one in every {}", file, field.name(), type.name()));
  }
  return absl::OkStatus();
}

std::vector<SourcedNumber> ListNumbers(const pb::Message& message) {
  std::vector<SourcedNumber> numbers;
  AppendNumbers(message, "", numbers);
  return numbers;
}

}  // namespace tilewise
