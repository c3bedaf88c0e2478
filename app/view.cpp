// Serves the viewer's page for a run until Ctrl-C.
#include "app/commands.h"
#include "app/print.h"
#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/run_control.h"
#include "coracle/show/serve.h"

#include <fmt/format.h>
#include <spawn.h>

#include <csignal>

extern char** environ;

namespace coracle {
namespace {

void open_browser(const std::string& url) {
  std::string program = "xdg-open", argument = url;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  if (posix_spawnp(&child, program.c_str(), nullptr, &attributes, arguments, environ) != 0)
    print(stderr, "xdg-open is not installed; open the address in a browser\n");
  posix_spawnattr_destroy(&attributes);
}

}  // namespace

int view_command(const std::string& dir, int port, bool open, bool control) {
  // sigwait() below receives these signals. Block them before the server's threads start, so that no thread gets them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  const ViewServer server(dir, port);
  const std::optional<std::string> token = control ? control_token(dir) : std::nullopt;
  if (control && !token)
    throw RunError(fmt::format(
        "{} cannot be controlled: its run is not going on, was not started with --control, or is another user's", dir));
  const Replay replay = open_replay(dir);
  if (const std::vector<FrameProblem> problems = find_problems(replay); !problems.empty())
    print(stderr, "coracle: warning: {}\n", problems_text(replay, problems));
  // In the fragment, which browsers do not send. --open leaves it out: all users see the arguments of programs.
  print("{}{} shows {}; press Ctrl-C to stop\n", server.url(), token ? "#control=" + *token : "", dir);
  std::fflush(stdout);
  if (open) open_browser(server.url());
  int signal = 0;
  sigwait(&ends, &signal);
  pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);  // a second Ctrl-C does not wait for open connections
  return 0;
}

}  // namespace coracle
