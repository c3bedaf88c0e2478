// Files that are whole or absent: written under a temporary name beside the real one, checked, and renamed.
#pragma once

#include <string>
#include <string_view>

namespace coracle {

// Whether a file must be on the disk itself, to outlive a power cut, before it takes its name.
enum class Durable { no, yes };

void write_atomically(const std::string& path, std::string_view bytes, Durable durable = Durable::no);

// The same for libraries that write by name: let them write `temporary()`, then commit. Dropped without a commit, it
// leaves nothing behind.
class PendingFile {
 public:
  explicit PendingFile(std::string path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  const std::string& temporary() const { return temporary_; }
  void commit(Durable durable);

 private:
  std::string path_, temporary_;
};

// A file that grows by lines, each handed to the system at once.
class AppendFile {
 public:
  explicit AppendFile(std::string path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  void line(std::string_view text);
  bool empty() const;

 private:
  std::string path_;
  int file_;
};

std::string read_file(const std::string& path);
void make_directories(const std::string& path);
void remove_all(const std::string& path);

// RunError: "cannot <do> <path>: <the system's reason>; <remedy>".
[[noreturn]] void file_error(const std::string& verb, const std::string& path, int error_number);

}  // namespace coracle
