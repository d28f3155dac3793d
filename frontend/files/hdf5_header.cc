// Sections II and IV.A of the HDF5 File Format Specification. Checksums are not
// checked: every field is checked where it is used.

#include "frontend/files/hdf5_header.h"

#include <optional>

#include <fmt/format.h>

#include "frontend/files/byte_cursor.h"
#include "frontend/files/hdf5_attributes.h"

namespace tilewise {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr size_t kMostBlocks = 4096;
constexpr size_t kMostMessages = 65536;
constexpr uint64_t kContinuation = 0x10;
constexpr uint64_t kSharedFlag = 2;

// 0, 512, 1024, 2048...
std::optional<size_t> SignaturePlace(std::string_view bytes) {
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

}  // namespace

bool HasHdf5Signature(std::string_view bytes) { return SignaturePlace(bytes).has_value(); }

absl::StatusOr<Hdf5File> OpenHdf5(std::string_view bytes) {
  const std::optional<size_t> place = SignaturePlace(bytes);
  if (!place) return InvalidInput("found no HDF5 signature");
  ByteCursor at(bytes, *place + kSignature.size());
  Hdf5File file;
  const uint64_t version = at.Number(1);
  if (version > 3) {
    return Damaged(*place, fmt::format("found superblock version {}, expected "
                                       "0 to 3",
                                       version));
  }
  at.Skip(version < 2 ? 4 : 0);
  file.offset_size = at.Number(1);
  file.length_size = at.Number(1);
  if (!KnownSize(file.offset_size) || !KnownSize(file.length_size)) {
    return Damaged(*place,
                   "found a damaged superblock, expected addresses of "
                   "2, 4 or 8 bytes");
  }
  // Version 0 and 1: tree sizes and flags; later ones: flags.
  at.Skip(version == 0 ? 9 : version == 1 ? 13 : 1);
  const uint64_t base = at.Number(file.offset_size);
  // Free space or extension, end of file, driver, name of the root group.
  at.Skip((version < 2 ? 4 : 2) * file.offset_size);
  file.root_header = at.Number(file.offset_size);
  if (!at.ok() || base > bytes.size()) {
    return Damaged(*place, "the superblock ends early");
  }
  file.bytes = bytes.substr(base);
  return file;
}

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

}  // namespace tilewise
