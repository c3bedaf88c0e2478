// Smoke, ray-marched for every pixel [a simpler form of src/coracle/show/smoke.h]: it dims what is in it and behind it,
// is lit by the sky and by the sun through the smoke, and shades the floor.
import * as THREE from "three";
import { towardSun } from "./light.js";

// The stretch of a ray inside the box that holds smoke, and the smoke at a point.
const volume = /* glsl */ `
  uniform mediump sampler3D smoke;
  uniform vec3 corner, size, low, high;
  uniform float most, cell;
  vec2 stretch(vec3 from, vec3 along) {
    vec3 a = (low - from) / along, b = (high - from) / along;
    vec3 enter = min(a, b), leave = max(a, b);
    return vec2(max(max(enter.x, enter.y), max(enter.z, 0.0)), min(leave.x, min(leave.y, leave.z)));
  }
  vec2 at(vec3 x) {
    vec2 read = texture(smoke, (x - corner) / size).rg;
    return vec2(most * read.r * read.r, read.g);
  }
  // Some number in [0, 1) of the pixel, other than its neighbours': steps then show no bands.
  float jitter() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))); }`;

const placed = /* glsl */ `
  varying vec3 place;
  void main() {
    vec4 p = modelMatrix * vec4(position, 1.0);
    place = p.xyz;
    gl_Position = projectionMatrix * viewMatrix * p;
  }`;

const smokeFragment = /* glsl */ `
  #include <packing>
  ${volume}
  uniform sampler2D depth;
  uniform vec2 pixels;
  uniform float near, far;
  uniform vec3 sunlight, skylight;
  varying vec3 place;
  void main() {
    vec3 along = normalize(place - cameraPosition);
    vec2 ends = stretch(cameraPosition, along);
    // Up to what stands there.
    float behind = -perspectiveDepthToViewZ(texture2D(depth, gl_FragCoord.xy / pixels).x, near, far);
    ends.y = min(ends.y, behind / -(viewMatrix * vec4(along, 0.0)).z);
    if (ends.y <= ends.x) discard;
    float steps = clamp(ceil((ends.y - ends.x) / (0.7 * cell)), 2.0, float(STEPS));
    float h = (ends.y - ends.x) / steps, shift = jitter(), through = 1.0;
    vec3 sum = vec3(0.0);
    for (float i = 0.0; i < steps; ++i) {
      vec2 here = at(cameraPosition + (ends.x + (i + shift) * h) * along);
      float passes = exp(-here.x * h), sun = here.y * here.y;
      // What is scattered many times comes deeper than what is scattered once.
      sum += through * (1.0 - passes) * (sunlight * 0.5 * (sun * sun + here.y) + skylight * (0.5 + 0.5 * here.y));
      through *= passes;
      if (through < 0.01) break;
    }
    float hides = 1.0 - through;
    if (hides < 0.002) discard;
    gl_FragColor = vec4(sum / hides, 1.0);
    #include <colorspace_fragment>
    gl_FragColor = vec4(gl_FragColor.rgb * hides, hides);
  }`;

const shadowFragment = /* glsl */ `
  ${volume}
  uniform vec3 sun;
  uniform float opacity;
  varying vec3 place;
  void main() {
    vec2 ends = stretch(place, sun);
    if (ends.y <= ends.x) discard;
    float h = (ends.y - ends.x) / float(STEPS), shift = jitter(), sum = 0.0;
    for (int i = 0; i < STEPS; ++i) sum += h * at(place + (ends.x + (float(i) + shift) * h) * sun).x;
    gl_FragColor = vec4(vec3(0.0), opacity * (1.0 - exp(-sum)));
  }`;

export class Smoke {
  // software: there is no graphics card. floor: the mesh that the smoke shades.
  constructor(colour, floor, software) {
    this.albedo = new THREE.Color().setRGB(...colour, THREE.SRGBColorSpace);
    this.target = new THREE.WebGLRenderTarget(1, 1, { depthTexture: new THREE.DepthTexture(1, 1) });
    const shared = {
      smoke: { value: null },
      corner: { value: new THREE.Vector3() },
      size: { value: new THREE.Vector3() },
      low: { value: new THREE.Vector3() },
      high: { value: new THREE.Vector3() },
      most: { value: 0 },
      cell: { value: 1 },
    };
    const material = (uniforms, fragmentShader, steps, more) =>
      new THREE.ShaderMaterial({
        vertexShader: placed,
        fragmentShader,
        uniforms: { ...shared, ...uniforms },
        defines: { STEPS: steps },
        transparent: true,
        depthWrite: false,
        ...more,
      });
    this.material = material(
      {
        depth: { value: this.target.depthTexture },
        pixels: { value: new THREE.Vector2(1, 1) },
        near: { value: 0 },
        far: { value: 0 },
        sunlight: { value: new THREE.Color() },
        skylight: { value: new THREE.Color() },
      },
      smokeFragment,
      software ? 64 : 160,
      {
        side: THREE.BackSide, // so that it is visible from inside the smoke too
        depthTest: false,
        blending: THREE.CustomBlending,
        blendSrc: THREE.OneFactor,
        blendDst: THREE.OneMinusSrcAlphaFactor,
      },
    );
    this.mesh = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), this.material);
    this.mesh.renderOrder = 3;
    this.shadow = new THREE.Mesh(floor.geometry, material({ sun: { value: new THREE.Vector3(...towardSun) }, opacity: { value: 0 } }, shadowFragment, software ? 16 : 32));
    this.shadow.position.copy(floor.position);
    this.shadow.renderOrder = -1;
    this.shadow.visible = false;
    this.uniforms = this.material.uniforms;
  }

  // A result of lightSmoke.
  setVolume({ texels, most, low, high, cells, dx, corner, points }) {
    const u = this.uniforms;
    u.smoke.value?.dispose();
    const texture = new THREE.Data3DTexture(texels, ...cells);
    Object.assign(texture, { format: THREE.RGFormat, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter, unpackAlignment: 1, needsUpdate: true });
    u.smoke.value = texture;
    u.most.value = most;
    u.cell.value = dx;
    u.corner.value.set(...corner);
    u.size.value.set(...cells).multiplyScalar(dx);
    if (points === 0) return;
    u.low.value.set(...low);
    u.high.value.set(...high);
    this.mesh.scale.subVectors(u.high.value, u.low.value);
    this.mesh.position.addVectors(u.low.value, u.high.value).multiplyScalar(0.5);
  }

  // Intensities of the stage's lights, and of shadows.
  setLight(sun, sky, shade) {
    this.uniforms.sunlight.value.copy(this.albedo).multiplyScalar(sun / Math.PI);
    this.uniforms.skylight.value.copy(this.albedo).multiplyScalar(sky / Math.PI);
    this.shadow.material.uniforms.opacity.value = shade;
  }

  resize(width, height) {
    this.uniforms.pixels.value.set(width, height);
    this.target.setSize(width, height);
  }

  dispose() {
    this.uniforms.smoke.value?.dispose();
    this.target.dispose();
    this.target.depthTexture.dispose();
  }

  // Call before the picture is drawn: renders the depth of `scene` without the smoke.
  prepare(renderer, scene, camera) {
    this.uniforms.near.value = camera.near;
    this.uniforms.far.value = camera.far;
    this.mesh.visible = false;
    renderer.setRenderTarget(this.target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    this.mesh.visible = true;
  }
}
