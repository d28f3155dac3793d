// The process around Run. Memory that the system refuses is a failure like any
// other: a message and exit code 2.

#include <csignal>
#include <cstdio>
#include <new>

#include "cli/command_line.h"

int main(int argc, char** argv) {
  // A write fails with a message beyond a limit on the size of files.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return tilewise::Run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("tilewise: error: out of memory\n", stderr);
    return tilewise::kExitFailure;
  }
}
