// By reflection: which constants may be fitted is an option of the schema's
// fields.

#include "hardware/overlay.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include "hardware/catalog.h"

namespace tilewise {
namespace {

namespace pb = google::protobuf;

const pb::FieldDescriptor* FindFittable(std::string_view name) {
  const pb::FieldDescriptor* field = proto::Chip::descriptor()->FindFieldByName(std::string(name));
  if (field == nullptr || !field->options().HasExtension(proto::fittable)) {
    return nullptr;
  }
  return field;
}

proto::Number NumberOf(const proto::Chip& file, const pb::FieldDescriptor& field) {
  proto::Number number;
  number.CopyFrom(file.GetReflection()->GetMessage(file, &field));
  return number;
}

bool IsOpen(proto::Number::Kind kind) {
  return kind == proto::Number::FITTED || kind == proto::Number::ASSUMED;
}

absl::Status Apply(std::span<const ChangedConstant> changes, proto::Chip& file) {
  for (const ChangedConstant& change : changes) {
    const pb::FieldDescriptor* field = FindFittable(change.field);
    if (field == nullptr) {
      return InvalidInput(
          fmt::format("found constant '{}', expected one that may be fitted", change.field));
    }
    proto::Number number;
    number.set_value(change.value);
    number.set_kind(proto::Number::FITTED);
    number.set_source(change.source);
    file.GetReflection()->MutableMessage(&file, field)->CopyFrom(number);
  }
  return absl::OkStatus();
}

std::string FieldText(const proto::Chip& file, const pb::FieldDescriptor& field, int index) {
  pb::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string value;
  printer.PrintFieldValueToString(file, &field, index, &value);
  if (field.cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) {
    return fmt::format("{}: {}\n", field.name(), value);
  }
  while (value.ends_with(' ')) value.pop_back();
  return fmt::format("{} {{ {} }}\n", field.name(), value);
}

std::string FileText(const proto::Chip& file) {
  std::string text =
      "# proto-file: hardware/chip.proto\n"
      "# proto-message: tilewise.proto.Chip\n\n";
  const pb::Descriptor& type = *proto::Chip::descriptor();
  const pb::Reflection& reflection = *file.GetReflection();
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    if (field.is_repeated()) {
      for (int j = 0; j < reflection.FieldSize(file, &field); ++j) {
        text += FieldText(file, field, j);
      }
    } else if (reflection.HasField(file, &field)) {
      text += FieldText(file, field, -1);
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<FittableConstant>> FittableConstants(std::string_view chip) {
  TW_ASSIGN_OR_RETURN(const proto::Chip file, FindChipFile(chip));
  std::vector<FittableConstant> constants;
  const pb::Descriptor& type = *proto::Chip::descriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor* field = FindFittable(type.field(i)->name());
    if (field == nullptr) continue;
    const proto::Number number = NumberOf(file, *field);
    const proto::Fittable& range = field->options().GetExtension(proto::fittable);
    if (!IsOpen(number.kind()) || number.value() < range.least() || number.value() > range.most()) {
      continue;
    }
    constants.push_back({field->name(), number.value(), range.least(), range.most(),
                         KindText(number.kind()), range.chooses()});
  }
  return constants;
}

absl::StatusOr<Chip> FindChipWith(std::string_view chip, std::span<const ChangedConstant> changes) {
  TW_ASSIGN_OR_RETURN(proto::Chip file, FindChipFile(chip));
  TW_RETURN_IF_ERROR(Apply(changes, file));
  return ReadChip(chip, file);
}

absl::StatusOr<std::string> OverlayText(std::string_view chip,
                                        std::span<const ChangedConstant> changes) {
  TW_RETURN_IF_ERROR(FindChipWith(chip, changes).status());
  TW_ASSIGN_OR_RETURN(proto::Chip own, FindOwnChipFile(chip));
  TW_RETURN_IF_ERROR(Apply(changes, own));
  return FileText(own);
}

absl::StatusOr<std::string> BaseChipName(std::string_view chip) {
  TW_ASSIGN_OR_RETURN(const proto::Chip own, FindOwnChipFile(chip));
  if (!own.has_base()) return own.name();
  TW_ASSIGN_OR_RETURN(const proto::Chip base, FindChipFile(own.base()));
  return base.name();
}

}  // namespace tilewise
