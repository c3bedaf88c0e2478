#include "coracle/base/files.h"

#include "coracle/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace coracle {
namespace {

namespace fs = std::filesystem;

const char* remedy(const std::string& verb, int error_number) {
  if ((error_number == EACCES || error_number == EPERM) && (verb == "read" || verb == "open"))
    return "make it readable for you (chmod u+r)";
  if (error_number == EISDIR && verb == "read") return "it is a directory: give a file";
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space there, or write to another disk, and try again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a place that you may write to, or change its permissions";
    case ENOENT:
      return "check that the name is right and that its directory exists";
    case ENOTDIR:
    case EEXIST:
    case EISDIR:
      return "something else has that name: move it away, or choose another";
    case EMFILE:
    case ENFILE:
      return "too many files are open: raise the limit (ulimit -n)";
    default:
      return "check the disk and try again";
  }
}

// A file descriptor that closes itself.
struct File {
  int id;
  ~File() {
    if (id >= 0) ::close(id);
  }
  int close() { return ::close(std::exchange(id, -1)); }
};

// 0, or the error number.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(std::size_t(n));
  }
  return 0;
}

void sync_directory_of(const std::string& path) {
  const std::string directory = fs::path(path).parent_path().string();
  File file{::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (file.id >= 0) ::fsync(file.id);  // some file systems cannot; the file itself is already on the disk
}

}  // namespace

void file_error(const std::string& verb, const std::string& path, int error_number) {
  throw RunError(
      fmt::format("cannot {} {}: {}; {}", verb, path, std::strerror(error_number), remedy(verb, error_number)));
}

PendingFile::PendingFile(std::string path) : path_(std::move(path)), temporary_(path_ + ".part") {
  if (::unlink(temporary_.c_str()) != 0 && errno != ENOENT) file_error("write", path_, errno);
}

PendingFile::~PendingFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void PendingFile::commit(Durable durable) {
  if (durable == Durable::yes) {
    File file{::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.id < 0 || ::fsync(file.id) != 0) file_error("write", path_, errno);
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) file_error("write", path_, errno);
  temporary_.clear();
  if (durable == Durable::yes) sync_directory_of(path_);
}

void write_atomically(const std::string& path, std::string_view bytes, Durable durable) {
  PendingFile pending(path);
  File file{::open(pending.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (file.id < 0) file_error("write", path, errno);
  if (const int error = write_all(file.id, bytes)) file_error("write", path, error);
  if (file.close() != 0) file_error("write", path, errno);
  pending.commit(durable);
}

AppendFile::AppendFile(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_ < 0) file_error("write", path_, errno);
}

AppendFile::~AppendFile() { ::close(file_); }

void AppendFile::line(std::string_view text) {
  if (const int error = write_all(file_, std::string(text) + '\n')) file_error("write", path_, error);
}

bool AppendFile::empty() const {
  struct stat status;
  if (::fstat(file_, &status) != 0) file_error("read", path_, errno);
  return status.st_size == 0;
}

std::string read_file(const std::string& path) {
  File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.id < 0) file_error("read", path, errno);
  std::string bytes;
  char block[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.id, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) file_error("read", path, errno);
    if (n == 0) return bytes;
    bytes.append(block, std::size_t(n));
  }
}

void make_directories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) file_error("make directory", path, error.value());
  if (!fs::is_directory(path, error)) file_error("make directory", path, ENOTDIR);
}

void remove_all(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) file_error("remove", path, error.value());
}

}  // namespace coracle
