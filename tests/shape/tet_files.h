// Tetrahedral meshes as files, for tests.
#pragma once

#include "coracle/shape/tet_mesh.h"
#include "mesh_files.h"

namespace coracle {

inline std::string as_msh2(const TetMesh& mesh, bool binary) {
  std::ostringstream head, middle;
  head << std::setprecision(17) << "$MeshFormat\n2.2 " << binary << " 8\n";
  std::string out = head.str();
  if (binary) put_bytes(out, std::int32_t(1)), out += "\n";
  out += "$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Nodes\n" +
         std::to_string(mesh.x.size()) + "\n";
  std::ostringstream text;
  text << std::setprecision(17);
  for (std::size_t i = 0; i < mesh.x.size(); ++i) {
    if (binary) {
      put_bytes(out, std::int32_t(10 + i));
      for (int a = 0; a < 3; ++a) put_bytes(out, mesh.x[i][a]);
    } else {
      text << 10 + i << " " << mesh.x[i].transpose() << "\n";
    }
  }
  out += text.str() + (binary ? "\n" : "") + "$EndNodes\n$Elements\n" + std::to_string(mesh.tets.size() + 1) + "\n";
  text.str("");
  // A triangle that is to be passed over, then the tets.
  const Vec3i tri = mesh.tets[0].head<3>();
  if (binary) {
    for (const int v : {2, 1, 2, 1, 7, 7, 10 + tri[0], 10 + tri[1], 10 + tri[2], 4, int(mesh.tets.size()), 2})
      put_bytes(out, std::int32_t(v));
  } else {
    text << "1 2 2 7 7 " << (tri.array() + 10).transpose() << "\n";
  }
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Vec4i t = mesh.tets[i].array() + 10;
    if (binary)
      for (const int v : {int(i) + 2, 1, 1, t[0], t[1], t[2], t[3]}) put_bytes(out, std::int32_t(v));
    else
      text << i + 2 << " 4 2 1 1 " << t.transpose() << "\n";
  }
  return out + text.str() + (binary ? "\n" : "") + "$EndElements\n";
}

inline std::string as_msh4(const TetMesh& mesh, bool binary) {
  std::string out = std::string("$MeshFormat\n4.1 ") + (binary ? "1" : "0") + " 8\n";
  std::ostringstream text;
  text << std::setprecision(17);
  const auto flush = [&] {
    out += text.str();
    text.str("");
  };
  const auto small = [&](int v) {
    if (binary)
      put_bytes(out, std::int32_t(v));
    else
      text << v << " ";
  };
  const auto large = [&](std::size_t v) {
    if (binary)
      put_bytes(out, std::uint64_t(v));
    else
      text << v << " ";
  };
  const auto end = [&] { text << "\n"; };
  if (binary) put_bytes(out, std::int32_t(1)), out += "\n";
  const std::size_t n = mesh.x.size(), half = n / 2;
  out += "$EndMeshFormat\n$Nodes\n";
  for (const std::size_t v : {std::size_t(2), n, std::size_t(10), n + 9}) large(v);
  if (!binary) end();
  for (int block = 0; block < 2; ++block) {
    const std::size_t first = block ? half : 0, last = block ? n : half;
    small(block + 2), small(1), small(block == 0), large(last - first);  // on a face with parameters, then inside
    if (!binary) end();
    for (std::size_t i = first; i < last; ++i) large(10 + i);
    for (std::size_t i = first; i < last; ++i) {
      for (int a = 0; a < (block ? 3 : 5); ++a) {
        const double value = a < 3 ? mesh.x[i][a] : 0.5;
        if (binary)
          put_bytes(out, value);
        else
          text << value << " ";
      }
      if (!binary) end();
    }
  }
  if (binary) end();
  flush();
  out += "$EndNodes\n$Elements\n";
  for (const std::size_t v : {std::size_t(2), mesh.tets.size() + 1, std::size_t(1), mesh.tets.size() + 1}) large(v);
  small(2), small(1), small(2), large(1), large(1);
  for (int c = 0; c < 3; ++c) large(10 + std::size_t(mesh.tets[0][c]));
  small(3), small(1), small(4), large(mesh.tets.size());
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    large(i + 2);
    for (const int v : mesh.tets[i]) large(10 + std::size_t(v));
  }
  end();
  flush();
  return out + "$EndElements\n";
}

inline std::string as_medit(const TetMesh& mesh) {
  std::ostringstream out;
  out << std::setprecision(17) << "MeshVersionFormatted 2\n# a comment\nDimension\n3\nVertices\n"
      << mesh.x.size() << "\n";
  for (const Vec3& x : mesh.x) out << x.transpose() << " 0\n";
  out << "Triangles 1\n1 2 3 0\nTetrahedra\n" << mesh.tets.size() << "\n";
  for (const Vec4i& t : mesh.tets) out << (t.array() + 1).transpose() << " 1\n";
  out << "End\n";
  return out.str();
}

