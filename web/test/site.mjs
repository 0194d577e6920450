// The site in Chromium, as release/publish/versions.py makes it: the root leads to the last release, and "run" beside an example
// opens it in the page: node test/site.mjs FOLDER
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { launch, web } from "./browser.mjs";

const server = await web(resolve(process.argv[2]));
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForURL(`${server.url}latest/**`);
  await page.goto(`${server.url}latest/language.html`);
  const run = page.locator(".asp-run").first();
  await run.waitFor();
  const example = (await page.locator("code.language-asp").first().innerText()).split("\n")[0];
  await run.click();
  await page.waitForURL(`${server.url}latest/page/**`);
  await page.getByText(example).first().waitFor();
  // A link to the page that names no version leads to the same program.
  const { hash } = new URL(page.url());
  assert.match(hash, /^#p=/);
  const other = await browser.newPage();
  await other.goto(`${server.url}page/${hash}`);
  await other.waitForURL(`${server.url}latest/page/**`);
  await other.getByText(example).first().waitFor();
  console.log(`site: "run" opens the example \`${example.trim()}\` in the page`);
} finally {
  await browser.close();
  server.close();
}
