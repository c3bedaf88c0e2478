// The viewer's page as built (viewer/dist), put into the program by cmake/embed.cmake.
#pragma once

#include <string_view>

namespace coracle {

// "index.html", "viewer.js", "viewer.css"; empty where there is no such file.
std::string_view viewer_file(std::string_view name);

}  // namespace coracle
