#include "coracle/scene/parse_toml.h"

#include "coracle/error.h"

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
    throw SceneError({{{source, int(error.source().begin.line), int(error.source().begin.column)}, what}});
  }
}

}  // namespace coracle
