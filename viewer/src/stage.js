// The picture: tank, floor, liquid, smoke, particles, bodies and solids of one frame, and a camera that orbits them.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colours } from "./colormap.js";
import { atCorners, cornerNormals } from "./corners.js";
import { valuesOf, wetness } from "./fields.js";
import { towardSun } from "./light.js";
import { balls, floorGrid, glass, matter, skin } from "./materials.js";
import { Smoke } from "./smoke.js";
import { Water } from "./water.js";

const themes = {
  light: {
    background: "#eef2f5", line: "#8b99a6", grid: "#a9b6c2", shadow: 0.22, solid: "#a4adb5", glass: "#6f8796",
    deep: "#0b5c86", skyHigh: "#fbfdff", skyLow: "#7fa3ba", plain: "#2f86b8", drop: "#a9d3ea", ambient: 1.9, sun: 2.0,
  },
  dark: {
    background: "#14181d", line: "#5c6a77", grid: "#3d4852", shadow: 0.5, solid: "#8a949d", glass: "#a9c4d4",
    deep: "#117ab0", skyHigh: "#b9d6e8", skyLow: "#22343f", plain: "#3f9bcf", drop: "#8cc4e4", ambient: 1.2, sun: 2.2,
  },
};
const bodyColours = ["#e07b39", "#c8506a", "#e0b13c", "#8f6bb8", "#4aa37c", "#b5705a"];

// Whether software draws instead of a graphics card: then pictures must be cheaper.
function drawnBySoftware(gl) {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return info ? /swiftshader|llvmpipe|software/i.test(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : false;
}

function geometryOf(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(mesh.position, 3));
  if (mesh.triangles > 0) geometry.setIndex(new THREE.BufferAttribute(mesh.index, 1));
  if (mesh.normal) geometry.setAttribute("normal", new THREE.BufferAttribute(mesh.normal, 3));
  else if (mesh.triangles > 0) geometry.computeVertexNormals(); // of an old run, whose frames have no normals
  return geometry;
}

// Bodies and solids get sharp edges; above this number of triangles they are fine enough without.
const edgesUpTo = 60000;
const hasCorners = (part) => part.kind !== "liquid" && part.kind !== "drops" && part.kind !== "particles" && part.mesh.triangles <= edgesUpTo;

function geometryWithCorners(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(atCorners(mesh.position, 3, mesh.index), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(cornerNormals(mesh.position, mesh.index), 3));
  return geometry;
}

// 1, 2 or 5 times a power of ten, about a tenth of the length.
function roundStep(length) {
  const rough = length / 10;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999);
}

