#include "coracle/base/files.h"
#include "coracle/shape/isolated.h"
#include "coracle/shape/tri_mesh.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <stdexcept>

namespace coracle {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t(2) << 30;  // bytes

// The ending, in small letters.
std::string kind_of(const std::string& file) {
  std::string kind = std::filesystem::path(file).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return kind;
}

void check_file(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) throw std::runtime_error("no such file");
  if (!fs::is_regular_file(file, ignored)) throw std::runtime_error("not a file");
  if (fs::file_size(file, ignored) > largest_file) throw std::runtime_error("it is larger than 2 GiB");
  const std::string kind = kind_of(file);
  for (const char* known : {".obj", ".ply", ".stl", ".gltf", ".glb"})
    if (kind == known) return;
  throw std::runtime_error(fmt::format("cannot read '{}' files; meshes are .obj, .ply, .stl, .gltf or .glb", kind));
}

// Collects the meshes of Assimp; merges vertices at the same place and drops triangles that collapse.
struct Joiner {
  TriMesh mesh;
  std::map<std::array<float, 3>, int> known;

  int vertex(const aiVector3D& p) {
    const std::array<float, 3> key = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};  // −0 becomes 0
    const auto [it, added] = known.try_emplace(key, int(mesh.x.size()));
    if (added) mesh.x.emplace_back(p.x, p.y, p.z);
    return it->second;
  }

  void add(const aiMesh& part) {
    for (unsigned v = 0; v < part.mNumVertices; ++v) {
      const aiVector3D& p = part.mVertices[v];
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        throw std::runtime_error("it has coordinates that are not finite");
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      Vec3i t;
      for (int a = 0; a < 3; ++a) {
        if (face.mIndices[a] >= part.mNumVertices)
          throw std::runtime_error("it has a triangle with an index out of range");
        t[a] = vertex(part.mVertices[face.mIndices[a]]);
      }
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.tris.push_back(t);
    }
  }
};

// Assimp takes no number of an OBJ file that begins with its decimal point: .5 becomes 0.5.
std::string with_leading_zeros(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts =
        i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t' || text[i - 1] == '-' || text[i - 1] == '+');
    if (text[i] == '.' && starts && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') out += '0';
    out += text[i];
  }
  return out;
}

TriMesh read_with_assimp(const std::string& file) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                                          aiComponent_COLORS | aiComponent_TEXCOORDS |
                                                          aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                                          aiComponent_TEXTURES | aiComponent_LIGHTS |
                                                          aiComponent_CAMERAS | aiComponent_MATERIALS);
  constexpr unsigned how = aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_PreTransformVertices;
  const aiScene* scene = nullptr;
  if (kind_of(file) == ".obj") {
    const std::string text = with_leading_zeros(read_file(file));
    scene = importer.ReadFileFromMemory(text.data(), text.size(), how, "obj");
  } else {
    scene = importer.ReadFile(file, how);  // glTF names further files
  }
  if (!scene) {
    const std::string reason = importer.GetErrorString();
    if (reason.find("bad_alloc") != std::string::npos) throw std::bad_alloc();  // Assimp caught it
    throw std::runtime_error(reason);
  }
  Joiner joiner;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) joiner.add(*scene->mMeshes[m]);
  return std::move(joiner.mesh);
}

template <class T>
void append(std::string& bytes, const T* data, std::size_t count) {
  if (count == 0) return;
  bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

std::string packed(const TriMesh& mesh) {
  std::string bytes;
  const std::array<std::size_t, 2> sizes = {mesh.x.size(), mesh.tris.size()};
  append(bytes, sizes.data(), sizes.size());
  append(bytes, mesh.x.data(), sizes[0]);
  append(bytes, mesh.tris.data(), sizes[1]);
  return bytes;
}

// Checks everything: the child may have corrupted its memory before it answered.
TriMesh unpacked(const std::string& bytes) {
  std::array<std::size_t, 2> sizes = {};
  const std::size_t head = sizeof(sizes);
  if (bytes.size() >= head) std::memcpy(sizes.data(), bytes.data(), head);
  const auto [vertices, triangles] = sizes;
  if (vertices > bytes.size() || triangles > bytes.size() ||
      bytes.size() != head + vertices * sizeof(Vec3) + triangles * sizeof(Vec3i))
    throw std::runtime_error("it is damaged: the reader failed on it");
  if (triangles == 0) throw std::runtime_error("it has no triangles");
  TriMesh mesh;
  mesh.x.resize(vertices);
  mesh.tris.resize(triangles);
  const char* from = bytes.data() + head;
  std::memcpy(static_cast<void*>(mesh.x.data()), from, vertices * sizeof(Vec3));
  std::memcpy(static_cast<void*>(mesh.tris.data()), from + vertices * sizeof(Vec3), triangles * sizeof(Vec3i));
  for (const Vec3i& t : mesh.tris)
    if ((t.array() < 0).any() || (t.array() >= int(vertices)).any())
      throw std::runtime_error("it has a triangle with an index out of range");
  return mesh;
}

}  // namespace

TriMesh read_tri_mesh(const std::string& file) {
  check_file(file);
  // Assimp aborts on some damaged files (Debian builds it with assertions) and reads past the end of others, so it runs
  // in a child process. Damaged counts can make it use unlimited memory or time, so both are limited to several times
  // what an intact file of this size needs.
  std::error_code ignored;
  const std::size_t bytes = std::filesystem::file_size(file, ignored);
  const std::size_t memory = (std::size_t(256) << 20) + 100 * bytes;
  const double seconds = 1 + double(bytes) / (1 << 20);
  TriMesh mesh = unpacked(run_isolated([&] { return packed(read_with_assimp(file)); }, memory, seconds));
  if (enclosed_volume(mesh) < 0)
    for (Vec3i& t : mesh.tris) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace coracle
