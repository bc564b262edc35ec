// Opens formgrader in a browser, looks at a graded notebook, types a mark and a comment, and leaves the fields.
// node formgrader.cjs CHROMIUM BASE TOKEN SUBMISSION CELL POINTS COMMENT FOLDER
const { chromium } = require("playwright-core");

(async () => {
  const [executablePath, base, token, submission, cell, points, comment, folder] = process.argv.slice(2);
  const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"];
  const browser = await chromium.launch({ executablePath, args: quiet });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.route("**/*", (route) => (route.request().url().startsWith(base) ? route.continue() : route.abort()));
  const dialogs = [];
  page.on("dialog", (dialog) => { dialogs.push(dialog.message()); dialog.dismiss(); });
  await page.goto(`${base}/login?token=${token}`);
  await page.goto(`${base}/formgrader/manage_assignments`, { waitUntil: "load" });
  await page.waitForSelector("td.num-submissions a");
  await page.screenshot({ path: `${folder}/assignments.png` });
  await page.goto(`${base}/formgrader/submissions/${submission}/`, { waitUntil: "load" });
  const score = page.locator(`[id="${cell}"].score`);
  await score.waitFor();
  await page.waitForFunction((id) => !document.getElementById(id).disabled, cell);
  await page.screenshot({ path: `${folder}/before.png`, fullPage: true });
  const saved = (kind) => page.waitForResponse((r) => r.url().includes(`/api/${kind}/`) && r.request().method() === "PUT");
  await Promise.all([saved("grade"), score.fill(points).then(() => score.press("Tab"))]);
  const said = page.locator(`[id="${cell}-comment"]`);
  await Promise.all([saved("comment"), said.fill(comment).then(() => said.press("Tab"))]);
  await page.screenshot({ path: `${folder}/after.png`, fullPage: true });
  console.log(JSON.stringify({ dialogs, text: await page.locator("body").innerText() }));
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
