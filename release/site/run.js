// A link beside each program that opens it in the page, whose links hold the program (web/src/share.js).

const PAGE = new URL(`${typeof path_to_root === "string" ? path_to_root : ""}page/`, location.href);

async function fragment(text) {
  const project = { files: [{ name: "example.lp", text }], options: "", models: "10" };
  const stream = new Blob([JSON.stringify(project)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#p=${btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

for (const code of document.querySelectorAll("code.language-prolog, code.language-asp, code.language-clingo")) {
  fragment(code.textContent).then((link) => {
    const run = document.createElement("a");
    run.className = "asp-run";
    run.href = new URL(link, PAGE);
    run.textContent = "run";
    code.closest("pre").before(run);
  });
}
