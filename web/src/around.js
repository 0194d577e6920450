// What surrounds the program and its answers: tabs of results, parts of the page on a phone, colours, widths.

import { $ } from "./dom.js";

export function around() {
  function tab(name) {
    for (const pane of ["answers", "question", "messages"]) {
      $(pane).hidden = pane !== name;
      $(`tab-${pane}`).setAttribute("aria-selected", String(pane === name));
      $(`tab-${pane}`).tabIndex = pane === name ? 0 : -1;
    }
  }

  function part(name) {
    document.body.dataset.part = name;
    $("to-write").setAttribute("aria-pressed", String(name === "write"));
    $("to-read").setAttribute("aria-pressed", String(name === "read"));
  }

  function theme(next) {
    const order = ["auto", "light", "dark"];
    const names = { auto: ["◐", "Colours: as the system has them"], light: ["☀", "Colours: light"], dark: ["☾", "Colours: dark"] };
    let now = "auto";
    try { now = localStorage.getItem("asp-theme") ?? "auto"; } catch { /* As the system has them. */ }
    if (next) now = order[(order.indexOf(now) + 1) % 3];
    if (!order.includes(now)) now = "auto";
    try { localStorage.setItem("asp-theme", now); } catch { /* Not kept. */ }
    if (now === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    $("theme").textContent = names[now][0];
    $("theme").setAttribute("aria-label", names[now][1]);
    $("theme").title = names[now][1];
  }

  function splitter() {
    const split = $("split");
    const set = (percent) => {
      const p = Math.max(20, Math.min(80, percent));
      document.documentElement.style.setProperty("--left", `${p}fr`);
      document.documentElement.style.setProperty("--right", `${100 - p}fr`);
      split.setAttribute("aria-valuenow", String(Math.round(p)));
    };
    split.addEventListener("pointerdown", (event) => {
      split.setPointerCapture(event.pointerId);
      const move = (e) => set((100 * e.clientX) / window.innerWidth);
      split.addEventListener("pointermove", move);
      split.addEventListener("pointerup", () => split.removeEventListener("pointermove", move), { once: true });
    });
    split.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key];
      if (step) set(Number(split.getAttribute("aria-valuenow")) + step);
    });
  }

  return { tab, part, theme, splitter };
}