export class Stage {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.software = drawnBySoftware(this.renderer.getContext());
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.1, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.stale = true));
    this.scene = new THREE.Scene();
    this.pictures = 0;
    this.parts = new Map(); // key → { object, mesh, kind }
    this.shown = new Map(); // key → boolean
    this.theme = themes.light;
    const draw = () => {
      requestAnimationFrame(draw);
      this.controls.update();
      if (this.stale) this.draw();
    };
    requestAnimationFrame(draw);
  }

  // Everything that does not change with the frame.
  setRun(run) {
    this.scene.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose();
    });
    this.water?.dispose();
    this.smoke?.dispose();
    this.smoke = null;
    this.scene.clear();
    this.parts.clear();
    const low = new THREE.Vector3(...run.domain.min);
    const high = new THREE.Vector3(...run.domain.max);
    this.box = new THREE.Box3(low, high);
    const centre = this.box.getCenter(new THREE.Vector3());
    const length = Math.max(high.x - low.x, high.y - low.y, high.z - low.z);
    const reach = 3 * length; // of the floor

    this.sky = new THREE.HemisphereLight("#ffffff", "#7d8a94", 1);
    this.sun = new THREE.DirectionalLight("#ffffff", 2);
    this.sun.position.copy(centre).addScaledVector(new THREE.Vector3(...towardSun), 2 * length);
    this.sun.target.position.copy(centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(this.software ? 1024 : 2048);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.004 * length;
    this.sun.shadow.radius = 4;
    const frustum = this.sun.shadow.camera;
    Object.assign(frustum, { left: -length, right: length, top: length, bottom: -length, near: 0.1 * length, far: 5 * length });
    frustum.updateProjectionMatrix();
    this.scene.add(this.sky, this.sun, this.sun.target);

    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2), new THREE.ShadowMaterial({ depthWrite: false }));
    this.floor.position.set(centre.x, low.y - 0.002 * length, centre.z);
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -1;
    this.grid = floorGrid(2 * reach, roundStep(length), new THREE.Vector2(low.x, low.z));
    this.grid.position.copy(this.floor.position);
    this.scene.add(this.floor, this.grid);

    const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(...high.clone().sub(low).toArray()).translate(...centre.toArray()));
    this.tank = new THREE.LineSegments(edges, new THREE.LineBasicMaterial());
    this.scene.add(this.tank);

    this.water = new Water(length);
    this.scene.add(this.water.mesh);
    this.#add("liquid", "liquid", this.water.mesh);
    if (run.smoke) {
      this.smoke = new Smoke(run.smoke.color, this.floor, this.software);
      this.#add("smoke", "smoke", this.smoke.mesh);
      this.scene.add(this.smoke.shadow);
    }
    this.points = new THREE.Points(new THREE.BufferGeometry(), balls(run.domain.dx * 0.3));
    this.points.frustumCulled = false;
    this.#add("particles", "particles", this.points);
    this.drops = new THREE.Points(new THREE.BufferGeometry(), balls(run.domain.dx * 0.31)); // a ball with a particle's volume
    this.drops.frustumCulled = false;
    this.#add("drops", "drops", this.drops);
    run.bodies.forEach((body, i) => {
      const material = matter({ color: bodyColours[i % bodyColours.length] });
      if (body.color) material.color.setRGB(...body.color, THREE.SRGBColorSpace);
      material.userData.own = material.color.clone();
      const object = this.#solidMesh(material);
      if (body.opacity < 1) {
        Object.assign(material, { transparent: true, opacity: body.opacity, depthWrite: false });
        Object.assign(object, { castShadow: false, renderOrder: 2 });
      }
      this.#add(`body_${body.name}`, "bodies", object);
    });
    for (const solid of run.solids) {
      const material = solid.container ? glass(this.theme.glass) : (solid.film ? skin : matter)({ roughness: 0.85 });
      if (solid.color && !solid.container) material.userData.own = new THREE.Color().setRGB(...solid.color, THREE.SRGBColorSpace);
      const object = this.#solidMesh(material);
      object.castShadow = object.receiveShadow = !solid.container;
      if (solid.container) object.renderOrder = 2;
      this.#add(`solid_${solid.name}`, solid.container ? "glass" : "solids", object);
    }
    this.length = length;
    this.setTheme(this.dark);
    this.home();
    this.#resizeTargets();
  }

  #solidMesh(material) {
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  #add(key, kind, object) {
    object.visible = false;
    this.scene.add(object);
    this.parts.set(key, { kind, object, mesh: null });
  }

  // Colours of the picture match those of the page.
  setTheme(dark) {
    this.dark = dark;
    const t = (this.theme = themes[dark ? "dark" : "light"]);
    this.scene.background = new THREE.Color(t.background);
    this.stale = true;
    if (!this.water) return;
    this.sky.intensity = t.ambient;
    this.sun.intensity = t.sun;
    this.tank.material.color.set(t.line);
    this.grid.material.uniforms.colour.value.set(t.grid);
    this.floor.material.opacity = t.shadow;
    this.smoke?.setLight(t.sun, t.ambient, t.shadow);
    this.points.material.uniforms.plain.value.set(t.plain);
    this.drops.material.uniforms.plain.value.set(t.drop);
    for (const name of ["deep", "skyHigh", "skyLow"]) this.water.material.uniforms[name].value.set(t[name]);
    for (const { kind, object } of this.parts.values()) {
      if (kind === "solids") this.#paint(object.material);
      if (kind === "glass") object.material.uniforms.colour.value.set(t.glass);
    }
  }

  // The plain colour: white under colours of a field, else its own, or that of solids.
  #paint(material) {
    material.color.set(material.vertexColors ? "#ffffff" : (material.userData.own ?? this.theme.solid));
    const { uniforms } = material.userData;
    if (!uniforms) return;
    uniforms.wets.value = material.vertexColors ? 0 : 1;
    uniforms.sky.value.set(this.theme.skyHigh);
  }

  // Shows the whole tank from the front, the right and above.
  home() {
    const ball = this.box.getBoundingSphere(new THREE.Sphere());
    const half = (this.camera.fov / 2) * (Math.PI / 180);
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const distance = (ball.radius / Math.sin(narrow)) * 0.97;
    this.controls.target.copy(ball.center);
    this.controls.target.y -= 0.04 * this.length;
    this.camera.position.copy(this.controls.target).addScaledVector(new THREE.Vector3(0.55, 0.42, 1).normalize(), distance);
    this.camera.near = 0.02 * this.length;
    this.camera.far = 12 * this.length + distance;
    this.controls.minDistance = 0.05 * this.length;
    this.controls.maxDistance = 6 * this.length;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.stale = true;
  }

  // meshes: key → result of readPly, for smoke of lightSmoke; parts that are not listed do not change.
  setMeshes(meshes) {
    for (const [key, mesh] of Object.entries(meshes)) {
      const part = this.parts.get(key);
      if (!part || part.mesh === mesh) continue;
      part.mesh = mesh;
      part.coloured = undefined;
      if (key === "liquid") this.water.setGeometry(geometryOf(mesh));
      else if (key === "smoke") this.smoke.setVolume(mesh);
      else {
        part.object.geometry.dispose();
        part.object.geometry = hasCorners(part) ? geometryWithCorners(mesh) : geometryOf(mesh);
        const { film, radius } = mesh.fields;
        const attribute = (name, values) => part.object.geometry.setAttribute(name, new THREE.BufferAttribute(values, 1));
        if (film) attribute("wet", (hasCorners(part) ? atCorners(film, 1, mesh.index) : film).map(wetness));
        if (radius) attribute("size", radius);
      }
    }
    this.#showParts();
  }

  show(key, on) {
    this.shown.set(key, on);
    if (key === "tank") this.tank.visible = on;
    else if (key === "floor") this.grid.visible = this.floor.visible = on;
    this.#showParts();
    if (key === "liquid") this.show("drops", on);
  }

  #showParts() {
    for (const [key, part] of this.parts)
      part.object.visible = (this.shown.get(key) ?? true) && part.mesh !== null && part.mesh.points > 0;
    if (this.smoke) this.smoke.shadow.visible = this.smoke.mesh.visible && this.floor.visible;
    this.renderer.shadowMap.needsUpdate = true;
    this.stale = true;
  }

  // field: null for the part's own colour; low, high: range of the colours.
  colour(key, field, [low, high]) {
    const part = this.parts.get(key);
    if (!part?.mesh) return;
    const wanted = field ? `${field} ${low} ${high}` : "";
    if (part.coloured === wanted) return;
    part.coloured = wanted;
    const values = field && valuesOf(part.mesh, field);
    const { geometry, material } = part.object;
    const name = material.isShaderMaterial ? "fieldColour" : "color";
    if (values) {
      const shown = hasCorners(part) ? atCorners(values, 1, part.mesh.index) : values;
      geometry.setAttribute(name, new THREE.BufferAttribute(colours(shown, low, high), 3));
    }
    if (material.isShaderMaterial) material.uniforms.coloured.value = values ? 1 : 0;
    else if (material.vertexColors !== Boolean(values)) {
      material.vertexColors = Boolean(values);
      material.needsUpdate = true;
    }
    if (!material.isShaderMaterial) this.#paint(material);
    this.stale = true;
  }

  get triangles() {
    let sum = 0;
    for (const { object, mesh } of this.parts.values()) if (object.visible) sum += mesh.triangles;
    return sum;
  }

  resize(width, height) {
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.#resizeTargets();
    this.stale = true;
  }

  #resizeTargets() {
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    this.water?.resize(size.x, size.y);
    this.smoke?.resize(size.x, size.y);
    for (const cloud of [this.points, this.drops]) if (cloud) cloud.material.uniforms.height.value = size.y;
  }

  draw() {
    this.stale = false;
    if (!this.water) return;
    const liquid = this.water.mesh;
    if (liquid.visible) {
      const clear = [...this.parts.values()].filter((p) => p.kind === "glass" && p.object.visible).map((p) => p.object);
      for (const object of [liquid, ...clear]) object.visible = false;
      this.water.prepare(this.renderer, this.scene, this.camera, this.controls.target);
      for (const object of [liquid, ...clear]) object.visible = true;
    }
    if (this.smoke?.mesh.visible) this.smoke.prepare(this.renderer, this.scene, this.camera);
    this.renderer.render(this.scene, this.camera);
    ++this.pictures;
  }
}
