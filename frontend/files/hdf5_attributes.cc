// Superblock -> object header of the root group -> attribute messages -> global
// heap. Every step is bounded: blocks of a header, messages, objects of a heap,
// and the text that comes out.

#include "frontend/files/hdf5_attributes.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "frontend/files/byte_cursor.h"
#include "frontend/files/hdf5_header.h"

namespace tilewise {
namespace {

constexpr uint64_t kLargestAttribute = uint64_t{64} << 20;
constexpr uint64_t kMostElements = 1024;
constexpr uint64_t kMostObjects = 1 << 16;

constexpr uint64_t kStringClass = 3;
constexpr uint64_t kVariableClass = 9;

struct Datatype {
  uint64_t kind = 0;  // class
  bool text = false;
  uint64_t size = 0;  // of an element, bytes
};

Datatype ParseDatatype(std::string_view message) {
  ByteCursor at(message);
  Datatype type;
  type.kind = at.Number(1) & 15;
  const uint64_t bits = at.Number(3);
  type.size = at.Number(4);
  type.text = at.ok() && type.size > 0 &&
              (type.kind == kStringClass || (type.kind == kVariableClass && (bits & 15) == 1));
  return type;
}

// Number of elements; 0: none, or too many.
uint64_t Elements(std::string_view message, const Hdf5File& file) {
  ByteCursor at(message);
  const uint64_t version = at.Number(1);
  const uint64_t rank = at.Number(1);
  at.Skip(version == 1 ? 6 : 2);
  uint64_t count = 1;
  for (uint64_t i = 0; i < rank && at.ok(); ++i) {
    const uint64_t dim = at.Number(file.length_size);
    if (dim > kMostElements || count * dim > kMostElements) return 0;
    count *= dim;
  }
  return at.ok() ? count : 0;
}

// Object `index` of the heap collection at `address`.
absl::StatusOr<std::string_view> HeapObject(const Hdf5File& file, uint64_t address,
                                            uint64_t index) {
  ByteCursor at(file.bytes, address);
  if (at.Take(4) != "GCOL") {
    return InvalidInput(fmt::format("byte {}: found no heap of strings, expected GCOL", address));
  }
  at.Skip(4 + file.length_size);
  for (uint64_t i = 0; i < kMostObjects && at.ok(); ++i) {
    const uint64_t found = at.Number(2);
    at.Skip(6);
    const uint64_t size = at.Number(file.length_size);
    if (found == index) {
      const std::string_view text = at.Take(size);
      if (at.ok()) return text;
      break;
    }
    if (found == 0) break;  // the free space is last
    at.Skip(size);
    at.Skip((8 - size % 8) % 8);
  }
  return InvalidInput(
      fmt::format("byte {}: string {} is not in its heap, expected it there", address, index));
}

std::string_view UpToZero(std::string_view text) { return text.substr(0, text.find('\0')); }

absl::StatusOr<std::string> ReadVariable(const Hdf5File& file, ByteCursor& data) {
  const uint64_t size = data.Number(4);
  const uint64_t address = data.Number(file.offset_size);
  const uint64_t index = data.Number(4);
  if (!data.ok()) return InvalidInput("a string ends early");
  if (size == 0) return std::string();
  TW_ASSIGN_OR_RETURN(const std::string_view object, HeapObject(file, address, index));
  return std::string(UpToZero(object.substr(0, size)));
}

absl::StatusOr<std::string> ReadTexts(const Hdf5File& file, const Datatype& type, uint64_t elements,
                                      std::string_view bytes) {
  ByteCursor data(bytes);
  std::string text;
  for (uint64_t i = 0; i < elements; ++i) {
    if (type.kind == kStringClass) {
      text += UpToZero(data.Take(type.size));
    } else {
      TW_ASSIGN_OR_RETURN(const std::string part, ReadVariable(file, data));
      text += part;
    }
    if (!data.ok()) return InvalidInput("a string ends early");
    if (text.size() > kLargestAttribute) {
      return InvalidInput("found more than 64 MiB, expected less");
    }
  }
  return text;
}

uint64_t PaddedTo8(uint64_t size) { return (size + 7) / 8 * 8; }

struct Attribute {
  std::string name;
  std::optional<std::string> text;  // of a type that is one
};

using Names = std::span<const std::string_view>;

bool Contains(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Texts of those in `wanted` only.
absl::StatusOr<Attribute> ParseAttribute(const Hdf5File& file, std::string_view message,
                                         Names wanted) {
  ByteCursor at(message);
  const uint64_t version = at.Number(1);
  const uint64_t flags = at.Number(1);
  const uint64_t name_size = at.Number(2);
  const uint64_t type_size = at.Number(2);
  const uint64_t space_size = at.Number(2);
  if (version == 3) at.Skip(1);  // character set
  const auto part = [&](uint64_t size) {
    const std::string_view taken = at.Take(size);
    if (version == 1) at.Skip(PaddedTo8(size) - size);
    return taken;
  };
  Attribute attribute;
  attribute.name = std::string(UpToZero(part(name_size)));
  const Datatype type = ParseDatatype(part(type_size));
  const uint64_t elements = Elements(part(space_size), file);
  if (!at.ok() || version < 1 || version > 3) {
    return InvalidInput("found a damaged attribute, expected version 1 to 3");
  }
  const bool shared = version > 1 && (flags & 3) != 0;
  if (!type.text || shared || !Contains(wanted, attribute.name)) {
    return attribute;
  }
  absl::StatusOr<std::string> text = ReadTexts(file, type, elements, at.Take(at.left()));
  if (!text.ok()) {
    return Annotate(text.status(), "attribute " + attribute.name.substr(0, 100));
  }
  attribute.text = *std::move(text);
  return attribute;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> RootAttributes(
    std::string_view bytes, std::span<const std::string_view> names) {
  TW_ASSIGN_OR_RETURN(const Hdf5File file, OpenHdf5(bytes));
  TW_ASSIGN_OR_RETURN(const std::vector<Hdf5Message> messages, RootMessages(file));
  std::map<std::string, std::string> attributes;
  for (const Hdf5Message& message : messages) {
    if (message.type == kHdf5AttributeHeap && HasHeap(file, message)) {
      return InvalidInput(
          "the root group keeps its attributes in a heap, expected up to eight "
          "attributes of up to 64 KiB in its header");
    }
    if (message.type != kHdf5Attribute) continue;
    TW_ASSIGN_OR_RETURN(Attribute attribute, ParseAttribute(file, message.data, names));
    if (!attribute.text) continue;
    // Names differ in a sound file; so a damaged one cannot cost more.
    const bool first = attributes.try_emplace(attribute.name, *std::move(attribute.text)).second;
    if (!first) {
      return InvalidInput(
          fmt::format("attribute {} is there twice, expected once", attribute.name));
    }
  }
  return attributes;
}

}  // namespace tilewise
