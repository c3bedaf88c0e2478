# Writes text files as a C++ source: cmake -DOUT=viewer_files.cpp -DFILES="a;b" -P embed.cmake
set(arrays "")
set(cases "")
set(number 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "const unsigned char file_${number}[] = {${bytes}0};\n")
  string(APPEND cases "  if (name == \"${name}\") return text(file_${number}, sizeof file_${number} - 1);\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/embed.cmake.
#include \"coracle/show/viewer_files.h\"

namespace coracle {
namespace {
${arrays}
std::string_view text(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}
}  // namespace

std::string_view viewer_file(std::string_view name) {
${cases}  return {};
}

}  // namespace coracle
")
