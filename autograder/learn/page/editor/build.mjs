// Bundles editor.mjs into the page's static files, with the licences of all that is in the bundle.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const goal = "../static";
const source = createHash("sha256");
for (const file of ["editor.mjs", "package-lock.json"]) source.update(readFileSync(file));
const banner = `/* Built from editor/, ${source.digest("hex")}. Licences: editor.LICENSES.txt */`;
const made = await build({
  entryPoints: ["editor.mjs"], outfile: `${goal}/editor.js`, bundle: true, minify: true, format: "iife", target: "es2020",
  charset: "utf8", legalComments: "none", metafile: true, banner: { js: banner },
});
const names = new Set(Object.keys(made.metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
const texts = [...names].filter(Boolean).sort().map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${goal}/editor.LICENSES.txt`, texts.join(`\n${"-".repeat(80)}\n\n`));
