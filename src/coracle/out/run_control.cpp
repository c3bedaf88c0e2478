#include "coracle/out/run_control.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <vector>

namespace coracle {
namespace {

std::string folder(const std::string& dir) { return dir + "/control"; }
std::string token_file(const std::string& dir) { return folder(dir) + "/token"; }
std::string request_file(const std::string& dir) { return folder(dir) + "/request"; }
std::string taken_file(const std::string& dir) { return folder(dir) + "/taken"; }
std::string pause_file(const std::string& dir) { return folder(dir) + "/paused"; }

// Whether an entry of the folder is one that this file writes.
bool is_of_control(const std::string& name) {
  return name == "token" || name == "request" || name == "taken" || name == "paused" || name.starts_with("request.");
}

// A folder, no link to one, that this user owns and no other may enter.
bool is_private(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 077) == 0;
}

bool can_be_controlled(const std::string& dir) { return is_private(folder(dir)) && is_being_written(dir); }

std::string new_token() {
  std::array<std::uint8_t, 16> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
    throw RunError("the system gives no random numbers; leave out --control");
  std::string token;
  for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// To a new file; closes it.
void write_private(int file, const std::string& path, const std::string& text) {
  if (file < 0) file_error("write", path, errno);
  errno = ENOSPC;  // of a write that is cut short
  const bool whole = ::write(file, text.data(), text.size()) == ssize_t(text.size());
  const int reason = errno;
  ::close(file);
  if (whole) return;
  ::unlink(path.c_str());
  file_error("write", path, reason);
}

// The first line of a small file; none if it does not exist.
std::optional<std::string> word_in(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::array<char, 64> bytes = {};
  const ssize_t count = ::read(file, bytes.data(), bytes.size());
  ::close(file);
  const std::string_view text(bytes.data(), count > 0 ? std::size_t(count) : 0);
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

std::optional<ControlRequest> control_request(std::string_view word) {
  for (std::size_t i = 0; i < std::size(control_words); ++i)
    if (word == control_words[i]) return ControlRequest(i);
  return std::nullopt;
}

void clear_control(const std::string& dir) {
  if (!is_private(folder(dir))) return;  // no run's
  std::error_code ignored;               // what is left counts for nothing
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder(dir), ignored))
    if (is_of_control(entry.path().filename().string())) found.push_back(entry.path().string());
  for (const std::string& file : found) ::unlink(file.c_str());
  ::rmdir(folder(dir).c_str());
}

RunControl::RunControl(const std::string& dir) : dir_(dir) {
  clear_control(dir);
  if (::mkdir(folder(dir).c_str(), 0700) != 0) {
    if (errno != EEXIST) file_error("make", folder(dir), errno);
    throw RunError(fmt::format(
        "{} is in the way: it is not the folder that --control makes, or holds other files; move it, or leave out "
        "--control",
        folder(dir)));
  }
  if (!is_private(folder(dir))) {
    ::rmdir(folder(dir).c_str());
    throw RunError(fmt::format(
        "{} would not be for you alone: its file system keeps no permissions; leave out --control, or choose another "
        "directory with -o",
        folder(dir)));
  }
  const std::string path = token_file(dir);
  write_private(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), path,
                new_token() + "\n");
}

RunControl::~RunControl() { clear_control(dir_); }

void RunControl::look() {
  // A rename takes exactly one request, even if another is written meanwhile.
  const std::string taken = taken_file(dir_);
  if (::rename(request_file(dir_).c_str(), taken.c_str()) != 0) return;
  const std::optional<ControlRequest> request = control_request(word_in(taken).value_or(""));
  ::unlink(taken.c_str());
  if (!request) return;
  if (*request == ControlRequest::stop) stop_ = true;
  paused_ = *request == ControlRequest::pause;
  // Only told to others: a run must not end because this cannot be written.
  if (!paused_)
    ::unlink(pause_file(dir_).c_str());
  else if (const int file = ::open(pause_file(dir_).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); file >= 0)
    ::close(file);
}

std::optional<ControlState> control_state(const std::string& dir) {
  if (!can_be_controlled(dir)) return std::nullopt;
  ControlState state;
  state.paused = ::access(pause_file(dir).c_str(), F_OK) == 0;
  state.asked = control_request(word_in(request_file(dir)).value_or(""));
  return state;
}

std::optional<std::string> control_token(const std::string& dir) {
  if (!can_be_controlled(dir)) return std::nullopt;
  std::optional<std::string> token = word_in(token_file(dir));
  if (token && token->empty()) token.reset();
  return token;
}

void ask_run(const std::string& dir, ControlRequest request) {
  if (!can_be_controlled(dir)) return;
  std::string temporary = request_file(dir) + ".XXXXXX";  // another name for each request: others may ask meanwhile
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  write_private(file, temporary, std::string(control_words[int(request)]) + "\n");
  if (::rename(temporary.c_str(), request_file(dir).c_str()) == 0) return;
  const int reason = errno;
  ::unlink(temporary.c_str());
  file_error("write", request_file(dir), reason);
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char different = 0;  // volatile: every byte is looked at
  for (std::size_t i = 0; i < a.size(); ++i) different = different | static_cast<unsigned char>(a[i] ^ b[i]);
  return different == 0;
}

}  // namespace coracle
