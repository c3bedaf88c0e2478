// Shared by the readers of tet_io.h: a cursor over the bytes of a file, and the mesh with the numbers of the file.
#pragma once

#include "coracle/types.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle {

class FileCursor {
 public:
  FileCursor(std::string file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}

  // "file:line: reason", or "file, byte n: reason" once `binary` is set.
  [[noreturn]] void fail(const std::string& reason) const;
  bool binary = false;
  char comment = '\0';  // starts a comment, which ends with its line

  bool at_end();  // ignores white space and comments
  std::string_view word(const char* what);
  std::int64_t integer(const char* what);
  double number(const char* what);  // finite
  void next_line();
  std::string_view line();

  // Check a count n of items of at least `bytes` each against the rest of the file.
  std::size_t count(std::int64_t n, std::size_t bytes, const char* what) const;

  template <class T>
  T raw(const char* what) {
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }
  std::string_view take(std::size_t bytes, const char* what);

  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }
  std::string_view rest() const { return bytes_.substr(at_); }

 private:
  void skip_space();

  std::string file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// Nodes and tets with the numbers of the file.
struct NumberedTets {
  std::vector<Vec3> x;
  std::vector<std::int64_t> node, tet;                     // numbers of the nodes and tets
  std::vector<Eigen::Matrix<std::int64_t, 4, 1>> corners;  // numbers of nodes
  std::unordered_map<std::int64_t, int> index = {};        // from a node's number to its index in x

  void add_node(const FileCursor& at, std::int64_t number, const Vec3& p);
  void add_tet(std::int64_t number, const std::int64_t* nodes);
};

// From the bytes of a file; tets may refer to nodes that do not exist.
NumberedTets read_gmsh(const std::string& file, std::string_view bytes);
NumberedTets read_medit(const std::string& file, std::string_view bytes);
NumberedTets read_medit_binary(const std::string& file, std::string_view bytes);
NumberedTets read_tetgen(const std::string& node_file, std::string_view nodes, const std::string& ele_file,
                         std::string_view elements);
NumberedTets read_vtu(const std::string& file, std::string_view bytes);

}  // namespace coracle
