// Decodes attributes: AttrValue messages.

#include "frontend/tensorflow/attr_value.h"

#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

using AttrMessage = tensorflow::AttrValue;
using List = tensorflow::AttrValue::ListValue;
using protozero::pbf_wire_type;

// Calls `visit` with the reader at field `field` of the attribute, the last one
// when there are several. False: no such field, or malformed bytes.
template <typename Visit>
bool VisitField(Attrs attrs, std::string_view name, uint32_t field, pbf_wire_type type,
                Visit visit) {
  const Attr* attr = FindAttr(attrs, name);
  if (attr == nullptr) return false;
  try {
    protozero::pbf_reader reader = Reader(attr->value);
    bool found = false;
    while (reader.next(field, type)) {
      visit(reader);
      found = true;
    }
    return found;
  } catch (const protozero::exception&) {
    return false;
  }
}

// Calls `visit` for every element of list field `field`, packed or not. True
// when the attribute is a list, if only an empty one.
template <typename Visit>
bool VisitList(Attrs attrs, std::string_view name, Visit visit) {
  return VisitField(attrs, name, AttrMessage::kListFieldNumber, pbf_wire_type::length_delimited,
                    [&](protozero::pbf_reader& reader) {
                      protozero::pbf_reader list(reader.get_message());
                      while (list.next()) visit(list);
                    });
}

std::optional<std::vector<int64_t>> Integers(Attrs attrs, std::string_view name, uint32_t field) {
  std::vector<int64_t> values;
  const bool found = VisitList(attrs, name, [&](protozero::pbf_reader& list) {
    if (list.tag() != field) return list.skip();
    if (list.wire_type() == pbf_wire_type::varint) {
      values.push_back(list.get_int64());
    } else {
      for (const int64_t v : list.get_packed_int64()) values.push_back(v);
    }
  });
  if (!found) return std::nullopt;
  return values;
}

FunctionRef DecodeFunction(std::string_view bytes) {
  FunctionRef function;
  protozero::pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    if (reader.tag() == tensorflow::NameAttrList::kNameFieldNumber) {
      function.name = Bytes(reader);
    } else if (reader.tag() == tensorflow::NameAttrList::kAttrFieldNumber) {
      protozero::pbf_reader entry = Reader(Bytes(reader));
      Attr attr;
      while (entry.next()) {
        if (entry.tag() == 1) {
          attr.name = Bytes(entry);
        } else if (entry.tag() == 2) {
          attr.value = Bytes(entry);
        } else {
          entry.skip();
        }
      }
      function.attrs.push_back(attr);
    } else {
      reader.skip();
    }
  }
  return function;
}

}  // namespace

const Attr* FindAttr(Attrs attrs, std::string_view name) {
  for (const Attr& attr : attrs) {
    if (attr.name == name) return &attr;
  }
  return nullptr;
}

std::optional<int64_t> AttrInt(Attrs attrs, std::string_view name) {
  int64_t value = 0;
  const bool found = VisitField(attrs, name, AttrMessage::kIFieldNumber, pbf_wire_type::varint,
                                [&](auto& reader) { value = reader.get_int64(); });
  if (!found) return std::nullopt;
  return value;
}

std::optional<double> AttrFloat(Attrs attrs, std::string_view name) {
  double value = 0;
  const bool found =
      VisitField(attrs, name, AttrMessage::kFFieldNumber, pbf_wire_type::fixed32,
                 [&](auto& reader) { value = static_cast<double>(reader.get_float()); });
  if (!found) return std::nullopt;
  return value;
}

std::optional<bool> AttrBool(Attrs attrs, std::string_view name) {
  bool value = false;
  const bool found = VisitField(attrs, name, AttrMessage::kBFieldNumber, pbf_wire_type::varint,
                                [&](auto& reader) { value = reader.get_int64() != 0; });
  if (!found) return std::nullopt;
  return value;
}

std::optional<std::string_view> AttrString(Attrs attrs, std::string_view name) {
  std::string_view value;
  const bool found =
      VisitField(attrs, name, AttrMessage::kSFieldNumber, pbf_wire_type::length_delimited,
                 [&](auto& reader) { value = View(reader.get_view()); });
  if (!found) return std::nullopt;
  return value;
}

