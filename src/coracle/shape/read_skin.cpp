// Skins, bones and clips of glTF 2.0 files. A skinned vertex p of the file is at
//   x = Σ w G B⁻¹ p,   G: from a bone to the world,   B⁻¹: its inverse bind matrix,
// whatever the node that holds the mesh. The bone that carries most of the skin defines the mesh at rest: x₀ = G₀ B₀⁻¹
// p, with its G₀ before any clip. So a skeleton in centimetres or with another axis up gives a mesh that is right at
// rest.
#include "coracle/shape/gltf.h"
#include "coracle/shape/read_character.h"
#include "coracle/shape/read_clip.h"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

namespace coracle {
namespace {

using nlohmann::json;

constexpr double least_determinant = 1e-18;  // of maps that must have an inverse; scales below 1e-6 do not occur

Affine operator*(const Affine& outer, const Affine& inner) { return {outer.a * inner.a, outer.a * inner.b + outer.b}; }
Vec3 moved(const Affine& map, const Vec3& x) { return map.a * x + map.b; }

Affine inverse(const Affine& map) {
  if (!(std::abs(map.a.determinant()) > least_determinant))
    throw std::runtime_error("one of its bones is flat: its matrix has no inverse");
  const Mat3 back = map.a.inverse();
  return {back, -back * map.b};
}

Affine from_columns(const double* m) {
  const Eigen::Map<const Eigen::Matrix4d> all(m);
  return {all.topLeftCorner<3, 3>(), all.topRightCorner<3, 1>()};
}

Affine local_of(const json& node) {
  if (node.contains("matrix")) {
    const std::array<double, 16> m = node.at("matrix");
    return from_columns(m.data());
  }
  const NodePieces p = pieces_of(node);
  return {Eigen::Quaterniond(p.rotation).normalized().toRotationMatrix() * p.scale.head<3>().asDiagonal(),
          p.translation.head<3>()};
}

std::string name_of(const json& thing, const char* what, std::size_t index) {
  const std::string name = thing.value("name", std::string());
  return name.empty() ? fmt::format("{} {}", what, index) : name;
}

struct Reader {
  const Gltf& gltf;
  Character& character;
  std::vector<int> bone = {};                       // per node of the file
  std::vector<Affine> at_rest = {};                 // per bone, to the world, before any clip
  std::map<std::array<double, 3>, int> known = {};  // vertices by their place
  std::vector<std::map<int, double>> weights = {};  // per vertex: joint and weight

  const json& list(const char* name) const {
    static const json none = json::array();
    return gltf.json.contains(name) && gltf.json.at(name).is_array() ? gltf.json.at(name) : none;
  }

  // Bones are the nodes of the file, parents first.
  void read_bones() {
    const json& nodes = list("nodes");
    std::vector<int> parent(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      for (const json& child : nodes[n].value("children", json::array())) parent.at(child) = int(n);
    bone.assign(nodes.size(), -1);
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (parent[n] < 0) order.push_back(n);
    for (std::size_t i = 0; i < order.size(); ++i) {  // the list grows by the children
      const json& node = nodes[order[i]];
      const int above = parent[order[i]];
      bone[order[i]] = int(character.bones.size());
      character.bones.push_back(
          {name_of(node, "node", order[i]), above < 0 ? -1 : bone[std::size_t(above)], local_of(node)});
      const Character::Bone& added = character.bones.back();
      at_rest.push_back(added.parent < 0 ? added.local : at_rest[std::size_t(added.parent)] * added.local);
      for (const json& child : node.value("children", json::array()))
        if (parent.at(child) == int(order[i])) order.push_back(child);
      if (order.size() > nodes.size()) break;
    }
    if (order.size() != nodes.size()) throw std::runtime_error("it is damaged: its nodes form a circle");
  }

  int vertex(const Vec3& x) {
    if (!x.allFinite()) throw std::runtime_error("it has coordinates that are not finite");
    const auto [it, added] = known.try_emplace({x.x() + 0.0, x.y() + 0.0, x.z() + 0.0}, int(known.size()));
    if (added) character.rest.x.push_back(x), weights.emplace_back();
    return it->second;
  }

  void add_triangles(const json& primitive, const std::vector<int>& vertices) {
    std::vector<double> indices;
    if (primitive.contains("indices"))
      indices = gltf_numbers(gltf, primitive.at("indices"), 1);
    else
      for (std::size_t i = 0; i < vertices.size(); ++i) indices.push_back(double(i));
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      Vec3i t;
      for (int c = 0; c < 3; ++c) {
        const double index = indices[i + std::size_t(c)];
        if (!(index >= 0 && index < double(vertices.size())))
          throw std::runtime_error("it has a triangle with an index out of range");
        t[c] = vertices[std::size_t(index)];
      }
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) character.rest.tris.push_back(t);
    }
  }

