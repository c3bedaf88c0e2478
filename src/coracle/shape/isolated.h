// Calls to libraries that may abort on bad files.
#pragma once

#include <functional>
#include <string>

namespace coracle {

// Run f in a child process with limits on memory (in addition to the memory in use) and CPU time, and return its
// result. Throws std::runtime_error: with the message of f if f throws, with a general message if the child dies.
std::string run_isolated(const std::function<std::string()>& f, std::size_t memory_bytes, double seconds);

}  // namespace coracle
