// The server refuses to run for root, so that root runs it as the user postgres
// of Debian's package.

#include "tests/tuner/postgres_server.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <unistd.h>

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// Of the newest version; empty: none is installed.
std::string ProgramFolder() {
  std::error_code error;
  std::vector<std::string> folders;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error)) {
    const fs::path folder = version.path() / "bin";
    if (fs::exists(folder / "initdb", error)) folders.push_back(folder.string());
  }
  return folders.empty() ? "" : *std::ranges::max_element(folders);
}

}  // namespace

PostgresServer::PostgresServer() : programs_(ProgramFolder()) {
  if (programs_.empty()) {
    missing_ = "no PostgreSQL server is installed (postgresql-15)";
    return;
  }
  if (geteuid() == 0 && std::system("id postgres >/dev/null 2>&1") != 0) {
    missing_ = "root cannot run a server, and there is no user postgres";
    return;
  }
  // Names of sockets are short.
  char name[] = "/tmp/tilewise_pg_XXXXXX";
  folder_ = mkdtemp(name);
  if (geteuid() == 0) std::system(("chown postgres " + folder_).c_str());
  if (Run("initdb -D " + folder_ + "/data -U tester -A trust --no-sync") != 0) {
    missing_ = "initdb failed";
    return;
  }
  Start();
}

PostgresServer::~PostgresServer() {
  if (folder_.empty()) return;
  Stop();
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string PostgresServer::url() const {
  return "postgresql:///postgres?user=tester&host=" + folder_;
}

void PostgresServer::Start() {
  const int code = Run("pg_ctl -D " + folder_ + "/data -l " + folder_ + "/log -w -t 60 -o \"-k " +
                       folder_ + " -c listen_addresses= -c fsync=off\" start");
  if (code != 0) missing_ = "the server did not start";
}

void PostgresServer::Stop() { Run("pg_ctl -D " + folder_ + "/data -m immediate -w stop"); }

int PostgresServer::Run(const std::string& program_and_arguments) const {
  const std::string as = geteuid() == 0 ? "runuser -u postgres -- " : "";
  return std::system(
      ("cd / && " + as + programs_ + "/" + program_and_arguments + " >/dev/null 2>&1").c_str());
}

}  // namespace tilewise
