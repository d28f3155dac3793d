// Superblock -> object header of the root group -> attribute messages -> global
// heap: sections II and IV.A of the HDF5 File Format Specification. Every step
// is bounded: blocks of a header, messages, objects of a heap, and the text that
// comes out. Checksums are not checked: every field is checked where it is used.

#include "frontend/files/hdf5_attributes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/status.h"
#include "frontend/files/byte_cursor.h"

namespace tilewise {
namespace {

struct Hdf5File {
  std::string_view bytes;  // from the base address on
  uint64_t offset_size = 8;
  uint64_t length_size = 8;
  uint64_t root_header = 0;  // address
};

constexpr uint64_t kHdf5Attribute = 0x0C;

constexpr uint64_t kHdf5AttributeHeap = 0x15;

struct Hdf5Message {
  uint64_t type = 0;
  std::string_view data;
};

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr size_t kMostBlocks = 4096;
constexpr size_t kMostMessages = 65536;
constexpr uint64_t kContinuation = 0x10;
constexpr uint64_t kSharedFlag = 2;

// 0, 512, 1024, 2048...
std::optional<size_t> FindSignature(std::string_view bytes) {
  constexpr size_t kFarthest = size_t{1} << 24;
  for (size_t at = 0; at < bytes.size() && at <= kFarthest; at = at == 0 ? 512 : at * 2) {
    if (bytes.substr(at).starts_with(kSignature)) return at;
  }
  return std::nullopt;
}

absl::Status Damaged(uint64_t place, std::string_view what) {
  return InvalidInput(fmt::format("byte {}: {}", place, what));
}

// One stretch of messages.
struct Block {
  uint64_t address = 0;
  uint64_t size = 0;
};

struct HeaderFormat {
  int version = 1;
  bool creation_order = false;
};

// Appends the messages of `block`, and the blocks that they continue in.
absl::Status ReadBlock(const Hdf5File& file, const HeaderFormat& format, const Block& block,
                       std::vector<Block>& blocks, std::vector<Hdf5Message>& messages) {
  ByteCursor whole(file.bytes, block.address);
  const std::string_view bytes = whole.Take(block.size);
  if (!whole.ok()) {
    return Damaged(block.address, "the object header ends early");
  }
  ByteCursor at(bytes);
  const uint64_t prefix = format.version == 1 ? 8 : (format.creation_order ? 6 : 4);
  while (at.left() >= prefix) {
    Hdf5Message message;
    message.type = at.Number(format.version == 1 ? 2 : 1);
    const uint64_t size = at.Number(2);
    const uint64_t flags = at.Number(1);
    at.Skip(format.version == 1 ? 3 : (format.creation_order ? 2 : 0));
    message.data = at.Take(size);
    if (!at.ok()) {
      return Damaged(block.address, "a message is longer than its header");
    }
    if (message.type == kContinuation) {
      ByteCursor next(message.data);
      const uint64_t address = next.Number(file.offset_size);
      blocks.push_back({address, next.Number(file.length_size)});
    } else if ((flags & kSharedFlag) == 0) {
      messages.push_back(message);
    }
    if (messages.size() > kMostMessages || blocks.size() > kMostBlocks) {
      return Damaged(block.address, "found more than 65,536 header messages, expected fewer");
    }
  }
  return absl::OkStatus();
}

// A continuation of version 2 stands between a signature and a checksum.
absl::StatusOr<Block> Unframed(const Hdf5File& file, const HeaderFormat& format,
                               const Block& block) {
  if (format.version == 1) return block;
  ByteCursor at(file.bytes, block.address);
  if (at.Take(4) != "OCHK" || block.size < 8) {
    return Damaged(block.address, "found no header block, expected OCHK");
  }
  return Block{block.address + 4, block.size - 8};
}

struct HeaderStart {
  HeaderFormat format;
  Block first;
};

absl::StatusOr<HeaderStart> ReadStart(const Hdf5File& file) {
  ByteCursor at(file.bytes, file.root_header);
  HeaderStart start;
  if (file.root_header < file.bytes.size() &&
      file.bytes.substr(file.root_header).starts_with("OHDR")) {
    at.Skip(5);
    const uint64_t flags = at.Number(1);
    start.format = {2, (flags & 4) != 0};
    if ((flags & 32) != 0) at.Skip(16);
    if ((flags & 16) != 0) at.Skip(4);
    start.first.size = at.Number(uint64_t{1} << (flags & 3));
    start.first.address = at.place();
  } else if (at.Number(1) == 1) {
    at.Skip(7);
    start.first.size = at.Number(4);
    at.Skip(4);
    start.first.address = at.place();
  } else {
    return Damaged(file.root_header, "found no object header, expected version 1 or 2");
  }
  if (!at.ok()) {
    return Damaged(file.root_header, "the object header ends early");
  }
  return start;
}

bool KnownSize(uint64_t size) { return size == 2 || size == 4 || size == 8; }

// Errors: no signature, versions that are not known, a superblock cut short.
absl::StatusOr<Hdf5File> OpenHdf5(std::string_view bytes) {
  const std::optional<size_t> place = FindSignature(bytes);
  if (!place) return InvalidInput("found no HDF5 signature");
  ByteCursor at(bytes, *place + kSignature.size());
  Hdf5File file;
  const uint64_t version = at.Number(1);
  if (version > 3) {
    return Damaged(*place, fmt::format("found superblock version {}, expected 0 to 3", version));
  }
  at.Skip(version < 2 ? 4 : 0);
  file.offset_size = at.Number(1);
  file.length_size = at.Number(1);
  if (!KnownSize(file.offset_size) || !KnownSize(file.length_size)) {
    return Damaged(*place, "found a damaged superblock, expected addresses of 2, 4 or 8 bytes");
  }
  // Version 0 and 1: tree sizes and flags; later ones: flags.
  at.Skip(version == 0 ? 9 : version == 1 ? 13 : 1);
  const uint64_t base = at.Number(file.offset_size);
  // These are free space or extension, end of file, driver, name of the root group.
  at.Skip((version < 2 ? 4 : 2) * file.offset_size);
  file.root_header = at.Number(file.offset_size);
  if (!at.ok() || base > bytes.size()) {
    return Damaged(*place, "the superblock ends early");
  }
  file.bytes = bytes.substr(base);
  return file;
}

// Reads the messages of the root group and of its continuations; messages that
// are stored elsewhere are left out.
absl::StatusOr<std::vector<Hdf5Message>> RootMessages(const Hdf5File& file) {
  TW_ASSIGN_OR_RETURN(const HeaderStart start, ReadStart(file));
  std::vector<Block> blocks = {start.first};
  std::vector<Hdf5Message> messages;
  for (size_t i = 0; i < blocks.size(); ++i) {
    Block block = blocks[i];
    if (i > 0) {
      TW_ASSIGN_OR_RETURN(block, Unframed(file, start.format, block));
    }
    TW_RETURN_IF_ERROR(ReadBlock(file, start.format, block, blocks, messages));
  }
  return messages;
}

// Whether an attribute-info message points to a heap.
bool HasHeap(const Hdf5File& file, const Hdf5Message& message) {
  ByteCursor at(message.data);
  at.Skip(1);
  const uint64_t flags = at.Number(1);
  if ((flags & 1) != 0) at.Skip(2);
  const uint64_t address = at.Number(file.offset_size);
  const uint64_t none =
      file.offset_size == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * file.offset_size)) - 1;
  return at.ok() && address != none;
}

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

bool HasHdf5Signature(std::string_view bytes) { return FindSignature(bytes).has_value(); }

absl::StatusOr<std::map<std::string, std::string>> RootAttributes(
    std::string_view bytes, std::span<const std::string_view> names) {
  TW_ASSIGN_OR_RETURN(const Hdf5File file, OpenHdf5(bytes));
  TW_ASSIGN_OR_RETURN(const std::vector<Hdf5Message> messages, RootMessages(file));
  std::map<std::string, std::string> attributes;
  for (const Hdf5Message& message : messages) {
    if (message.type == kHdf5AttributeHeap && HasHeap(file, message)) {
      return InvalidInput(
          "the root group keeps its attributes in a heap, expected up to eight attributes of up to "
          "64 KiB in its header");
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
