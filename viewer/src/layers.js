// The panel that selects what is shown and its colours.
import { fields } from "./fields.js";

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// choice: { shown: key → boolean, colour: group → field or "" }; changed() after each change.
export function fillLayers(panel, run, choice, changed) {
  const toggle = (key, label) => {
    const box = element("input", { type: "checkbox", checked: choice.shown[key] });
    box.dataset.layer = key;
    box.addEventListener("change", () => {
      choice.shown[key] = box.checked;
      changed();
    });
    return element("label", { className: "check" }, box, ` ${label}`);
  };
  const colourBy = (group, own, names) => {
    const select = element("select", { title: "Colour by", ariaLabel: `Colour of the ${group}` });
    select.dataset.colour = group;
    select.append(element("option", { value: "", textContent: own }));
    for (const name of names) select.append(element("option", { value: name, textContent: fields[name].label }));
    select.value = choice.colour[group];
    select.addEventListener("change", () => {
      choice.colour[group] = select.value;
      changed();
    });
    return select;
  };
  const row = (...parts) => element("div", { className: "layer" }, ...parts);
  const rows = [];
  if (run.liquid) rows.push(row(toggle("liquid", "Liquid"), colourBy("liquid", "Water", ["speed"])));
  if (run.smoke) rows.push(row(toggle("smoke", "Smoke")));
  if (run.particles) rows.push(row(toggle("particles", "Particles"), colourBy("particles", "Plain", ["speed", "pressure"])));
  const bodyColour = run.bodies.length > 0 && colourBy("bodies", "Own colours", ["speed", "von_mises", "pressure"]);
  if (run.bodies.length > 1) rows.push(row(element("span", { textContent: "Bodies" }), bodyColour));
  for (const { name } of run.bodies)
    rows.push(row(toggle(`body_${name}`, name), run.bodies.length === 1 ? bodyColour : element("small", { textContent: "body" })));
  const skins = run.solids.filter(({ film }) => film);
  const skinColour = skins.length > 0 && colourBy("skins", "Own colours", ["film", "speed"]);
  if (skins.length > 1) rows.push(row(element("span", { textContent: "Skins" }), skinColour));
  for (const solid of run.solids) {
    const kind = solid.container ? "container" : solid.moving ? "moving solid" : "solid";
    rows.push(row(toggle(`solid_${solid.name}`, solid.name), solid.film && skins.length === 1 ? skinColour : element("small", { textContent: kind })));
  }
  rows.push(row(toggle("tank", "Domain"), toggle("floor", "Floor")));
  panel.replaceChildren(...rows);
}
