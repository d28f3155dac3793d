// The plug-in, which alone is linked to Clang.

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <llvm/Support/thread.h>

#include "frontend/cpp/format_edits.h"
#include "frontend/cpp/plugin/cpp_plugin.h"
#include "frontend/cpp/read_cpp.h"

extern "C" void tilewise_cpp_read(const std::string& path, const std::string& text,
                                  const tilewise::LoadOptions& options,
                                  absl::StatusOr<tilewise::CppReading>& reading) {
  static_assert(std::is_same_v<decltype(tilewise_cpp_read), tilewise::CppPluginRead>);
  // Trees are walked by recursion; threads of programs have 8 MiB.
  constexpr unsigned kStackSize = 128U << 20;
  llvm::thread reader(std::optional<unsigned>(kStackSize), [&] {
    tilewise::CppReading made;
    absl::StatusOr<tilewise::Workload> workload =
        tilewise::ReadCpp(path, text, options, &made.program);
    if (!workload.ok()) {
      reading = workload.status();
      return;
    }
    made.workload = *std::move(workload);
    reading = std::move(made);
  });
  reader.join();
}

extern "C" void tilewise_cpp_format(const std::string& path, const std::string& text,
                                    std::vector<tilewise::TextEdit>& edits) {
  static_assert(std::is_same_v<decltype(tilewise_cpp_format), tilewise::CppPluginFormat>);
  tilewise::FormatEdits(path, text, edits);
}
