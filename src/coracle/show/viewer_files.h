// The built page of the viewer (viewer/dist). cmake/embed.cmake puts it into the library.
#pragma once

#include <string_view>

namespace coracle {

// "index.html", "viewer.js", "viewer.css"; empty if there is no such file.
std::string_view viewer_file(std::string_view name);

}  // namespace coracle
