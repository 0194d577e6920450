// The system that asp sees as WebAssembly: arguments, files in memory, output as it is written. The same for the page's
// workers and for node.
//
// Invariant: a run sees its files and nothing else; what it leaves behind is what it returns.

import { Directory, Fd, File, Inode, OpenFile, PreopenDirectory, WASI, wasi } from "@bjorn3/browser_wasi_shim";

/// Output: bytes go to a function as they are written.
class Sink extends Fd {
  constructor(write) {
    super();
    this.inode = Inode.issue_ino();
    this.write = write;
  }
  fd_filestat_get() {
    return { ret: 0, filestat: new wasi.Filestat(this.inode, wasi.FILETYPE_REGULAR_FILE, 0n) };
  }
  fd_fdstat_get() {
    const fdstat = new wasi.Fdstat(wasi.FILETYPE_REGULAR_FILE, 0);
    fdstat.fs_rights_base = BigInt(wasi.RIGHTS_FD_WRITE);
    return { ret: 0, fdstat };
  }
  fd_write(data) {
    this.write(data);
    return { ret: 0, nwritten: data.byteLength };
  }
}

// What an old libc asks of threads: none can start, locks are free.
const NO_THREADS = { pthread_create: () => 6 };

/// Files as a tree of folders.
function tree(files) {
  const root = new Map();
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split("/").filter((p) => p !== "" && p !== ".");
    const name = parts.pop();
    let folder = root;
    for (const part of parts) {
      if (!(folder.get(part) instanceof Directory)) folder.set(part, new Directory(new Map()));
      folder = folder.get(part).contents;
    }
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    folder.set(name, new File(bytes));
  }
  return root;
}

/// Runs the program once: `{ args, files, stdin, env }`, with `out` and `err` for what it writes. Returns the exit code, or
/// `trap` with what went wrong, and the function `read` for files that it has written.
export function run(module, job, { out, err }) {
  const args = ["asp", ...job.args];
  const env = Object.entries({ NO_COLOR: "1", ...job.env }).map(([name, value]) => `${name}=${value}`);
  const root = tree(job.files ?? {});
  const stdin = new OpenFile(new File(new TextEncoder().encode(job.stdin ?? "")));
  const host = new WASI(args, env, [stdin, new Sink(out), new Sink(err), new PreopenDirectory("/", root)], { debug: false });
  // The shim counts UTF-16 units here, and writes UTF-8.
  host.wasiImport.args_sizes_get = (count, size) => {
    const view = new DataView(host.inst.exports.memory.buffer);
    view.setUint32(count, args.length, true);
    view.setUint32(size, args.reduce((sum, arg) => sum + new TextEncoder().encode(arg).length + 1, 0), true);
    return 0;
  };
  const imports = { wasi_snapshot_preview1: host.wasiImport, env: { ...NO_THREADS } };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === "function" && from === "env") imports.env[name] ??= () => 0;
  }
  const read = (path) => {
    let place = root;
    const parts = path.split("/").filter(Boolean);
    const name = parts.pop();
    for (const part of parts) place = place.get(part)?.contents ?? new Map();
    const file = place.get(name);
    return file instanceof File ? file.data : undefined;
  };
  try {
    return { code: host.start(new WebAssembly.Instance(module, imports)), read };
  } catch (error) {
    return { code: null, trap: String(error?.message ?? error), read };
  }
}
