// Runs of asp: one at a time, with its options, its progress and its messages.

import { $, fill, h } from "./dom.js";
import { Stopped } from "./engine.js";

/// Options that questions understand, too: with a value of their own, or in one word.
const SHARED = /^(-c|--const|-W|--warn|--rewrite|--steps|--time-limit|--memory-limit)/;
const MOST_MEMORY = 3000;

export function runs(app) {
  const { state, engine, lane } = app;

  /// The words of the options.
  const options = () => [...$("options").value.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]);

  function shared() {
    const found = [];
    const list = options();
    for (let i = 0; i < list.length; i++) {
      if (!SHARED.test(list[i])) continue;
      found.push(list[i]);
      if (/^(-c|-W|--const|--warn|--rewrite|--steps|--time-limit|--memory-limit)$/.test(list[i]) && i + 1 < list.length) found.push(list[++i]);
    }
    return found;
  }

  function busy(what) {
    state.busy = what;
    const status = $("status");
    $("stop").hidden = !what;
    status.classList.toggle("busy", Boolean(what));
    clearInterval(state.clock);
    if (!what) return;
    const begun = performance.now();
    state.progress = "";
    const tick = () => {
      const seconds = (performance.now() - begun) / 1000;
      status.textContent = `${what} ${seconds >= 1 ? `${seconds.toFixed(0)} s` : ""} ${state.progress}`.trim();
    };
    tick();
    state.clock = setInterval(tick, 250);
  }

  function stop() {
    if (!state.busy) return;
    lane.stop();
  }

  /// Runs a job; what it says about the program goes to the messages. Null if it was stopped.
  async function work(what, job, tell = () => {}) {
    stop();
    app.clearMarks();
    busy(what);
    const mine = (state.run = {});
    const begun = performance.now();
    try {
      const heard = (kind, value) => {
        if (state.run !== mine) return;
        if (kind === "err") {
          const line = /\r\x1b\[K([^\r\x1b]+)[^\r]*$/.exec(value)?.[1];
          if (line) {
            state.progress = line.trim();
            tell("progress", line);
          }
        }
        tell(kind, value);
      };
      const told = await lane.run({ ...job, files: { ...app.texts(), ...job.files } }, heard);
      told.err = told.err.replace(/\r\x1b\[K[^\r\n]*?(?=\r|\n|$)/g, "").replace(/\r/g, "");
      if (state.run !== mine) return null;
      busy(null);
      $("status").textContent = `${what}: ${((performance.now() - begun) / 1000).toFixed(2)} s`;
      if (told.trap) {
        const memory = /memory|unreachable|allocat|stack/i.test(told.trap);
        told.err += memory ? "\nasp ran out of memory here; the program that runs outside of a page can use more.\n" : `\nasp failed: ${told.trap}\n`;
      }
      messages(told.err);
      return told;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      if (state.run === mine) {
        busy(null);
        $("status").textContent = `${what}: stopped after ${((performance.now() - begun) / 1000).toFixed(1)} s`;
      }
      return null;
    }
  }

  function messages(text) {
    const shown = text.split("\n").filter((line) => !/asp-answers\.html/.test(line) && !/: nothing to draw/.test(line) && !/of the embedded library$/.test(line)).join("\n").trim();
    const errors = /^(\*\*\* ERROR|error|.*: error)/m.test(shown);
    fill($("messages"), shown ? h("pre", { class: "out wrap", text: shown.slice(0, 200000) }) : h("p", { class: "empty", text: "The last run had no messages." }));
    $("tab-messages").textContent = shown ? `Messages ${errors ? "!" : "•"}` : "Messages";
    return errors;
  }

  /// What a page can give a run.
  const limits = () => (engine.native ? [] : [`--memory-limit=${MOST_MEMORY}`]);

  return { options, shared, stop, work, limits };
}
