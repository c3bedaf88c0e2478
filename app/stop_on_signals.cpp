#include "app/stop_on_signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace coracle {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
std::atomic<int> received = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// Calls only what a signal handler may call.
void on_signal(int number) {
  if (received.fetch_add(1) > 0) {
    std::signal(number, SIG_DFL);
    std::raise(number);  // takes effect when this function returns
    return;
  }
  constexpr std::string_view answer = "\nstopping after this step, with a checkpoint; a second signal stops at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, answer.data(), answer.size());
}

}  // namespace

StopOnSignals::StopOnSignals() {
  for (const int number : signals) std::signal(number, on_signal);
}

StopOnSignals::~StopOnSignals() {
  for (const int number : signals) std::signal(number, SIG_DFL);
}

const std::atomic<int>& StopOnSignals::requests() { return received; }

}  // namespace coracle
