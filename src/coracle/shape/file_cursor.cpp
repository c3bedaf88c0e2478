#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace coracle {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

// For messages: a damaged file may contain any bytes.
std::string quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
  return out + "'";
}

}  // namespace

void FileCursor::fail(const std::string& reason) const {
  if (binary) throw std::runtime_error(fmt::format("{}, byte {}: {}", file_, at_, reason));
  const auto lines =
      1 + std::count(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(std::min(at_, bytes_.size())), '\n');
  throw std::runtime_error(fmt::format("{}:{}: {}", file_, lines, reason));
}

void FileCursor::skip_space() {
  while (at_ < bytes_.size()) {
    if (comment != '\0' && bytes_[at_] == comment)
      while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
    else if (is_space(bytes_[at_]))
      ++at_;
    else
      return;
  }
}

bool FileCursor::at_end() {
  skip_space();
  return at_ >= bytes_.size();
}

std::string_view FileCursor::word(const char* what) {
  skip_space();
  std::size_t end = at_;
  while (end < bytes_.size() && !is_space(bytes_[end])) ++end;
  if (end == at_) fail(fmt::format("the file ends where {} should stand", what));
  const std::string_view found = bytes_.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::int64_t FileCursor::integer(const char* what) {
  skip_space();
  const std::size_t start = at_;
  const std::string_view text = word(what);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    at_ = start;
    fail(fmt::format("{} where {} should stand", quoted(text), what));
  }
  return value;
}

double FileCursor::number(const char* what) {
  skip_space();
  const std::size_t start = at_;
  std::string_view text = word(what);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool out_of_range = error == std::errc::result_out_of_range;  // 1e-400 as well as 1e400
  if ((error != std::errc() && !out_of_range) || end != text.data() + text.size() || !std::isfinite(value)) {
    at_ = start;
    fail(fmt::format("{} where {} should stand", quoted(text), what));
  }
  if (out_of_range) fail(fmt::format("{} is out of range", quoted(text)));
  return value;
}

std::string_view FileCursor::line() {
  const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::string_view found = bytes_.substr(at_, end - at_);
  at_ = std::min(end + 1, bytes_.size());
  while (!found.empty() && is_space(found.back())) found.remove_suffix(1);
  return found;
}

void FileCursor::next_line() { line(); }

std::size_t FileCursor::count(std::int64_t n, std::size_t bytes, const char* what) const {
  const std::size_t left = bytes_.size() - std::min(at_, bytes_.size());
  if (n < 0 || std::uint64_t(n) > left / bytes)
    fail(fmt::format("{} {} do not fit in the {} bytes that are left of the file", n, what, left));
  return std::size_t(n);
}

std::string_view FileCursor::take(std::size_t bytes, const char* what) {
  if (bytes_.size() - at_ < bytes) fail(fmt::format("the file ends inside {}", what));
  at_ += bytes;
  return bytes_.substr(at_ - bytes, bytes);
}

void NumberedTets::add_node(const FileCursor& at, std::int64_t number, const Vec3& p) {
  if (!p.allFinite()) at.fail(fmt::format("node {} has coordinates that are not finite", number));
  if (!index.try_emplace(number, int(x.size())).second) at.fail(fmt::format("a second node {}", number));
  x.push_back(p);
  node.push_back(number);
}

void NumberedTets::add_tet(std::int64_t number, const std::int64_t* nodes) {
  tet.push_back(number);
  corners.emplace_back(nodes[0], nodes[1], nodes[2], nodes[3]);
}

}  // namespace coracle
