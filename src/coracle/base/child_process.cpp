#include "coracle/base/child_process.h"

#include "coracle/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace coracle {
namespace {

constexpr int not_started = 127;  // as shells say

// In the child, after fork: calls only what is safe there.
[[noreturn]] void become(const char* program, char* const* words, int output, pid_t parent, const sigset_t& mask) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int number : {SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (::getppid() == parent) ::execv(program, words);
  ::_exit(not_started);
}

std::string all_of(int file) {
  std::string text;
  char block[4096];
  for (ssize_t n; (n = ::pread(file, block, sizeof block, off_t(text.size()))) > 0;) text.append(block, std::size_t(n));
  return text;
}

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& words)
    : output_(::memfd_create("output of a child", MFD_CLOEXEC)) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  // A signal between fork and exec must neither be lost nor reach this process's handler.
  sigset_t both, before;
  ::sigemptyset(&both);
  for (const int number : {SIGINT, SIGTERM}) ::sigaddset(&both, number);
  ::sigprocmask(SIG_BLOCK, &both, &before);
  const pid_t parent = ::getpid();
  if (output_ >= 0) id_ = ::fork();
  if (id_ == 0) become(program.c_str(), pointers.data(), output_, parent, before);
  const int reason = errno;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (id_ > 0) return;
  if (output_ >= 0) ::close(output_);
  throw RunError(fmt::format("cannot start {}: {}", program, std::strerror(reason)));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), output_(std::exchange(other.output_, -1)) {}

ChildProcess::~ChildProcess() {
  if (id_ > 0) {
    stop();
    ::waitpid(id_, nullptr, 0);
  }
  if (output_ >= 0) ::close(output_);
}

void ChildProcess::stop() const {
  if (id_ > 0) ::kill(id_, SIGTERM);
}

std::optional<ChildEnd> ChildProcess::ended() {
  int status = 0;
  if (id_ <= 0 || ::waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  id_ = -1;
  ChildEnd end;
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.said = all_of(output_);
  return end;
}

}  // namespace coracle
