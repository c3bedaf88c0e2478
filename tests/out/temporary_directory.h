// A directory that goes with the test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "coracle/base/files.h"

namespace coracle {

struct TemporaryDirectory {
  std::filesystem::path path;

  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "coracle-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
    path = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
};

// Name → bytes of every file in a directory.
inline std::map<std::string, std::string> files_in(const std::string& dir) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(dir))
    files[entry.path().filename().string()] = read_file(entry.path().string());
  return files;
}

// The message of the RunError that f throws; empty, and a failure, when it throws none.
template <class Error, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace coracle
