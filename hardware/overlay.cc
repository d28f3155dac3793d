// Constants are found by reflection: which may be fitted is an option of the
// schema's fields.

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

void SetNumber(const ChangedConstant& change, const pb::FieldDescriptor& field, pb::Message& file) {
  proto::Number number;
  number.set_value(change.value);
  number.set_kind(proto::Number::FITTED);
  number.set_source(change.source);
  file.GetReflection()->MutableMessage(&file, &field)->CopyFrom(number);
}

absl::Status UnknownConstant(std::string_view field) {
  return InvalidInput(fmt::format("found constant '{}', expected one that may be fitted", field));
}

absl::Status Apply(std::span<const ChangedConstant> changes, proto::Chip& file) {
  for (const ChangedConstant& change : changes) {
    const pb::FieldDescriptor* field = FindFittable(change.field);
    if (field == nullptr) return UnknownConstant(change.field);
    SetNumber(change, *field, file);
  }
  return absl::OkStatus();
}

void Apply(const MeasuredMachine& machine, proto::Chip& file) {
  if (machine.range) {
    proto::MeasuredRange& range = *file.mutable_measured_over_simulated();
    range.set_low(machine.range->low);
    range.set_lower_third(machine.range->lower_third);
    range.set_upper_third(machine.range->upper_third);
    range.set_high(machine.range->high);
    range.set_ops(machine.range->rows);
    range.set_source(machine.source);
  }
  if (!machine.host.empty()) file.set_default_host(machine.host);
  if (!machine.slice_host.empty()) file.set_slice_host(machine.slice_host);
}

std::string FieldText(const pb::Message& file, const pb::FieldDescriptor& field, int index) {
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

std::string FileText(std::string_view schema, const pb::Message& file) {
  const pb::Descriptor& type = *file.GetDescriptor();
  std::string text =
      fmt::format("# proto-file: hardware/{}\n# proto-message: {}\n\n", schema, type.full_name());
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
                                        std::span<const ChangedConstant> changes,
                                        const MeasuredMachine& machine) {
  TW_RETURN_IF_ERROR(FindChipWith(chip, changes).status());
  TW_ASSIGN_OR_RETURN(proto::Chip own, FindOwnChipFile(chip));
  TW_RETURN_IF_ERROR(Apply(changes, own));
  Apply(machine, own);
  return FileText("chip.proto", own);
}

absl::StatusOr<std::string> HostOverlayText(std::string_view host, std::string_view framework,
                                            std::span<const ChangedConstant> changes) {
  TW_ASSIGN_OR_RETURN(proto::Host own, FindOwnHostFile(host));
  proto::HostRuntime* runtime = nullptr;
  for (proto::HostRuntime& one : *own.mutable_runtimes()) {
    if (one.framework() == framework) runtime = &one;
  }
  if (runtime == nullptr) {
    runtime = own.add_runtimes();
    runtime->set_framework(std::string(framework));
  }
  for (const ChangedConstant& change : changes) {
    const pb::FieldDescriptor* field =
        proto::HostRuntime::descriptor()->FindFieldByName(change.field);
    const bool number = field != nullptr && field->message_type() == proto::Number::descriptor();
    if (!number) return UnknownConstant(change.field);
    SetNumber(change, *field, *runtime);
  }
  return FileText("host.proto", own);
}

absl::StatusOr<std::string> BaseChipName(std::string_view chip) {
  TW_ASSIGN_OR_RETURN(const proto::Chip own, FindOwnChipFile(chip));
  if (!own.has_base()) return own.name();
  TW_ASSIGN_OR_RETURN(const proto::Chip base, FindChipFile(own.base()));
  return base.name();
}

}  // namespace tilewise
