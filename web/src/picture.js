// Pictures that asp drew, taken apart and built anew: only shapes and texts, only attributes that place and colour them.
//
// Invariant: no element, attribute or style passes that is not in these lists, so nothing in a picture can run, load or link.

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "rect", "line", "path", "circle", "polygon", "text"]);
const ATTRIBUTES = new Set([
  "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "d", "points", "transform", "class",
  "data-cell", "data-node", "font-size",
]);
const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]{3,20})$/i;
const STYLES = { fill: COLOUR, stroke: COLOUR, "font-size": /^[\d.]+(px)?$/ };

/// An element of a picture.
export function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function copy(from, most) {
  const element = document.createElementNS(SVG, from.localName);
  for (const { name, value } of from.attributes) {
    if (ATTRIBUTES.has(name)) element.setAttribute(name, value);
    else if (name in STYLES && STYLES[name].test(value)) element.setAttribute(name, value);
  }
  for (const part of (from.getAttribute("style") ?? "").split(";")) {
    const [name, value] = part.split(":").map((s) => s.trim());
    if (value && STYLES[name]?.test(value)) element.style.setProperty(name, value);
  }
  for (const child of from.childNodes) {
    if (most.left-- <= 0) break;
    if (child.nodeType === Node.TEXT_NODE) {
      if (from.localName === "text") element.append(child.data);
    } else if (child.nodeType === Node.ELEMENT_NODE && child.namespaceURI === SVG && ELEMENTS.has(child.localName)) {
      element.append(copy(child, most));
    }
  }
  return element;
}

// A page's style sheet is ours already; the page's policy would complain of it.
const parsed = (html) => new DOMParser().parseFromString(html.replace(/<style>[^<]*<\/style>/g, ""), "text/html");

/// The sheets of a page to print, each with its caption, what makes its picture (`draw`), or its text.
export function sheets(html) {
  return [...parsed(html).querySelectorAll("section")].map((section) => {
    const drawing = section.querySelector("svg");
    return {
      caption: section.querySelector("h2")?.textContent ?? "",
      draw: drawing ? () => copy(drawing, { left: 200000 }) : null,
      text: section.querySelector("pre")?.textContent ?? "",
    };
  });
}

/// The pictures on a page that `--html` wrote. `answers`: by the number of the answer set, each with what makes its element
/// (`draw`, of a step), the numbers of its `steps` if it is a plan, and whether it shows more than the page's own tables and lists
/// do (`shapes`). `bounds`: those of an objective, a caption and what makes the element of each.
export function pictures(html) {
  const [answers, bounds] = [new Map(), []];
  for (const figure of parsed(html).querySelectorAll("figure")) {
    const caption = figure.querySelector("figcaption")?.textContent ?? "";
    const number = Number(/^Answer (\d+)/.exec(caption)?.[1]);
    const drawings = [...figure.querySelectorAll("svg")];
    const draw = (step) => copy(drawings[step], { left: 200000 });
    const steps = [...figure.querySelectorAll(".steps label")].map((label) => label.textContent);
    const shapes = drawings[0]?.querySelector("rect:not(.page), circle, path, polygon") != null;
    if (number && drawings.length) answers.set(number, { draw, steps, shapes });
    else if (/^Bounds/.test(caption) && drawings.length) bounds.push({ caption, draw: () => draw(0) });
  }
  return { answers, bounds };
}
