// The properties of an option in the table of fields (scene/tables.h) besides its name and type. The reader, the
// checker of scenes built in code, the writer and the schema are visitors of that table:
//
//   here(place)                  the struct takes the place of the table
//   kind(name, enum, info)       the word that decides which of the table's other fields apply
//   field(name, value, info)     a number, word, vector or list
//   corners(center, size, info)  a box's `min` and `max`, instead of center and size
//   parts(name, shapes, info)    shapes inside a shape
//   table(name, struct, doc)     [name]
//   tables(name, structs, doc)   [[name]]
#pragma once

#include <span>

namespace coracle {

inline constexpr unsigned every_kind = ~0u;

// A bit set with one bit per given kind.
template <class... E>
constexpr unsigned only(E... kinds) {
  return (0u | ... | (1u << unsigned(kinds)));
}

struct FieldInfo {
  const char* unit = "";
  double min = -1e9;   // of numbers and vector components; the default allows any scene and prevents overflow
  bool above = false;  // the value must be greater than min
  double max = 1e9;
  bool nonzero = false;         // a vector that gives a direction
  bool file = false;            // a path, relative to the folder of the scene
  bool formulas = false;        // three formulas of x, y, z
  bool name = false;            // letters, digits, _ and -: names become parts of file names
  unsigned kinds = every_kind;  // kinds that have the field
  unsigned required = 0;        // kinds that require the field
  const char* doc = "";
};

using Words = std::span<const char* const>;

}  // namespace coracle
