#include "coracle/scene/parse_toml.h"

#include "coracle/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace coracle {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;  // bytes; a scene is written by hand

constexpr int deepest_key = 64;  // dots in one key; toml++ 3.3 bounds brackets but not dotted keys

// The place of a key with too many dots; line 0 if there is none. Parses only strings and comments.
Place too_deep_key(std::string_view text, const std::string& source) {
  int line = 1, column = 1, dots = 0;
  char quote = 0;
  int quotes = 0;  // 1, or 3 in multi-line strings
  for (std::size_t i = 0; i < text.size(); ++i, ++column) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      column = 0;
      dots = 0;
      if (quotes == 1) quote = 0;
    } else if (quote) {
      if (c == '\\' && quote == '"')
        ++i, ++column;
      else if (c == quote && (quotes == 1 || text.substr(i, 3) == std::string(3, quote))) {
        i += std::size_t(quotes) - 1;
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quotes = text.substr(i, 3) == std::string(3, c) ? 3 : 1;
      i += std::size_t(quotes) - 1;
      quote = c;
    } else if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '.') {
      if (++dots > deepest_key) return {source, line, column};
    } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return {};
}

// The line of a text, from 1.
std::string_view line_of(std::string_view text, int line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// A value that is a word without quotes, such as torus in shape = torus. Empty if the line has none.
struct BareWord {
  std::string_view word;
  int column = 0;
};
BareWord bare_word(std::string_view line) {
  constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view part = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-./";
  char quote = 0;
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  for (std::size_t i = equals + 1; i < line.size(); ++i) {
    const char c = line[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      break;
    } else if (part.find(c) != std::string_view::npos) {
      const std::size_t end = std::min(line.find_first_not_of(part, i), line.size());
      const std::string_view word = line.substr(i, end - i);
      const std::size_t next = std::min(line.find_first_not_of(" \t", end), line.size());
      const bool is_key = next < line.size() && line[next] == '=';  // of an inline table
      const bool has_meaning = word == "true" || word == "false" || word == "inf" || word == "nan";
      if (first.find(c) != std::string_view::npos && !is_key && !has_meaning) return {word, int(i) + 1};
      i = end - 1;
    }
  }
  return {};
}

// What to do about a line that is no TOML, where that can be told.
std::string remedy(std::string_view line, int& column) {
  for (const std::string_view curly : {"\u201c", "\u201d", "\u2018", "\u2019", "\u201e"})
    if (line.find(curly) != std::string_view::npos) return "use straight quotes (\") around words";
  const auto [word, at] = bare_word(line);
  if (word.empty()) return "";
  column = at;
  return fmt::format("words must be in quotes: \"{}\"", word);
}

}  // namespace

std::string read_toml_text(const std::string& file) {
  namespace fs = std::filesystem;
  const auto fail = [&](const char* reason) { throw SceneError({{{file, 0, 0}, reason}}); };
  std::error_code ignored;
  if (!fs::exists(file, ignored)) fail("no such file");
  if (!fs::is_regular_file(file, ignored)) fail("not a file");
  if (fs::file_size(file, ignored) > largest_file) fail("too large for a scene (64 MiB at most)");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in && !in.eof()) fail("cannot be read");
  return std::move(text).str();
}

toml::table parse_toml(std::string_view text, const std::string& source) {
  const Place deep = too_deep_key(text, source);
  if (deep.line > 0) throw SceneError({{deep, "a key with too many dots"}});
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    for (char& c : what)
      if (c == '\n') c = ' ';
    const int line = int(error.source().begin.line);
    int column = int(error.source().begin.column);
    if (const std::string better = remedy(line_of(text, line), column); !better.empty()) what = better;
    throw SceneError({{{source, line, column}, what}});
  }
}

}  // namespace coracle