std::optional<DataType> AttrType(Attrs attrs, std::string_view name) {
  int64_t value = 0;
  const bool found = VisitField(attrs, name, AttrMessage::kTypeFieldNumber, pbf_wire_type::varint,
                                [&](auto& reader) { value = reader.get_int64(); });
  if (!found) return std::nullopt;
  return WithoutReference(value);
}

std::optional<TensorShape> AttrShape(Attrs attrs, std::string_view name) {
  std::optional<TensorShape> value;
  VisitField(attrs, name, AttrMessage::kShapeFieldNumber, pbf_wire_type::length_delimited,
             [&](auto& reader) { value = DecodeShape(View(reader.get_view())); });
  return value;
}

std::optional<std::vector<int64_t>> AttrInts(Attrs attrs, std::string_view name) {
  return Integers(attrs, name, List::kIFieldNumber);
}

std::optional<std::vector<double>> AttrFloats(Attrs attrs, std::string_view name) {
  std::vector<double> values;
  const bool found = VisitList(attrs, name, [&](protozero::pbf_reader& list) {
    if (list.tag() != List::kFFieldNumber) return list.skip();
    if (list.wire_type() == pbf_wire_type::fixed32) {
      values.push_back(static_cast<double>(list.get_float()));
    } else {
      for (const float v : list.get_packed_float()) {
        values.push_back(static_cast<double>(v));
      }
    }
  });
  if (!found) return std::nullopt;
  return values;
}

std::optional<std::vector<std::string_view>> AttrStrings(Attrs attrs, std::string_view name) {
  std::vector<std::string_view> values;
  const bool found = VisitList(attrs, name, [&](protozero::pbf_reader& list) {
    if (list.tag() != List::kSFieldNumber) return list.skip();
    values.push_back(Bytes(list));
  });
  if (!found) return std::nullopt;
  return values;
}

std::optional<std::vector<DataType>> AttrTypes(Attrs attrs, std::string_view name) {
  const auto numbers = Integers(attrs, name, List::kTypeFieldNumber);
  if (!numbers) return std::nullopt;
  std::vector<DataType> types;
  types.reserve(numbers->size());
  for (const int64_t number : *numbers) {
    types.push_back(WithoutReference(number));
  }
  return types;
}

std::optional<std::vector<TensorShape>> AttrShapes(Attrs attrs, std::string_view name) {
  std::vector<TensorShape> values;
  bool whole = true;
  const bool found = VisitList(attrs, name, [&](protozero::pbf_reader& list) {
    if (list.tag() != List::kShapeFieldNumber) return list.skip();
    std::optional<TensorShape> shape = DecodeShape(Bytes(list));
    whole = whole && shape.has_value();
    values.push_back(std::move(shape).value_or(TensorShape{}));
  });
  if (!found || !whole) return std::nullopt;
  return values;
}

std::optional<FunctionRef> AttrFunction(Attrs attrs, std::string_view name) {
  FunctionRef function;
  const bool found =
      VisitField(attrs, name, AttrMessage::kFuncFieldNumber, pbf_wire_type::length_delimited,
                 [&](auto& reader) { function = DecodeFunction(Bytes(reader)); });
  if (!found) return std::nullopt;
  return function;
}

std::optional<std::vector<FunctionRef>> AttrFunctions(Attrs attrs, std::string_view name) {
  std::vector<FunctionRef> values;
  const bool found = VisitList(attrs, name, [&](protozero::pbf_reader& list) {
    if (list.tag() != List::kFuncFieldNumber) return list.skip();
    values.push_back(DecodeFunction(Bytes(list)));
  });
  if (!found) return std::nullopt;
  return values;
}

std::optional<std::string_view> AttrPlaceholder(const Attr& attr) {
  std::string_view value;
  const bool found = VisitField(Attrs(&attr, 1), attr.name, AttrMessage::kPlaceholderFieldNumber,
                                pbf_wire_type::length_delimited,
                                [&](auto& reader) { value = View(reader.get_view()); });
  if (!found) return std::nullopt;
  return value;
}

std::optional<TensorValue> AttrTensor(Attrs attrs, std::string_view name) {
  std::optional<TensorValue> value;
  VisitField(attrs, name, AttrMessage::kTensorFieldNumber, pbf_wire_type::length_delimited,
             [&](auto& reader) { value = DecodeTensor(View(reader.get_view())); });
  return value;
}

}  // namespace tilewise::tf
