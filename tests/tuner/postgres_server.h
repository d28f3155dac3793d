// A PostgreSQL server of a test's own, on a socket in a folder of its own.

#pragma once

#include <string>

namespace tilewise {

class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // Why there is none; empty: it runs.
  const std::string& missing() const { return missing_; }
  std::string url() const;
  void Stop();
  void Start();

 private:
  int Run(const std::string& program_and_arguments) const;
  std::string programs_;  // the folder of initdb
  std::string folder_;
  std::string missing_;
};

}  // namespace tilewise
