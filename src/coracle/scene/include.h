// Scene files that include others: include = ["tank.toml", "../common/look.toml"], relative to the file that says so.
// The included files come first, in their order; the file itself is merged over them. Lists of tables, such as
// [[solid]], are joined; [solid.NAME] changes an included entry. A file that is included twice counts once.
#pragma once

#include "coracle/scene/table_reader.h"

#include <map>
#include <string>

namespace coracle {

// A scene file and what it includes. Every file is read once.
class SceneText {
 public:
  // `name` is the file's name in messages; included files are found relative to it.
  SceneText(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {}

  // All of it as one table, parsed anew each time: in toml++ a copied node loses its place in the file. Throws
  // SceneError if a file cannot be read or parsed, or includes itself.
  toml::table parse(Reading& reading);
  toml::table parse();

 private:
  struct Chain;
  toml::table parse_file(const std::string& text, const std::string& file, Chain& chain, Reading& reading);
  const std::string& text_of(const std::string& file, const Place& asked);

  std::string text_, name_;
  std::map<std::string, std::string> included_;
};

}  // namespace coracle