  // Whether the primitive has triangles.
  static bool has_triangles(const json& primitive) {
    const int mode = primitive.value("mode", 4);
    if (mode > 4) throw std::runtime_error("it has strips or fans of triangles; export it as single triangles");
    return mode == 4;
  }

  // A mesh without a skin follows its node.
  void add_rigid(const json& mesh, int node_bone) {
    const Affine& map = at_rest[std::size_t(node_bone)];
    const int joint = int(character.joints.size());
    character.joints.push_back({node_bone, inverse(map)});
    for (const json& primitive : mesh.at("primitives")) {
      if (!has_triangles(primitive)) continue;
      const std::vector<double> p = gltf_numbers(gltf, primitive.at("attributes").at("POSITION"), 3);
      std::vector<int> vertices;
      for (std::size_t i = 0; i + 2 < p.size(); i += 3) {
        vertices.push_back(vertex(moved(map, {p[i], p[i + 1], p[i + 2]})));
        weights[std::size_t(vertices.back())][joint] += 1;
      }
      add_triangles(primitive, vertices);
    }
  }

  // Joint and weight of all vertices of a primitive, four at a time; `per` vertex.
  struct Skinning {
    std::vector<double> p;
    std::vector<std::pair<int, double>> each;
    std::size_t per = 0;
  };

