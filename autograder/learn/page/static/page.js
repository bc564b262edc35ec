// Makes the form of a page answer in place. Without it each button loads the page anew, and all of it works as well.
"use strict";

const form = document.querySelector("form[data-live-form]");
const box = document.getElementById("text");
const editor = box && window.headcount ? window.headcount.edit(box, changed) : null;
const GONE = "headcount learn has ended, and this is not saved. Copy it, start headcount learn anew, and paste it there.";
let saved = text(), running = null;

function text() {
  return editor ? editor.text() : box ? box.value : "";
}

function put(value) {
  if (editor) editor.put(value);
  else box.value = value;
}

function say(line) {
  const state = document.getElementById("state");
  if (state) state.textContent = line;
}

function changed() {
  say(text() === saved ? "" : "Not saved yet");
  count();
}

function count() {
  const words = document.getElementById("words");
  if (words) words.textContent = String(text().split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length);
}

function working(is) {
  const stop = document.getElementById("stop");
  if (stop) stop.hidden = !is;
  if (is) say("Working …");
}

function parsed(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

// What the server draws is a whole page; the parts of it that live are put in the place of those that are here.
function take(page) {
  const at = document.activeElement, inside = at && at.closest("[data-live]");
  for (const here of document.querySelectorAll("[data-live]")) {
    const there = page.getElementById(here.id);
    if (there) here.replaceWith(document.importNode(there, true));
  }
  if (inside) {  // who works by keyboard stays where they were
    const now = document.getElementById(inside.id);
    (now.querySelector(`button[value="${at.value}"]`) || now).focus();
  }
  const told = page.querySelectorAll("#told .note, #told .card > h2, #told .message");
  document.getElementById("heard").textContent = [...told].map((each) => each.textContent.trim()).join(" ");
}

// The file as the server has it. What was written here since `before` stays.
function follow(page, before) {
  const there = page.getElementById("text");
  if (!there) return;
  document.getElementById("version").value = page.getElementById("version").value;
  if (there.dataset.saved === "yes") saved = there.value;
  if (there.value !== before && text() === before) put(there.value);
}

async function send(button) {
  if (running) running.abort();
  const own = running = new AbortController(), before = text();
  if (editor) box.value = before;
  const body = new URLSearchParams(new FormData(form, button));
  const waits = setTimeout(working, 250, true);
  try {
    const answer = await fetch(form.action, { method: "POST", body, signal: own.signal });
    const html = await answer.text();
    if (!(answer.headers.get("content-type") || "").startsWith("text/html")) throw new Error(html.trim());
    const page = parsed(html);
    take(page);
    follow(page, before);
    say(text() === saved ? "Saved" : "Not saved yet");
    const told = document.getElementById("told").firstElementChild;
    if (told && button.classList.contains("first")) told.scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (error.name !== "AbortError") say(error instanceof TypeError ? GONE : error.message);
  } finally {
    clearTimeout(waits);
    if (running === own) {
      running = null;
      working(false);
    }
  }
}

// Somebody may have written the file in another editor. What is not saved here is never replaced.
async function look() {
  const before = text();
  if (!box || running || before !== saved) return;
  const answer = await fetch(location.href).catch(() => null);
  const page = answer && answer.ok ? parsed(await answer.text()) : null;
  const there = page && page.getElementById("text");
  if (!there || running || text() !== before || there.dataset.saved !== "yes" || there.value === before) return;
  follow(page, before);
  say("Changed elsewhere; this is the file as it is now.");
}

function press() {
  form.requestSubmit(form.querySelector("button.first"));
}

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(event.submitter);
  });
  form.addEventListener("click", (event) => {
    if (event.target.id === "stop") fetch(form.action.replace("/exercise/", "/stop/"), { method: "POST" });
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || !["s", "Enter"].includes(event.key)) return;
    event.preventDefault();
    press();
  });
  if (box && !editor) box.addEventListener("input", changed);
  window.addEventListener("focus", look);
  window.addEventListener("beforeunload", (event) => {
    if (text() !== saved) event.preventDefault();
  });
  count();
}
