// Makes the forms of a page answer in place. Without it each button loads the page anew, and all of it works as well.
"use strict";

const box = document.getElementById("text");
const form = document.querySelector("form[data-live-form]");
const editor = box && window.headcount ? window.headcount.edit(box, changed) : null;
const state = document.getElementById("state");
let written = text(), running = null;

function text() {
  return editor ? editor.text() : box ? box.value : "";
}

function say(line) {
  if (state) state.textContent = line;
}

function working(is) {
  const stop = document.getElementById("stop");
  if (stop) stop.hidden = !is;
}

function save() {
  const first = form && form.querySelector("button.first");
  if (first) form.requestSubmit(first);
}

// What the server draws is a whole page; the parts of it that live are put in the place of those that are here.
function take(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const here of document.querySelectorAll("[data-live]")) {
    const there = page.getElementById(here.id);
    if (there) here.replaceWith(document.importNode(there, true));
  }
  const told = page.querySelectorAll("#told .note, #told .card > h2, #told .message");
  document.getElementById("heard").textContent = [...told].map((each) => each.textContent.trim()).join(" ");
  return page;
}

async function send(button) {
  if (running) running.abort();
  const own = running = new AbortController();
  const before = text();
  if (editor) box.value = before;
  const waits = setTimeout(() => { say("Working …"); working(true); }, 250);
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const answer = await fetch(form.action, { method: "POST", body, signal: own.signal });
    const html = await answer.text();
    if (!(answer.headers.get("content-type") || "").startsWith("text/html")) throw new Error(html.trim());
    const page = take(html), there = page.getElementById("text"), version = page.getElementById("version");
    if (version) document.getElementById("version").value = version.value;
    if (there) {
      const theirs = there.value;
      if (there.dataset.saved === "yes") written = theirs;
      if (theirs !== before && text() === before) put(theirs);
    }
    say(text() === written ? "Saved" : "Not saved yet");
  } catch (error) {
    if (error.name === "AbortError") return;
    const gone = error instanceof TypeError;
    say(gone ? "headcount learn has ended. What is written here is not saved: copy it, start it anew, and paste it." : error.message);
  } finally {
    clearTimeout(waits);
    if (running === own) {
      running = null;
      working(false);
    }
  }
}

function put(value) {
  if (editor) editor.put(value);
  else box.value = value;
}

// Somebody may have written the file in another editor. What is not saved here is never replaced.
async function look() {
  if (!form || running || document.hidden || text() !== written) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer || !answer.ok || running || text() !== written) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const there = page.getElementById("text"), version = page.getElementById("version");
  if (!there || !version || version.value === document.getElementById("version").value) return;
  document.getElementById("version").value = version.value;
  if (there.dataset.saved !== "yes") return;
  written = there.value;
  put(there.value);
  say("Changed elsewhere; this is the file as it is now.");
}

function changed() {
  say(text() === written ? "" : "Not saved yet");
  count();
}

function count() {
  const words = document.getElementById("words");
  if (words) words.textContent = String(box.value.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length);
}

if (form) {
  form.addEventListener("submit", (event) => { event.preventDefault(); send(event.submitter); });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && (event.key === "s" || event.key === "Enter")) { event.preventDefault(); save(); }
  });
  if (box && !editor) box.addEventListener("input", changed);
  window.addEventListener("focus", look);
  window.addEventListener("beforeunload", (event) => { if (text() !== written) event.preventDefault(); });
  form.addEventListener("click", (event) => {
    if (event.target.id === "stop") fetch(form.action.replace("/exercise/", "/stop/"), { method: "POST" });
  });
  count();
}
