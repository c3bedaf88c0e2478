// The program beside the tests: what it prints and how it exits.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace coracle {

struct Said {
  int code = -1;
  std::string text;
  bool has(const std::string& words) const { return text.find(words) != std::string::npos; }
};

inline std::string program() {
  std::error_code ignored;
  return (std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "coracle").string();
}
inline bool program_is_there() { return std::filesystem::exists(program()); }

inline Said shell(const std::string& command) {
  Said said;
  FILE* pipe = popen(command.c_str(), "r");
  char block[4096];
  for (std::size_t n; (n = fread(block, 1, sizeof block, pipe)) > 0;) said.text.append(block, n);
  const int status = pclose(pipe);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

// `before` stands before the program: "PATH=/none".
inline Said coracle(const std::string& arguments, const std::string& before = "") {
  return shell(before + " '" + program() + "' " + arguments + " 2>&1");
}

}  // namespace coracle
