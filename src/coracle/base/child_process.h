// Programs that run beside this one, as its children.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace coracle {

struct ChildEnd {
  int code = 0;      // its exit code; -1 if a signal ended it
  int signal = 0;    // that signal; 0 if there was none
  std::string said;  // all that it wrote to stdout and stderr
};

// A terminal's Ctrl-C does not reach a child: stop() does. A child gets SIGTERM when this process ends.
class ChildProcess {
 public:
  // `program` is a path; `words` are its name and its arguments. RunError if no process can be started. Call it in the
  // main thread.
  ChildProcess(const std::string& program, const std::vector<std::string>& words);
  ~ChildProcess();  // stops it and waits for its end
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  // Sends SIGTERM.
  void stop() const;
  // Once it has ended; does not wait.
  std::optional<ChildEnd> ended();

 private:
  pid_t id_ = -1;  // -1: it has ended
  int output_ = -1;
};

}  // namespace coracle
