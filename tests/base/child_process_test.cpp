// Programs as children of this one.
#include "coracle/base/child_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace coracle {
namespace {

ChildProcess shell_of(const std::string& script) { return ChildProcess("/bin/sh", {"sh", "-c", script}); }

ChildEnd end_of(ChildProcess& child) {
  for (;;) {
    if (const std::optional<ChildEnd> end = child.ended()) return *end;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(ChildProcess, its_code_and_all_that_it_said_come_back) {
  ChildProcess child = shell_of("seq 20000; echo to stderr >&2; exit 7");
  const ChildEnd end = end_of(child);
  EXPECT_EQ(end.code, 7);
  EXPECT_EQ(end.signal, 0);
  EXPECT_TRUE(end.said.starts_with("1\n2\n"));
  EXPECT_TRUE(end.said.ends_with("\n20000\nto stderr\n"));
  EXPECT_FALSE(child.ended()) << "it ends once";
}

TEST(ChildProcess, words_arrive_as_they_are) {
  ChildProcess child("/bin/sh", {"sh", "-c", "printf '%s|' \"$@\"; read x || echo no input", "sh", "a b", "", "$c'"});
  EXPECT_EQ(end_of(child).said, "a b||$c'|no input\n");
}

TEST(ChildProcess, stop_sends_one_signal_that_it_may_handle) {
  ChildProcess plain = shell_of("sleep 60"),
               careful = shell_of("trap 'echo kept; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
  plain.stop();
  EXPECT_EQ(end_of(plain).signal, SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // for its trap
  careful.stop();
  const ChildEnd end = end_of(careful);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.said, "ready\nkept\n");
}

TEST(ChildProcess, it_is_in_no_group_that_a_terminal_signals) {
  ChildProcess child = shell_of("ps -o pgid= -p $$ | tr -d ' '; echo $$");
  const std::string said = end_of(child).said;
  const std::size_t line = said.find('\n');
  EXPECT_EQ(said.substr(0, line), said.substr(line + 1, said.size() - line - 2)) << said;
}

TEST(ChildProcess, one_that_cannot_start_ends_as_in_a_shell) {
  ChildProcess child("/no/such/program", {"program"});
  EXPECT_EQ(end_of(child).code, 127);
}

}  // namespace
}  // namespace coracle
