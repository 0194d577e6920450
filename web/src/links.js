// Where a program comes from and goes to: links, the files of the server.

import { say } from "./dom.js";
import * as share from "./share.js";

export function links(app) {
  const { token, engine } = app;

  async function server(path, init = {}) {
    const answer = await fetch(path, { ...init, headers: { "X-Asp-Token": token, "Content-Type": "application/json" } });
    if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
    return answer;
  }

  async function fromServer() {
    try {
      const list = await (await server("files")).json();
      if (!list.length) return false;
      const theirs = share.project({ files: list });
      const own = share.reloaded(theirs);
      app.openProject(own ?? theirs);
      if (own) say("This is not saved yet.", [["Read the files again", () => app.openProject(theirs)]]);
      return true;
    } catch (error) {
      say(`No files: ${error.message}`);
      return false;
    }
  }

  async function fromLink() {
    if (!location.hash.startsWith("#p=")) return false;
    try {
      const linked = await share.unpack(location.hash);
      const own = share.kept();
      const same = JSON.stringify(own) === JSON.stringify(linked);
      if (own && !same) share.putAside();
      app.openProject(linked);
      if (own && !same) say("This program comes from the link.", [["Back to mine", () => { const mine = share.aside(); history.replaceState(null, "", location.pathname + location.search); if (mine) app.openProject(mine); }]]);
      return true;
    } catch (error) {
      history.replaceState(null, "", location.pathname + location.search);
      say(`The link holds no program that can be read: ${error.message}`);
      return false;
    }
  }

  /// Makes a link, in the address bar and in the clipboard.
  async function link() {
    try {
      const url = new URL(location.href);
      // The token of asp serve opens the page again.
      if (!engine.native) url.search = "";
      url.hash = await share.pack(app.project());
      if (url.href.length > 100000) say("The program is long: some places cut links that long.");
      if (!engine.native) history.replaceState(null, "", url);
      const where = engine.native ? ", for this machine while asp serve runs" : "";
      await navigator.clipboard?.writeText(url.href).then(() => say(`The link is in the clipboard${where}; the program is in the link.`), () => say("The link is in the address bar."));
    } catch (error) {
      say(`No link: ${error.message}`);
    }
  }

  /// Writes the file that is open into the folder of the server; over one that was not opened here only if the user says so.
  async function save() {
    await write(app.state.active, "");
  }

  async function write(name, query) {
    try {
      await server(`files/${encodeURIComponent(name)}${query}`, { method: "PUT", body: app.editor.text(name) });
      say(`${name} is saved`);
    } catch (error) {
      const replace = error.status === 409 ? [["Replace it", () => write(name, "?replace")]] : [];
      say(`${name} is not saved: ${error.message}`, replace);
    }
  }

  return { link, save, fromServer, fromLink };
}
