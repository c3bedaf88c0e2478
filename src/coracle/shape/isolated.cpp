#include "coracle/shape/isolated.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <new>
#include <stdexcept>

namespace coracle {
namespace {

constexpr char good = 'R', bad = 'E';  // the first byte of the child's answer

void set_limit(int resource, rlim_t most) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most) limit.rlim_cur = limit.rlim_max = most;
  setrlimit(resource, &limit);
}

void write_all(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += std::size_t(n);
  }
}

[[noreturn]] void run_child(int fd, const std::function<std::string()>& f, std::size_t memory, double seconds) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  set_limit(RLIMIT_AS, rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + memory);
  set_limit(RLIMIT_CORE, 0);
  for (const int number : {SIGPROF, SIGABRT, SIGSEGV, SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
  const itimerval limit = {{0, 0}, {time_t(seconds), suseconds_t(1e6 * (seconds - double(time_t(seconds))))}};
  setitimer(ITIMER_PROF, &limit, nullptr);                        // CPU time, not wall time: independent of other load
  if (const int null = open("/dev/null", O_WRONLY); null >= 0) {  // hide messages of a library that aborts
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  try {
    write_all(fd, good + f());
  } catch (const std::bad_alloc&) {
    write_all(fd, std::string(1, bad) + "it is damaged: it asks for much more memory than a file of its size needs");
  } catch (const std::exception& error) {
    write_all(fd, std::string(1, bad) + error.what());
  } catch (...) {
    write_all(fd, std::string(1, bad) + "cannot be read");
  }
  _exit(0);
}

}  // namespace

std::string run_isolated(const std::function<std::string()>& f, std::size_t memory_bytes, double seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to a reader process");
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    throw std::runtime_error("cannot start a reader process");
  }
  if (child == 0) run_child(ends[1], f, memory_bytes, seconds);
  close(ends[1]);
  std::string answer;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = read(ends[0], buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    answer.append(buffer.data(), std::size_t(n));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    throw std::runtime_error(fmt::format("it is damaged: the reader did not end within {:.3g} s", seconds));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty())
    throw std::runtime_error("it is damaged: the reader failed on it");
  if (answer[0] == bad) throw std::runtime_error(answer.substr(1));
  return answer.substr(1);
}

}  // namespace coracle