  Skinning skinning_of(const json& primitive, std::size_t joints) const {
    const json& attributes = primitive.at("attributes");
    Skinning s{gltf_numbers(gltf, attributes.at("POSITION"), 3), {}, 0};
    const std::size_t count = s.p.size() / 3;
    std::vector<std::vector<double>> which, how_much;
    for (int set = 0; attributes.contains(fmt::format("JOINTS_{}", set)); ++set) {
      which.push_back(gltf_numbers(gltf, attributes.at(fmt::format("JOINTS_{}", set)), 4));
      how_much.push_back(gltf_numbers(gltf, attributes.at(fmt::format("WEIGHTS_{}", set)), 4));
      if (which.back().size() != 4 * count || how_much.back().size() != 4 * count)
        throw std::runtime_error("it is damaged: not every vertex of its skin has weights");
    }
    s.per = 4 * which.size();
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < s.per; ++k) {
        const double joint = which[k / 4][4 * i + k % 4], weight = how_much[k / 4][4 * i + k % 4];
        if (!(weight >= 0) || !(joint >= 0 && joint < double(joints)))
          throw std::runtime_error(
              "it is damaged: its skin has a weight below zero, or follows a bone that is not there");
        s.each.emplace_back(int(joint), weight);
        sum += weight;
      }
      if (!(sum > 0))
        throw std::runtime_error(
            fmt::format("the vertex at ({:.6g}, {:.6g}, {:.6g}) of its skin follows no bone; give it a weight",
                        s.p[3 * i], s.p[3 * i + 1], s.p[3 * i + 2]));
      for (std::size_t k = 0; k < s.per; ++k) s.each[s.per * i + k].second /= sum;
    }
    return s;
  }

  void add_skinned(const json& mesh, const json& skin) {
    const std::vector<std::size_t> nodes = skin.at("joints");
    std::vector<double> bind;
    if (skin.contains("inverseBindMatrices")) bind = gltf_numbers(gltf, skin.at("inverseBindMatrices"), 16);
    if (!bind.empty() && bind.size() < 16 * nodes.size())
      throw std::runtime_error("it is damaged: it has too few inverse bind matrices");
    std::vector<Skinning> parts;
    std::vector<const json*> primitives;
    std::vector<double> load(nodes.size(), 0);
    for (const json& primitive : mesh.at("primitives")) {
      if (!has_triangles(primitive)) continue;
      parts.push_back(skinning_of(primitive, nodes.size()));
      primitives.push_back(&primitive);
      for (const auto& [joint, weight] : parts.back().each) load[std::size_t(joint)] += weight;
    }
    if (nodes.empty() || parts.empty()) return;
    const auto most = std::size_t(std::max_element(load.begin(), load.end()) - load.begin());
    const auto bind_of = [&](std::size_t j) { return bind.empty() ? Affine() : from_columns(&bind[16 * j]); };
    const Affine to_rest = at_rest[std::size_t(bone.at(nodes[most]))] * bind_of(most), back = inverse(to_rest);
    const int first = int(character.joints.size());
    for (std::size_t j = 0; j < nodes.size(); ++j) character.joints.push_back({bone.at(nodes[j]), bind_of(j) * back});
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Skinning& s = parts[k];
      std::vector<int> vertices;
      for (std::size_t i = 0; 3 * i + 2 < s.p.size(); ++i) {
        vertices.push_back(vertex(moved(to_rest, {s.p[3 * i], s.p[3 * i + 1], s.p[3 * i + 2]})));
        for (std::size_t n = s.per * i; n < s.per * (i + 1); ++n)
          if (s.each[n].second > 0) weights[std::size_t(vertices.back())][first + s.each[n].first] += s.each[n].second;
      }
      add_triangles(*primitives[k], vertices);
    }
  }

  void read_meshes() {
    const json& nodes = list("nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n].contains("mesh")) continue;
      const json& mesh = gltf_entry(gltf.json, "meshes", nodes[n].at("mesh"));
      if (nodes[n].contains("skin"))
        add_skinned(mesh, gltf_entry(gltf.json, "skins", nodes[n].at("skin")));
      else
        add_rigid(mesh, bone[n]);
    }
    for (const std::map<int, double>& own : weights) {
      character.first.push_back(int(character.influences.size()));
      double sum = 0;
      for (const auto& [joint, weight] : own) sum += weight;
      for (const auto& [joint, weight] : own) character.influences.push_back({joint, weight / sum});
    }
    character.first.push_back(int(character.influences.size()));
    if (character.rest.tris.empty()) throw std::runtime_error("it has no triangles");
  }
};

}  // namespace

bool has_skin(const std::string& file) {
  if (!is_gltf(file)) return false;
  try {
    const json gltf = read_gltf_json(file);
    return gltf.contains("skins") && !gltf.at("skins").empty();
  } catch (const std::exception&) {  // who reads the mesh will say what is wrong
    return false;
  }
}

std::vector<std::string> clip_names(const std::string& file) {
  std::vector<std::string> names;
  if (!is_gltf(file)) return names;
  try {
    const json gltf = read_gltf_json(file);
    const json animations = gltf.value("animations", json::array());
    for (std::size_t a = 0; a < animations.size(); ++a) names.push_back(name_of(animations[a], "clip", a));
  } catch (const std::exception&) {
  }
  return names;
}

Character read_skin(const std::string& file, const std::string& clip) try {
  const Gltf gltf = read_gltf(file);
  Character character;
  Reader reader{gltf, character};
  reader.read_bones();
  reader.read_meshes();
  const json& animations = reader.list("animations");
  std::size_t a = 0;
  while (a < animations.size() && name_of(animations[a], "clip", a) != clip) ++a;
  if (a == animations.size()) throw std::runtime_error(fmt::format("it has no clip '{}'", clip));
  character.clip = read_clip(gltf, animations[a], clip, reader.bone);
  return character;
} catch (const json::exception& error) {
  throw std::runtime_error(fmt::format("it is damaged: {}", error.what()));
} catch (const std::out_of_range&) {
  throw std::runtime_error("it is damaged: it names a node that is not there");
}

}  // namespace coracle
