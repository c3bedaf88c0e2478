// A folder that is gone after use.
#pragma once

#include "coracle/error.h"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace coracle::validation {

struct TemporaryFolder {
  std::string path = (std::filesystem::temp_directory_path() / "coracle-validate-XXXXXX").string();
  TemporaryFolder() {
    if (!mkdtemp(path.data())) throw RunError("cannot make a temporary directory: " + path);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace coracle::validation
