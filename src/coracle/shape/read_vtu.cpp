// VTK's unstructured grids (.vtu): text, base64 and appended data, not compressed.
#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <type_traits>

namespace coracle {
namespace {

constexpr int tet_cell = 10, quadratic_tet_cell = 24;

struct Tag {
  std::string name;  // "/Name" for a closing tag
  std::map<std::string, std::string, std::less<>> attributes;
  std::string attribute(std::string_view key) const {
    const auto it = attributes.find(key);
    return it == attributes.end() ? "" : it->second;
  }
};

struct DataArray {
  Tag tag;
  std::size_t start = 0;     // in the file, for messages and text
  std::string_view content;  // between its tags
};

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decode at most `most` bytes; the text may consist of several padded pieces.
std::string from_base64(std::string_view text, std::size_t most) {
  std::string bytes;
  unsigned group = 0;
  int digits = 0;
  const auto flush = [&] {
    for (int i = 0; i + 1 < digits; ++i) bytes += char(group >> (16 - 8 * i) & 0xff);
    group = 0;
    digits = 0;
  };
  for (const char c : text) {
    if (bytes.size() >= most) break;
    const int d = base64_digit(c);
    if (d < 0) {
      if (c == '=')
        flush();
      else if (static_cast<unsigned char>(c) > ' ')
        break;
      continue;
    }
    group |= unsigned(d) << (18 - 6 * digits);
    if (++digits == 4) flush();
  }
  flush();
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

template <class To>
struct Decoder {
  template <class From>
  static void append(std::string_view bytes, std::vector<To>& values) {
    for (std::size_t i = 0; i + sizeof(From) <= bytes.size(); i += sizeof(From)) {
      From value;
      std::memcpy(&value, bytes.data() + i, sizeof(From));
      values.push_back(To(value));
    }
  }
  static bool decode(const std::string& type, std::string_view bytes, std::vector<To>& values) {
    if (std::is_integral_v<To> && type.starts_with("Float")) return false;
    if (type == "Float32")
      append<float>(bytes, values);
    else if (type == "Float64")
      append<double>(bytes, values);
    else if (type == "Int8")
      append<std::int8_t>(bytes, values);
    else if (type == "UInt8")
      append<std::uint8_t>(bytes, values);
    else if (type == "Int16")
      append<std::int16_t>(bytes, values);
    else if (type == "UInt16")
      append<std::uint16_t>(bytes, values);
    else if (type == "Int32")
      append<std::int32_t>(bytes, values);
    else if (type == "UInt32")
      append<std::uint32_t>(bytes, values);
    else if (type == "Int64")
      append<std::int64_t>(bytes, values);
    else if (type == "UInt64")
      append<std::uint64_t>(bytes, values);
    else
      return false;
    return true;
  }
};

class VtuReader {
 public:
  VtuReader(const std::string& file, std::string_view bytes) : in_(file, bytes), bytes_(bytes) {}

  NumberedTets read() {
    scan();
    const auto points = values<double>(array("Points", ""), 3, points_);
    const auto types = values<std::int64_t>(array("Cells", "types"), 1, cells_);
    const auto offsets = values<std::int64_t>(array("Cells", "offsets"), 1, cells_);
    const auto nodes = values<std::int64_t>(array("Cells", "connectivity"), 1, std::nullopt);
    NumberedTets mesh;
    std::vector<bool> middle(points_, false);  // of an edge of a quadratic tet
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < cells_; ++c) {
      const std::int64_t end = offsets[c];
      if (end < begin || end > std::int64_t(nodes.size()))
        in_.fail(fmt::format("cell {} has an offset out of range", c));
      if (types[c] == tet_cell || types[c] == quadratic_tet_cell) {
        if (end - begin != (types[c] == tet_cell ? 4 : 10))
          in_.fail(fmt::format("cell {} is a tetrahedron with {} nodes", c, end - begin));
        mesh.add_tet(std::int64_t(c), nodes.data() + begin);  // of a quadratic tet the corners
        for (std::int64_t n = begin + 4; n < end; ++n)
          if (nodes[n] >= 0 && nodes[n] < std::int64_t(points_)) middle[nodes[n]] = true;
      } else if (!is_flat(types[c])) {
        in_.fail(fmt::format("cell {} is of type {}; only tetrahedra (types 10 and 24) are read", c, types[c]));
      }
      begin = end;
    }
    for (std::size_t i = 0; i < points_; ++i)
      if (!middle[i]) mesh.add_node(in_, std::int64_t(i), {points[3 * i], points[3 * i + 1], points[3 * i + 2]});
    return mesh;
  }

 private:
  // Points, lines and faces.
  static bool is_flat(std::int64_t type) {
    return (type >= 1 && type <= 9) || (type >= 21 && type <= 23) || type == 28 || type == 30 || type == 34;
  }

  // Read the tag that starts at '<'; the cursor then stands after it.
  Tag tag() {
    const std::string_view rest = in_.rest();
    std::size_t i = 1;
    char quote = '\0';
    while (i < rest.size() && (quote != '\0' || rest[i] != '>')) {
      if (quote == '\0' && (rest[i] == '"' || rest[i] == '\''))
        quote = rest[i];
      else if (rest[i] == quote)
        quote = '\0';
      ++i;
    }
    if (i >= rest.size()) in_.fail("a tag that does not end");
    const std::string_view text = rest.substr(1, i - 1);
    Tag found;
    std::size_t at = std::min(text.find_first_of(" \t\r\n"), text.size());
    found.name = text.substr(0, at);
    if (found.name.ends_with('/')) found.name.pop_back();
    for (;;) {
      at = text.find_first_not_of(" \t\r\n", at);
      const std::size_t equals = text.find('=', at);
      if (at == std::string_view::npos || equals == std::string_view::npos) break;
      const std::size_t open = text.find_first_of("\"'", equals);
      if (open == std::string_view::npos) break;
      const std::size_t close = text.find(text[open], open + 1);
      if (close == std::string_view::npos) break;
      const std::string_view key = text.substr(at, text.find_first_of(" \t\r\n=", at) - at);
      found.attributes[std::string(key)] = text.substr(open + 1, close - open - 1);
      at = close + 1;
    }
    in_.go_to(in_.position() + i + 1);
    return found;
  }

  std::size_t attribute_count(const Tag& t, const char* key, std::size_t bytes) {
    FileCursor number(std::string(), t.attributes.find(key) == t.attributes.end()
                                         ? ""
                                         : std::string_view(t.attributes.find(key)->second));
    std::int64_t n = -1;
    try {
      n = number.integer(key);
    } catch (const std::runtime_error&) {
      in_.fail(fmt::format("<{}> has no number '{}'", t.name, key));
    }
    return in_.count(n, bytes, key);
  }

  // Find the arrays and the appended data.
  void scan() {
    bool grid = false;
    std::string section;
    int pieces = 0;
    for (std::size_t open; (open = in_.rest().find('<')) != std::string_view::npos;) {
      in_.go_to(in_.position() + open);
      const std::size_t start = in_.position();
      if (in_.rest().starts_with("<!--")) {
        const std::size_t end = in_.rest().find("-->");
        if (end == std::string_view::npos) in_.fail("a comment that does not end");
        in_.go_to(start + end + 3);
        continue;
      }
      Tag t = tag();
      if (t.name == "VTKFile") {
        if (t.attribute("type") != "UnstructuredGrid") in_.fail("only files of type UnstructuredGrid are read");
        if (t.attribute("byte_order") == "BigEndian") in_.fail("the file was written in another byte order");
        if (!t.attribute("compressor").empty()) in_.fail("compressed files are not read; save it without compression");
        wide_ = t.attribute("header_type") == "UInt64";
        grid = true;
      } else if (!grid && !t.name.starts_with('?') && !t.name.starts_with('!')) {
        in_.fail("a VTK file begins with <VTKFile>");
      } else if (t.name == "Piece") {
        if (++pieces > 1) in_.fail("a file of several pieces is not read; merge them");
        points_ = attribute_count(t, "NumberOfPoints", 3);  // "0 0 0", or 12 bytes that may be shared
        cells_ = attribute_count(t, "NumberOfCells", 1);
      } else if (t.name == "Points" || t.name == "Cells" || t.name == "PointData" || t.name == "CellData") {
        section = t.name;
      } else if (t.name.starts_with('/') && t.name.substr(1) == section) {
        section.clear();
      } else if (t.name == "DataArray") {
        const std::size_t end = std::min(in_.rest().find('<'), in_.rest().size());
        arrays_.push_back({t, in_.position(), in_.rest().substr(0, end)});
        sections_.push_back(section);
      } else if (t.name == "AppendedData") {
        appended_base64_ = t.attribute("encoding") == "base64";
        const std::size_t mark = in_.rest().find('_');
        if (mark == std::string_view::npos) in_.fail("the appended data lack their '_'");
        appended_ = in_.position() + mark + 1;
        break;  // what follows is not text
      }
    }
    if (!grid) in_.fail("a VTK file begins with <VTKFile>");
    if (pieces == 0) in_.fail("the file has no <Piece>");
  }

  const DataArray& array(const std::string& section, const std::string& name) {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      if (sections_[i] == section && (name.empty() || arrays_[i].tag.attribute("Name") == name)) return arrays_[i];
    in_.fail(fmt::format("<{}> has no <DataArray>{}{}", section, name.empty() ? "" : " named ", name));
  }

  template <class T>
  std::vector<T> values(const DataArray& a, std::size_t components, std::optional<std::size_t> count) {
    std::vector<T> found;
    in_.go_to(a.start);
    const std::string format = a.tag.attribute("format"), type = a.tag.attribute("type");
    if (format.empty() || format == "ascii") {
      read_text(a, found);
    } else {
      const std::size_t head = wide_ ? 8 : 4;
      std::string decoded;
      std::string_view block;
      if (format == "binary" || (format == "appended" && appended_base64_)) {
        const std::string_view text = format == "binary" ? a.content : appended(a);
        const std::uint64_t size = block_size(from_base64(text, head));
        decoded = from_base64(text, head + std::size_t(size));
        block = decoded;
      } else if (format == "appended") {
        block = appended(a);
      } else {
        in_.fail("a <DataArray> of unknown format");
      }
      const std::uint64_t size = block_size(block);
      if (size > block.size() - head) in_.fail("a <DataArray> that is shorter than it says");
      if (!Decoder<T>::decode(type, block.substr(head, std::size_t(size)), found))
        in_.fail("a <DataArray> of unknown type");
    }
    if (count && found.size() != components * *count)
      in_.fail(fmt::format("a <DataArray> with {} numbers; {} are needed", found.size(), components * *count));
    return found;
  }

  template <class T>
  void read_text(const DataArray& a, std::vector<T>& found) {
    while (!in_.at_end() && in_.position() < a.start + a.content.size()) {
      // The last number may stand right before the closing tag.
      const std::size_t end = a.start + a.content.size();
      const std::string_view left = bytes_.substr(in_.position(), end - in_.position());
      const std::string_view text = left.substr(0, left.find_first_of(" \t\r\n"));
      FileCursor number(std::string(), text);
      try {
        if constexpr (std::is_integral_v<T>)
          found.push_back(number.integer("a number"));
        else
          found.push_back(number.number("a number"));
      } catch (const std::runtime_error&) {
        in_.fail("a number should stand here");
      }
      in_.go_to(in_.position() + text.size());
    }
  }

  std::string_view appended(const DataArray& a) {
    if (appended_ == 0) in_.fail("there is no <AppendedData>");
    const std::string_view data = bytes_.substr(appended_);
    const std::size_t offset = attribute_count(a.tag, "offset", 1);
    if (offset > data.size()) in_.fail("an 'offset' beyond the appended data");
    return data.substr(offset);
  }

  std::uint64_t block_size(std::string_view block) {
    if (block.size() < (wide_ ? 8u : 4u)) in_.fail("a <DataArray> that is shorter than its header");
    std::uint64_t wide = 0;
    std::uint32_t narrow = 0;
    std::memcpy(&wide, block.data(), wide_ ? 8 : 0);
    std::memcpy(&narrow, block.data(), 4);
    const std::uint64_t size = wide_ ? wide : narrow;
    if (size > bytes_.size()) in_.fail("a <DataArray> that is longer than the file");
    return size;
  }

  FileCursor in_;
  std::string_view bytes_;
  bool wide_ = false, appended_base64_ = false;
  std::size_t points_ = 0, cells_ = 0, appended_ = 0;
  std::vector<DataArray> arrays_;
  std::vector<std::string> sections_;  // of the arrays
};

}  // namespace

NumberedTets read_vtu(const std::string& file, std::string_view bytes) { return VtuReader(file, bytes).read(); }

}  // namespace coracle
