// Stand-ins lie in memory; headers of their libraries that no list names are made when asked for.

#include "frontend/cpp/stand_in_files.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/cpp/stand_ins.h"

namespace tilewise::cpp {
namespace {

// A header of a library, and the file that declares what programs name of it.
struct StandInName {
  const char* name;
  const char* declarations;
};
constexpr StandInName kStandInNames[] = {
#define TW_STAND_IN(name, declarations) {name, declarations},
#include "frontend/cpp/stand_ins.def"
#undef TW_STAND_IN
};

// What declares a header that lies where the libraries keep theirs.
std::string DeclarationsOfLibrary(llvm::StringRef header) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kFolders = {
      {{"torch/", "torch"},
       {"ATen/", "torch"},
       {"c10/", "torch"},
       {"tensorflow/cc/", "tensorflow"},
       {"tensorflow/core/", "tensorflow"}}};
  for (const auto& [folder, library] : kFolders) {
    if (header.starts_with(folder)) return fmt::format("tilewise/{}.inc", library);
  }
  return "";
}

// Stand-ins in memory: a header that a library has, and that is none of those known by name, is
// one that declares all of the library.
class StandInFiles : public llvm::vfs::ProxyFileSystem {
 public:
  explicit StandInFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory)
      : ProxyFileSystem(memory), memory_(std::move(memory)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    Provide(path.str());
    return memory_->status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    Provide(path.str());
    return memory_->openFileForRead(path);
  }

 private:
  void Provide(llvm::StringRef path) {
    llvm::StringRef header = path;
    if (!header.consume_front(kStandInFolder) || !header.consume_front("/")) return;
    const std::string declarations = DeclarationsOfLibrary(header);
    if (declarations.empty() || memory_->exists(path)) return;
    if (!header.ends_with(".h")) {  // a folder that Clang looks for first
      memory_->addFile(path + "/tilewise", 0, llvm::MemoryBuffer::getMemBuffer(""));
      return;
    }
    const std::string text = fmt::format("#include \"{}\"\n", declarations);
    memory_->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory_;
};

}  // namespace

std::string DeclarationsOf(std::string_view name) {
  for (const StandInName& header : kStandInNames) {
    if (name == header.name) return header.declarations;
  }
  return DeclarationsOfLibrary(name);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FilesWithStandIns(const std::string& folder,
                                                                  const std::string& file,
                                                                  std::string_view text) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = llvm::vfs::createPhysicalFileSystem();
  if (!folder.empty()) disk->setCurrentWorkingDirectory(folder);
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(
      new llvm::vfs::InMemoryFileSystem());
  memory->addFile(file, 0, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text), file));
  for (const StandIn& header : StandIns()) {
    memory->addFile(fmt::format("{}/{}", kStandInFolder, header.name), 0,
                    llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(header.text), header.name));
  }
  const auto add = [&](const std::string& name, const char* declarations) {
    memory->addFile(
        fmt::format("{}/{}", kStandInFolder, name), 0,
        llvm::MemoryBuffer::getMemBufferCopy(fmt::format("#include \"{}\"\n", declarations), name));
  };
  for (const StandInName& header : kStandInNames) {
    add(header.name, header.declarations);
    // XLA lay in TensorFlow's tree before it had one of its own.
    if (llvm::StringRef(header.name).starts_with("xla/")) {
      add(fmt::format("tensorflow/compiler/{}", header.name), header.declarations);
    }
    if (llvm::StringRef(header.name).starts_with("boost/")) {
      memory->addFile(fmt::format("{}/{}", kFirstFolder, header.name), 0,
                      llvm::MemoryBuffer::getMemBufferCopy(
                          fmt::format("#include \"{}/{}\"\n", kStandInFolder, header.declarations),
                          header.name));
    }
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(
      new llvm::vfs::OverlayFileSystem(disk));
  all->pushOverlay(llvm::makeIntrusiveRefCnt<StandInFiles>(memory));
  return all;
}

}  // namespace tilewise::cpp
