#include "coracle/out/run_log.h"

#include "coracle/base/plain_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <sstream>

namespace coracle {

void RunLog::open(const std::string& path) {
  file_ = std::make_unique<AppendFile>(path);
  for (const std::string& text : early_) file_->line(text);
  early_.clear();
}

void RunLog::line(const std::string& text) {
  const std::string now = fmt::format("{:%F %T}", fmt::localtime(std::chrono::system_clock::now()));
  std::istringstream lines(plain_text(text));
  for (std::string one; std::getline(lines, one);) {
    const std::string stamped = fmt::format("{}  {}", now, one);
    if (file_)
      file_->line(stamped);
    else
      early_.push_back(stamped);
  }
}

}  // namespace coracle
