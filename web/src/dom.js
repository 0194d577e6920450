// Elements from names, properties and children. Text is text: nothing here reads markup.

/// An element; properties that begin with `on` are listeners, the rest attributes or properties.
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const $ = (id) => document.getElementById(id);

/// Has other children.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

/// Makes buttons of a list tabs: arrows move among them.
export function tabs(list) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    const all = [...list.querySelectorAll('[role="tab"]')];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const to = all[Math.max(0, Math.min(all.length - 1, at + step))];
    to.focus();
    to.click();
    event.preventDefault();
  });
}

/// Says something to screen readers, and shows it for a while.
let hiding;
export function say(text, actions = []) {
  const toast = $("toast");
  fill(toast, h("span", { text }), ...actions.map(([label, act]) => h("button", { type: "button", onclick: () => { toast.hidden = true; act(); } }, label)));
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { toast.hidden = true; }, actions.length ? 12000 : 5000);
}

/// Offers a text as a file.
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
