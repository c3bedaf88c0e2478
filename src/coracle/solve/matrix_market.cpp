#include "coracle/solve/matrix_market.h"

#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <vector>

namespace coracle {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::string_view symmetric_head = "%%MatrixMarket matrix coordinate real symmetric\n";
constexpr std::string_view general_head = "%%MatrixMarket matrix coordinate real general\n";
constexpr std::string_view vector_head = "%%MatrixMarket matrix array real general\n";

// Reads the numbers of a file one after another.
class Numbers {
 public:
  explicit Numbers(const std::string& path) : path_(path), text_(read_file(path)), rest_(text_) {}

  bool skip(std::string_view head) {
    if (!rest_.starts_with(head)) return false;
    rest_.remove_prefix(head.size());
    return true;
  }
  template <class T>
  T next() {
    for (;;) {
      const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
      if (begin == std::string_view::npos) fail("ends too early");
      rest_.remove_prefix(begin);
      if (rest_.front() != '%') break;
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));  // a comment
    }
    T value{};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fail("has something else where a number should be");
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    return value;
  }
  int next_size() {
    const int n = next<int>();
    if (n < 0) fail("has a negative size");
    return n;
  }
  [[noreturn]] void fail(const std::string& what) const { throw RunError(path_ + " " + what); }

 private:
  std::string path_, text_;
  std::string_view rest_;
};

}  // namespace

void write_matrix(const std::string& path, const Sparse& a, Symmetry symmetry) {
  const bool lower = symmetry == Symmetry::symmetric;
  std::size_t count = 0;
  std::string body;
  for (Eigen::Index c = 0; c < a.outerSize(); ++c)
    for (Sparse::InnerIterator it(a, c); it; ++it) {
      if (lower && it.row() < it.col()) continue;
      ++count;
      fmt::format_to(std::back_inserter(body), "{} {} {:.17g}\n", it.row() + 1, it.col() + 1, it.value());
    }
  const std::string head =
      fmt::format("{}{} {} {}\n", lower ? symmetric_head : general_head, a.rows(), a.cols(), count);
  write_atomically(path, head + body);
}

void write_vector(const std::string& path, const Eigen::VectorXd& x) {
  std::string text = fmt::format("{}{} 1\n", vector_head, x.size());
  for (double value : x) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
  write_atomically(path, text);
}

Sparse read_matrix(const std::string& path) {
  Numbers in(path);
  const bool symmetric = in.skip(symmetric_head);
  if (!symmetric && !in.skip(general_head)) in.fail("is no Matrix Market file of a real sparse matrix");
  const int rows = in.next_size(), columns = in.next_size(), count = in.next_size();
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < count; ++k) {
    const int row = in.next<int>() - 1, column = in.next<int>() - 1;
    const double value = in.next<double>();
    if (row < 0 || row >= rows || column < 0 || column >= columns) in.fail("has an entry outside the matrix");
    entries.emplace_back(row, column, value);
    if (symmetric && row != column) entries.emplace_back(column, row, value);
  }
  Sparse a(rows, columns);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

Eigen::VectorXd read_vector(const std::string& path) {
  Numbers in(path);
  if (!in.skip(vector_head)) in.fail("is no Matrix Market file of a real vector");
  Eigen::VectorXd x(in.next_size());
  if (in.next_size() != 1) in.fail("holds more than one column");
  for (double& value : x) value = in.next<double>();
  return x;
}

}  // namespace coracle
