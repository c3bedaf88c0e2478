// Files that are complete or absent: written under a temporary name in the same folder, checked, then renamed.
#pragma once

#include <string>
#include <string_view>

namespace coracle {

// Whether a file must be on the disk, safe from a power cut, before it gets its name.
enum class Durable { no, yes };

void write_atomically(const std::string& path, std::string_view bytes, Durable durable = Durable::no);

// The same for libraries that write to a path: let them write to `temporary()`, then commit. Without a commit, the
// destructor deletes the temporary file.
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

// A file that grows line by line, without buffering.
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

// Throws RunError: "cannot <verb> <path>: <reason from the system>; <remedy>".
[[noreturn]] void file_error(const std::string& verb, const std::string& path, int error_number);

}  // namespace coracle
