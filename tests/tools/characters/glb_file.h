// A skinned mesh as Assimp reads it from a glb file, posed by its own arithmetic.
#pragma once

#include "coracle/mesh.h"

#include <assimp/scene.h>
#include <Eigen/Geometry>
#include <assimp/Importer.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace coracle::characters {

struct GlbFile {
  explicit GlbFile(const std::string& path) : scene(importer.ReadFile(path, 0)) {
    if (!scene) throw std::runtime_error(importer.GetErrorString());
    const aiMesh& mesh = *scene->mMeshes[0];
    for (unsigned v = 0; v < mesh.mNumVertices; ++v)
      skin.x.emplace_back(mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z);
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const unsigned* i = mesh.mFaces[f].mIndices;
      skin.tris.emplace_back(int(i[0]), int(i[1]), int(i[2]));
    }
  }

  const aiMesh& mesh() const { return *scene->mMeshes[0]; }

  const aiAnimation& clip(const std::string& name) const {
    for (unsigned a = 0; a < scene->mNumAnimations; ++a)
      if (scene->mAnimations[a]->mName.C_Str() == name) return *scene->mAnimations[a];
    throw std::runtime_error("no clip " + name);
  }

  static unsigned keys(const aiAnimation& clip) {
    return std::max(clip.mChannels[0]->mNumRotationKeys, clip.mChannels[0]->mNumPositionKeys);
  }
  static double duration(const aiAnimation& clip) { return clip.mDuration / clip.mTicksPerSecond; }  // s

  // x = Σ w G B x₀: G the bone's place at this key, B the inverse of that at rest.
  std::vector<Vec3> posed(const aiAnimation& clip, unsigned key) const {
    std::map<std::string, aiMatrix4x4> place;
    visit(*scene->mRootNode, aiMatrix4x4(), clip, key, place);
    std::vector<Vec3> x(skin.x.size(), Vec3::Zero());
    for (unsigned b = 0; b < mesh().mNumBones; ++b) {
      const aiBone& bone = *mesh().mBones[b];
      const aiMatrix4x4 move = place.at(bone.mName.C_Str()) * bone.mOffsetMatrix;
      for (unsigned i = 0; i < bone.mNumWeights; ++i) {
        const aiVector3D at = move * mesh().mVertices[bone.mWeights[i].mVertexId];
        x[bone.mWeights[i].mVertexId] += double(bone.mWeights[i].mWeight) * Vec3(at.x, at.y, at.z);
      }
    }
    return x;
  }

  Assimp::Importer importer;
  const aiScene* scene;
  TriMesh skin;

 private:
  static void visit(const aiNode& node, const aiMatrix4x4& above, const aiAnimation& clip, unsigned key,
                    std::map<std::string, aiMatrix4x4>& place) {
    aiVector3D scale, shift;
    aiQuaternion turn;
    node.mTransformation.Decompose(scale, turn, shift);
    for (unsigned c = 0; c < clip.mNumChannels; ++c) {
      const aiNodeAnim& channel = *clip.mChannels[c];
      if (channel.mNodeName != node.mName) continue;
      if (channel.mNumRotationKeys > 1) turn = channel.mRotationKeys[key].mValue;
      if (channel.mNumPositionKeys > 1) shift = channel.mPositionKeys[key].mValue;
    }
    const aiMatrix4x4 here = above * aiMatrix4x4(scale, turn, shift);
    place[node.mName.C_Str()] = here;
    for (unsigned i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i], here, clip, key, place);
  }
};

}  // namespace coracle::characters