inline std::string as_meshb(const TetMesh& mesh, int version) {
  std::string out;
  const auto integer = [&](std::int64_t v, bool wide) {
    if (wide)
      put_bytes(out, v);
    else
      put_bytes(out, std::int32_t(v));
  };
  const std::size_t place = version >= 3 ? 8 : 4, word = version == 4 ? 8 : 4, real = version == 1 ? 4 : 8;
  const auto section = [&](int keyword, std::size_t bytes) {
    integer(keyword, false);
    integer(std::int64_t(out.size() + place + bytes), version >= 3);
  };
  integer(1, false), integer(version, false);
  section(3, 4), integer(3, false);
  section(4, word + mesh.x.size() * (3 * real + word)), integer(std::int64_t(mesh.x.size()), version == 4);
  for (const Vec3& x : mesh.x) {
    for (int a = 0; a < 3; ++a) {
      if (version == 1)
        put_bytes(out, float(x[a]));
      else
        put_bytes(out, x[a]);
    }
    integer(0, version == 4);
  }
  section(8, word + mesh.tets.size() * 5 * word), integer(std::int64_t(mesh.tets.size()), version == 4);
  for (const Vec4i& t : mesh.tets) {
    for (const int v : t) integer(v + 1, version == 4);
    integer(0, version == 4);
  }
  integer(54, false), integer(0, version >= 3);
  return out;
}

inline std::string as_node(const TetMesh& mesh, int first) {
  std::ostringstream out;
  out << std::setprecision(17) << "# nodes\n" << mesh.x.size() << " 3 1 1\n";
  for (std::size_t i = 0; i < mesh.x.size(); ++i) out << i + first << " " << mesh.x[i].transpose() << " 0.5 1\n";
  return out.str();
}

inline std::string as_ele(const TetMesh& mesh, int first) {
  std::ostringstream out;
  out << mesh.tets.size() << " 4 0\n";
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    out << i + first << " " << (mesh.tets[i].array() + first).transpose() << "\n";
  return out.str() + "# the end\n";
}

inline std::string to_base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

enum class VtuData { text, base64, appended_raw, appended_base64 };

inline std::string as_vtu(const TetMesh& mesh, VtuData kind, bool wide = true) {
  std::string appended;
  std::ostringstream out;
  out << std::setprecision(17) << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      << "byte_order=\"LittleEndian\"" << (wide ? " header_type=\"UInt64\"" : "")
      << ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" << mesh.x.size() << "\" NumberOfCells=\"" << mesh.tets.size()
      << "\">\n";
  const auto array = [&](const char* type, const char* name, const auto& values) {
    out << "<DataArray type=\"" << type << "\" Name=\"" << name << "\" format=\"";
    if (kind == VtuData::text) {
      out << "ascii\">";
      for (const auto& v : values) out << " " << +v;
      out << "</DataArray>\n";
      return;
    }
    std::string data, head;
    for (const auto& v : values) put_bytes(data, v);
    if (wide)
      put_bytes(head, std::uint64_t(data.size()));
    else
      put_bytes(head, std::uint32_t(data.size()));
    if (kind == VtuData::base64) {
      out << "binary\">\n" << to_base64(head + data) << "\n</DataArray>\n";
      return;
    }
    out << "appended\" offset=\"" << appended.size() << "\"/>\n";
    appended += kind == VtuData::appended_raw ? head + data : to_base64(head + data);
  };
  std::vector<double> points;
  for (const Vec3& x : mesh.x) points.insert(points.end(), x.begin(), x.end());
  std::vector<std::int32_t> nodes;
  std::vector<std::int64_t> offsets;
  for (const Vec4i& t : mesh.tets) {
    nodes.insert(nodes.end(), t.begin(), t.end());
    offsets.push_back(std::int64_t(nodes.size()));
  }
  out << "<PointData>\n";
  array("Float64", "speed", std::vector<double>(mesh.x.size(), 1.5));
  out << "</PointData>\n<Points>\n";
  array("Float64", "Points", points);
  out << "</Points>\n<Cells>\n";
  array("Int32", "connectivity", nodes);
  array("Int64", "offsets", offsets);
  array("UInt8", "types", std::vector<std::uint8_t>(mesh.tets.size(), 10));
  out << "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  if (!appended.empty())
    out << "<AppendedData encoding=\"" << (kind == VtuData::appended_raw ? "raw" : "base64") << "\">\n_" << appended
        << "\n</AppendedData>\n";
  out << "</VTKFile>\n";
  return out.str();
}

}  // namespace coracle
