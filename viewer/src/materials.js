// Glass, points and the floor, with small shaders.
import * as THREE from "three";

// The material of bodies and solids.
export const matter = (options) => new THREE.MeshStandardMaterial({ roughness: 0.65, side: THREE.DoubleSide, ...options });

// The same for solids that hold liquid on their skin. The attribute `wet`, from 0 to 1, makes it darker, as total
// reflection in a film of water does, and glossy; the rim reflects the sky.
export function skin(options) {
  const material = matter(options);
  const uniforms = (material.userData.uniforms = { wets: { value: 1 }, sky: { value: new THREE.Color("#ffffff") } });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const replace = (stage, chunk, text) => (shader[stage] = shader[stage].replace(`#include <${chunk}>`, text));
    replace("vertexShader", "common", "#include <common>\nattribute float wet;\nvarying float filmed;");
    replace("vertexShader", "begin_vertex", "#include <begin_vertex>\nfilmed = wet;");
    replace("fragmentShader", "common", "#include <common>\nuniform float wets;\nuniform vec3 sky;\nvarying float filmed;");
    replace("fragmentShader", "color_fragment", /* glsl */ `#include <color_fragment>
      float film = wets * filmed;
      diffuseColor.rgb = mix(diffuseColor.rgb, diffuseColor.rgb / (1.77 * (1.0 - diffuseColor.rgb) + diffuseColor.rgb), film);`);
    replace("fragmentShader", "roughnessmap_fragment", "#include <roughnessmap_fragment>\nroughnessFactor = mix(roughnessFactor, 0.2, film);");
    replace("fragmentShader", "opaque_fragment", /* glsl */ `
      float grazing = 1.0 - abs(dot(normalize(vViewPosition), normal));
      outgoingLight = mix(outgoingLight, sky, film * (0.02 + 0.6 * pow(grazing, 5.0)));
      #include <opaque_fragment>`);
  };
  return material;
}

// Thin glass: clear when seen straight on, bright at the rim.
export const glass = (colour) =>
  new THREE.ShaderMaterial({
    uniforms: { colour: { value: new THREE.Color(colour) } },
    vertexShader: /* glsl */ `
      varying vec3 seen, facing;
      void main() {
        vec4 p = modelViewMatrix * vec4(position, 1.0);
        seen = p.xyz;
        facing = normalMatrix * normal;
        gl_Position = projectionMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      varying vec3 seen, facing;
      void main() {
        float straight = abs(dot(normalize(facing), normalize(seen)));
        gl_FragColor = vec4(colour, 0.05 + 0.4 * pow(1.0 - straight, 3.0));
        #include <colorspace_fragment>
      }`,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
  });

// Small balls: discs that face the camera, shaded like balls. radius: m; the attribute `size` gives each its own.
export const balls = (radius) =>
  new THREE.ShaderMaterial({
    uniforms: { radius: { value: radius }, height: { value: 1 }, plain: { value: new THREE.Color() }, coloured: { value: 0 } },
    vertexShader: /* glsl */ `
      uniform float radius, height;
      attribute float size;
      attribute vec3 fieldColour;
      varying vec3 field;
      void main() {
        field = fieldColour;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_PointSize = max(1.0, (size > 0.0 ? size : radius) * projectionMatrix[1][1] * height / gl_Position.w);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 plain;
      uniform float coloured;
      varying vec3 field;
      void main() {
        vec2 p = 2.0 * gl_PointCoord - 1.0;
        float r = dot(p, p);
        if (r > 1.0) discard;
        float lit = 0.6 + 0.4 * dot(vec3(p.x, -p.y, sqrt(1.0 - r)), vec3(0.35, 0.75, 0.56));
        gl_FragColor = vec4(mix(plain, field, coloured) * lit, 1.0);
        #include <colorspace_fragment>
      }`,
  });

// A grid of lines that fades with the distance from the centre. cell: m.
export function floorGrid(width, cell, centre) {
  const material = new THREE.ShaderMaterial({
    uniforms: { cell: { value: cell }, reach: { value: width / 2 }, centre: { value: centre }, colour: { value: new THREE.Color() } },
    vertexShader: /* glsl */ `
      varying vec2 at;
      void main() {
        vec4 p = modelMatrix * vec4(position, 1.0);
        at = p.xz;
        gl_Position = projectionMatrix * viewMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform float cell, reach;
      uniform vec2 centre;
      uniform vec3 colour;
      varying vec2 at;
      float lines(float spacing) {
        vec2 p = (at - centre) / spacing;
        vec2 away = abs(fract(p - 0.5) - 0.5) / fwidth(p);
        return 1.0 - min(min(away.x, away.y), 1.0);
      }
      void main() {
        float fade = 1.0 - smoothstep(0.25, 1.0, length(at - centre) / reach);
        float strength = max(0.35 * lines(cell), 0.8 * lines(5.0 * cell));
        gl_FragColor = vec4(colour, strength * fade);
        #include <colorspace_fragment>
      }`,
    transparent: true,
    depthWrite: false,
  });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, width).rotateX(-Math.PI / 2), material);
  mesh.renderOrder = -2;
  return mesh;
}
