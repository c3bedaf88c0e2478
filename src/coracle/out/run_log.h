// run.log in a run's folder: what the run said, with notes, warnings and times. A resumed run goes on in the same file.
#pragma once

#include "coracle/base/files.h"

#include <memory>
#include <string>
#include <vector>

namespace coracle {

class RunLog {
 public:
  RunLog() = default;  // keeps its lines until open()
  explicit RunLog(const std::string& path) { open(path); }
  void open(const std::string& path);
  void line(const std::string& text);

 private:
  std::unique_ptr<AppendFile> file_;
  std::vector<std::string> early_;
};

}  // namespace coracle
