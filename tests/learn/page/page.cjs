// A learner at the page: reads, types, saves with the keyboard, is told; then without scripts, and on a narrow screen.
// node page.cjs CHROMIUM ADDRESS FILE FOLDER; FILE is the exercise's own, which "another editor" writes here.
const { chromium } = require("playwright-core");
const { readFileSync, writeFileSync } = require("fs");

(async () => {
  const [executablePath, address, file, folder] = process.argv.slice(2);
  const base = new URL(address).origin;
  const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"];
  const browser = await chromium.launch({ executablePath, args: quiet });
  const strangers = [], complaints = [], dialogs = [], seen = {};
  const open = async (options) => {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })).newPage();
    page.on("request", (request) => { if (!request.url().startsWith(base)) strangers.push(request.url()); });
    page.on("console", (message) => { if (message.type() === "error") complaints.push(message.text()); });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => { dialogs.push(dialog.message()); dialog.dismiss(); });
    await page.goto(address);
    return page;
  };
  const text = (page) => page.evaluate(() => [...document.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));

  const page = await open({});
  seen.address = page.url();
  await page.screenshot({ path: `${folder}/map.png` });
  await page.goto(`${base}/exercise/k1`);
  await page.waitForSelector(".cm-content");
  seen.folded = await page.locator(".cm-foldPlaceholder").count();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type("def scale_recipe(amounts, written_for, guests):\nprint('<script>alert(1)</script>')\nreturn amounts * guests\n");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".verdict.wrong");
  seen.file = readFileSync(file, "utf8");
  seen.told = await page.locator("#told").innerText();
  seen.heard = await page.locator("#heard").innerText();
  seen.state = await page.locator("#state").innerText();
  await page.screenshot({ path: `${folder}/wrong.png`, fullPage: true });

  await page.locator("button[value=hint]").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".hints li");
  seen.stayed = await page.evaluate(() => document.activeElement.textContent);

  await page.locator(".cm-content").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  seen.left = await page.evaluate(() => document.activeElement.textContent);

  writeFileSync(file, "def scale_recipe(amounts, written_for, guests):\n    return amounts * guests / written_for\n");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.waitForFunction(() => document.getElementById("state").textContent.startsWith("Changed elsewhere"));
  seen.followed = await text(page);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("# more");
  writeFileSync(file, "theirs\n");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.keyboard.press("Control+s");
  await page.waitForSelector("button[value=theirs]");
  seen.kept = [readFileSync(file, "utf8"), await text(page)];
  await page.screenshot({ path: `${folder}/elsewhere.png`, fullPage: true });
  await page.click("button[value=theirs]");
  await page.waitForSelector("button[value=theirs]", { state: "detached" });
  seen.taken = await text(page);

  const plain = await open({ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await plain.goto(`${base}/exercise/k1`);
  await plain.fill("#text", "def scale_recipe(amounts, written_for, guests):\n    assert written_for\n    return amounts * guests / written_for\n");
  await plain.click("button[value=check]");
  seen.plain = await plain.locator("#told").innerText();
  await plain.screenshot({ path: `${folder}/plain.png`, fullPage: true });

  await page.setViewportSize({ width: 360, height: 740 });
  seen.wide = [];
  for (const path of ["/", "/exercise/k1"]) {
    await page.goto(`${base}${path}`);
    seen.wide.push(await page.evaluate(() => document.documentElement.scrollWidth));
  }
  console.log(JSON.stringify({ ...seen, strangers, dialogs, complaints }));
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
