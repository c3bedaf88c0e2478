#include "coracle/scene/nearest.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr std::size_t longest_word = 100;   // longer words get no suggestion
constexpr std::size_t longest_quoted = 60;  // bytes of the user's text that a message repeats

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > longest_word) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, std::min<std::size_t>(3, word.size() / 2)) + 1;
  for (const std::string& k : known) {
    const std::size_t d = edit_distance(word, k);
    if (d < best_distance) {
      best_distance = d;
      best = k;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string best = nearest(word, known);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

std::string one_line(std::string_view words, std::size_t longest) {
  std::string text(words.substr(0, longest));
  if (words.size() > longest) {
    while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();  // do not cut a UTF-8 character in two
    if (!text.empty() && (text.back() & 0x80)) text.pop_back();
    text += "…";
  }
  for (char& c : text)
    if ((c >= 0 && c < 32) || c == 127) c = '?';
  return text;
}

std::string in_quotes(std::string_view word) { return "'" + one_line(word, longest_quoted) + "'"; }

}  // namespace coracle
