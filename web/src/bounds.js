// The two bounds of an optimisation while it runs: the best cost falls, what is proven rises. At the end asp's own picture of
// them takes its place.

import { shape } from "./picture.js";

const [WIDE, HIGH, EDGE] = [520, 120, 14];

export class Bounds {
  /// Seconds, the cost, and what is proven of the level that is being optimised; `null` where nothing is.
  steps = [];
  level = -1;

  /// Takes a line of progress; whether it tells of a new bound.
  hear(line) {
    const told = / ([\d.]+)s.* · best((?: -?\d+)+)(?: in \[(-?\d+);(-?\d+)\])?/.exec(line);
    if (!told) return false;
    const costs = told[2].trim().split(" ");
    const level = told[4] === undefined ? costs.length - 1 : costs.indexOf(told[4]);
    if (level !== this.level) this.steps = [];
    this.level = level;
    const step = [Number(told[1]), Number(costs[level]), told[3] === undefined ? null : Number(told[3])];
    const last = this.steps.at(-1);
    const isNew = !last || last[1] !== step[1] || last[2] !== step[2];
    if (isNew || this.steps.length === 1) this.steps.push(step);
    else last[0] = step[0];
    return isNew;
  }

  /// The picture, once there is something to see.
  draw() {
    const { steps } = this;
    const values = steps.flatMap((step) => step.slice(1)).filter((value) => value !== null);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (steps.length < 2 || low === high) return null;
    const end = steps.at(-1)[0] || 1;
    const x = (step) => (EDGE + ((WIDE - 2 * EDGE) * step[0]) / end).toFixed(1);
    const y = (value) => (EDGE + ((HIGH - 2 * EDGE) * (high - value)) / (high - low)).toFixed(1);
    const path = (at, name) => {
      const known = steps.filter((step) => step[at] !== null);
      if (!known.length) return [];
      const parts = known.map((step, i) => (i ? `H${x(step)}V${y(step[at])}` : `M${x(step)} ${y(step[at])}`));
      return [shape("path", { class: name, d: parts.join("") })];
    };
    const size = { width: WIDE, height: HIGH, viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `best ${steps.at(-1)[1]}, at least ${steps.at(-1)[2] ?? "?"}` };
    return shape("svg", size, ...path(2, "edge"), ...path(1, "loop"));
  }
}
