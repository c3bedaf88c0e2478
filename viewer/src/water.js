// Water: light from behind it is refracted slightly and loses red along its length in the liquid; at grazing angles the
// surface reflects the sky.
//
// That length is exact for a closed surface: distances of back faces minus those of front faces, summed by blending,
// each limited by the distance of objects in the liquid.
import * as THREE from "three";
import { towardSun } from "./light.js";

const lengthVertex = /* glsl */ `
  varying vec3 seen;
  void main() {
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    seen = p.xyz;
    gl_Position = projectionMatrix * p;
  }`;

// `middle` is subtracted from both kinds of distance: half floats then keep more digits.
const lengthFragment = /* glsl */ `
  #include <packing>
  uniform sampler2D depth;
  uniform vec2 size;
  uniform float near, far, middle;
  varying vec3 seen;
  void main() {
    float behind = -perspectiveDepthToViewZ(texture2D(depth, gl_FragCoord.xy / size).x, near, far);
    float slant = length(seen) / -seen.z;
    float at = min(-seen.z, behind) * slant - middle;
    gl_FragColor = vec4(gl_FrontFacing ? -at : at, 0.0, 0.0, 1.0);
  }`;

const waterVertex = /* glsl */ `
  attribute vec3 fieldColour;
  varying vec3 at, facing, field;
  void main() {
    vec4 p = modelMatrix * vec4(position, 1.0);
    at = p.xyz;
    facing = normal;
    field = fieldColour;
    gl_Position = projectionMatrix * viewMatrix * p;
  }`;

const waterFragment = /* glsl */ `
  uniform sampler2D behind, lengths;
  uniform vec2 size;
  uniform vec3 absorbs, deep, skyHigh, skyLow, sun;
  uniform float scale, coloured;
  varying vec3 at, facing, field;

  void main() {
    vec2 here = gl_FragCoord.xy / size;
    vec3 eye = normalize(cameraPosition - at);
    vec3 n = length(facing) > 0.0 ? normalize(facing) : eye;
    if (dot(n, eye) < 0.0) n = normalize(n - 1.02 * dot(n, eye) * eye);  // interpolated past the rim
    float through = max(texture2D(lengths, here).x, 0.0) / scale + 0.035;  // a film is seen too

    vec2 bend = (viewMatrix * vec4(n, 0.0)).xy * vec2(size.y / size.x, 1.0);
    vec3 background = texture2D(behind, clamp(here - 0.045 * min(through * 3.0, 1.0) * bend, 0.001, 0.999)).rgb;
    // Light from the sun and the sky, wrapped around: waves show their slopes.
    float lit = 0.5 + 0.5 * dot(n, sun);
    vec3 body = background * exp(-absorbs * through) + deep * (0.35 + 0.9 * lit * lit) * (1.0 - exp(-2.2 * through));
    body *= 0.72 + 0.36 * lit;
    body = mix(body, field * (0.3 + 0.8 * lit), 0.9 * coloured);

    float mirrored = 0.04 + 0.96 * pow(1.0 - max(dot(n, eye), 0.0), 4.0);
    vec3 r = reflect(-eye, n);
    vec3 sky = mix(skyLow, skyHigh, smoothstep(-0.2, 0.8, r.y));
    float glint = pow(max(dot(r, sun), 0.0), 90.0);
    gl_FragColor = vec4(mix(body, sky, mirrored) + vec3(0.8 * glint), 1.0);
    #include <colorspace_fragment>
  }`;

export class Water {
  // scale: of the domain, m.
  constructor(scale) {
    this.behind = new THREE.WebGLRenderTarget(1, 1, { type: THREE.HalfFloatType, depthTexture: new THREE.DepthTexture(1, 1) });
    this.lengths = new THREE.WebGLRenderTarget(1, 1, {
      type: THREE.HalfFloatType,
      format: THREE.RedFormat,
      depthBuffer: false,
      minFilter: THREE.NearestFilter,
      magFilter: THREE.NearestFilter,
    });
    const size = { value: new THREE.Vector2(1, 1) };
    this.measure = new THREE.ShaderMaterial({
      vertexShader: lengthVertex,
      fragmentShader: lengthFragment,
      uniforms: { depth: { value: this.behind.depthTexture }, size, near: { value: 0 }, far: { value: 0 }, middle: { value: 0 } },
      side: THREE.DoubleSide,
      depthTest: false,
      depthWrite: false,
      transparent: true,
      blending: THREE.CustomBlending,
      blendSrc: THREE.OneFactor,
      blendDst: THREE.OneFactor,
    });
    this.material = new THREE.ShaderMaterial({
      vertexShader: waterVertex,
      fragmentShader: waterFragment,
      uniforms: {
        behind: { value: this.behind.texture },
        lengths: { value: this.lengths.texture },
        size,
        scale: { value: scale },
        coloured: { value: 0 },
        absorbs: { value: new THREE.Vector3(5.0, 1.6, 0.8) },
        deep: { value: new THREE.Color() },
        skyHigh: { value: new THREE.Color() },
        skyLow: { value: new THREE.Color() },
        sun: { value: new THREE.Vector3(...towardSun) },
      },
    });
    this.size = size.value;
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
    this.mesh.renderOrder = 1;
    this.mesh.frustumCulled = false;
    this.shadow = new THREE.Mesh(this.mesh.geometry, this.measure); // the same shape, drawn as lengths
    this.shadow.frustumCulled = false;
    this.scene = new THREE.Scene().add(this.shadow);
  }

  setGeometry(geometry) {
    this.mesh.geometry.dispose();
    this.mesh.geometry = this.shadow.geometry = geometry;
  }

  resize(width, height) {
    this.size.set(width, height);
    this.behind.setSize(width, height);
    this.lengths.setSize(width, height);
  }

  dispose() {
    for (const target of [this.behind, this.lengths]) target.dispose();
    this.behind.depthTexture.dispose();
    this.measure.dispose();
  }

  // Call before the picture is drawn: renders `scene` without the water, then the lengths.
  prepare(renderer, scene, camera, target) {
    renderer.setRenderTarget(this.behind);
    renderer.render(scene, camera);
    const { near, far, middle } = this.measure.uniforms;
    near.value = camera.near;
    far.value = camera.far;
    middle.value = camera.position.distanceTo(target);
    renderer.setRenderTarget(this.lengths);
    renderer.setClearColor(0, 0);
    renderer.render(this.scene, camera);
    renderer.setRenderTarget(null);
  }
}
