// Calls into libraries that abort on bad files.
#pragma once

#include <functional>
#include <string>

namespace coracle {

// f's bytes, made in a child process with bounds on its memory (beyond what is in use) and its processor time. Throws
// std::runtime_error with f's own message where f throws, and with a general one where the child dies.
std::string run_isolated(const std::function<std::string()>& f, std::size_t memory_bytes, double seconds);

}  // namespace coracle
