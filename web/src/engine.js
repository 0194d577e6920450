// Who runs asp for the page: WebAssembly in workers, or the program that serves the page (`asp serve`).
//
// Invariant: a lane does one job at a time; a job that is stopped tells nothing more.

/// Thrown by a job that was stopped.
export class Stopped extends Error {
  constructor() {
    super("Stopped.");
    this.name = "Stopped";
  }
}

/// Jobs one after another. What extends it does one (`now`), and stops it.
class Lane {
  queue = Promise.resolve();
  epoch = 0;

  /// Runs a job after those before it; `tell(kind, value)` hears of output.
  run(job, tell = () => {}) {
    const epoch = this.epoch;
    const result = this.queue.then(() => {
      if (epoch !== this.epoch) throw new Stopped();
      return this.now(job, tell);
    });
    this.queue = result.catch(() => {});
    return result;
  }
}

/// Jobs in a worker. Stopping one ends the worker: nothing it does can delay that.
class WorkerLane extends Lane {
  constructor(module, makeWorker) {
    super();
    Object.assign(this, { module, makeWorker, number: 0 });
  }

  async begin() {
    if (this.worker) return;
    const [module, worker] = [await this.module, this.makeWorker()];
    worker.postMessage({ module });
    this.worker = worker;
  }

  async now(job, tell) {
    const epoch = this.epoch;
    await this.begin();
    if (epoch !== this.epoch) throw new Stopped();
    const id = ++this.number;
    const { worker } = this;
    return new Promise((done, fail) => {
      const told = { out: "", err: "" };
      this.abort = () => fail(new Stopped());
      worker.onerror = (event) => {
        event.preventDefault?.();
        this.end();
        done({ ...told, code: null, trap: event.message || "the worker ended", files: {} });
      };
      worker.onmessage = ({ data }) => {
        if (data.id !== id) return;
        if (data.kind === "end") {
          this.abort = null;
          // An instance that trapped may have taken all memory.
          if (data.value.trap) this.end();
          return done({ ...told, ...data.value });
        }
        if (data.kind in told) told[data.kind] += data.value;
        tell(data.kind, data.value);
      };
      worker.postMessage({ id, job });
    });
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }

  /// Stops everything that runs or waits.
  stop() {
    this.epoch++;
    this.end();
    this.abort?.();
    this.abort = null;
  }
}

/// Jobs of the server that the page comes from.
class ServerLane extends Lane {
  constructor(token) {
    super();
    Object.assign(this, { token });
  }

  async begin() {}

  async now(job, tell) {
    this.control = new AbortController();
    const told = { out: "", err: "", code: null, files: {} };
    try {
      const headers = { "Content-Type": "application/json", "X-Asp-Token": this.token };
      const answer = await fetch("run", { method: "POST", headers, body: JSON.stringify(job), signal: this.control.signal });
      if (!answer.ok) return { ...told, trap: await answer.text() };
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines.filter(Boolean)) {
          const [kind, what] = JSON.parse(line);
          if (kind === "end") Object.assign(told, what);
          else {
            if (kind in told) told[kind] += what;
            tell(kind, what);
          }
        }
      }
      return told;
    } catch (error) {
      if (error.name === "AbortError") throw new Stopped();
      return { ...told, trap: "the server does not answer; is `asp serve` still running?" };
    } finally {
      this.control = null;
    }
  }

  stop() {
    this.epoch++;
    this.control?.abort();
  }
}

/// Where lanes come from.
export function engine({ module, makeWorker, token }) {
  return {
    native: Boolean(token),
    lane: () => (token ? new ServerLane(token) : new WorkerLane(module, makeWorker)),
  };
}
