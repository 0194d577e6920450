// Links that hold a program, and what is kept between visits.
//
// A link is `#p=` and the JSON of the files, compressed (deflate) and in base64url. Whatever stands there, it is read as text
// or refused, and nothing runs by itself.

/// The largest program that a link may unpack to.
const MOST = 8 << 20;
/// The largest program that is kept.
const KEPT = 4 << 20;
const KEY = "asp-page";
const BEFORE = "asp-page-before";
/// The files of `asp serve` when this tab read them.
const FILES = "asp-page-files";

const name = /^[^/\\\u0000-\u001f]{1,80}$/;

/// A project `{ files: [{ name, text }], options, models }` from what was read; throws if it is none.
export function project(value) {
  const files = value?.files;
  const good = Array.isArray(files) && files.length > 0 && files.length <= 50
    && files.every((f) => typeof f?.name === "string" && name.test(f.name) && f.name !== "all-of-it.lp" && typeof f.text === "string")
    && new Set(files.map((f) => f.name)).size === files.length;
  if (!good) throw new Error("this is no program");
  return {
    files: files.map(({ name, text }) => ({ name, text })),
    options: typeof value.options === "string" ? value.options.slice(0, 500) : "",
    models: ["1", "10", "100", "0"].includes(value.models) ? value.models : "1",
  };
}

async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new Error("it is too long");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/// The fragment of a link.
export async function pack(project) {
  if (project.files.reduce((sum, f) => sum + f.text.length, 0) > MOST) throw new Error("the program is too long");
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(project)), MOST);
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return `#p=${btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/// The project of a fragment: null if it speaks of none; throws if it cannot be read.
export async function unpack(fragment) {
  const packed = /^#p=(.*)$/s.exec(fragment)?.[1];
  if (packed === undefined) return null;
  if (!/^[\w-]*$/.test(packed)) throw new Error("it has characters that no link has");
  const bytes = Uint8Array.from(atob(packed.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), bytes, MOST));
  return project(JSON.parse(text));
}

/// Keeps a project for the next visit; whether there was room.
export function keep(value) {
  try {
    if (value.files.reduce((sum, f) => sum + f.text.length, 0) > KEPT) return false;
    const text = JSON.stringify(value);
    localStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}

/// What was kept.
export function kept(key = KEY) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : project(JSON.parse(text));
  } catch {
    return null;
  }
}

/// What was kept of the server's files, if this is a reload and it has more than they had and have.
export function reloaded(theirs) {
  const now = JSON.stringify(theirs.files);
  try {
    const then = sessionStorage.getItem(FILES);
    sessionStorage.setItem(FILES, now);
    const own = performance.getEntriesByType("navigation")[0]?.type === "reload" ? kept() : null;
    return own && ![then, now].includes(JSON.stringify(own.files)) ? own : null;
  } catch {
    return null;
  }
}

/// Puts what was kept aside, for a link takes its place.
export function putAside() {
  try {
    const text = localStorage.getItem(KEY);
    if (text !== null) localStorage.setItem(BEFORE, text);
  } catch { /* Nothing was kept. */ }
}

export const aside = () => kept(BEFORE);
