#include "app/stop_on_signals.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string_view>

namespace coracle {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
std::atomic<int> received = 0;
std::atomic<long> first = 0;  // the first signal: its time in ms and its number; threads may handle two at once
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free);
constexpr long numbers = 128;  // more than there are

// Some send one request twice: timeout(1) to the program and to its group, the kernel for each thread of a parent that
// ends. People are slower.
constexpr long echo_ms = 100;

long now_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

// Calls only what a signal handler may call.
void on_signal(int number) {
  const long now = now_ms();
  long before = 0;
  if (!first.compare_exchange_strong(before, now * numbers + number)) {
    if (before % numbers == number && now - before / numbers < echo_ms) return;
    std::signal(number, SIG_DFL);
    std::raise(number);  // takes effect when this function returns
    return;
  }
  received = 1;
  constexpr std::string_view answer = "\nstopping after this step, with a checkpoint; a second signal stops at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, answer.data(), answer.size());
}

}  // namespace

StopOnSignals::StopOnSignals() {
  for (const int number : signals) std::signal(number, on_signal);
}

StopOnSignals::~StopOnSignals() {
  if (received > 0) return;  // an echo may still come
  for (const int number : signals) std::signal(number, SIG_DFL);
}

const std::atomic<int>& StopOnSignals::requests() { return received; }

}  // namespace coracle
