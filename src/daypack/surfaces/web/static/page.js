// Optional improvements: the answer follows the budget, parts of a bar explain themselves, texts can be copied, and keys move.
const said = document.getElementById("said"), question = document.getElementById("q"), answer = document.getElementById("answer");
const WAIT = 80; // milliseconds in which a slider may move on

// In a narrow window the views are a row that scrolls.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

for (const slider of document.querySelectorAll("input[type=range][data-shows]")) {
  const number = document.getElementById(slider.dataset.shows);
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { slider.value = number.value; });
}

// A refusal by the server; its message is for the reader.
class Refusal extends Error {}

function parsed(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

async function fetched(url, options) {
  const response = await fetch(url, options), text = await response.text();
  if (response.status === 401 || response.redirected) throw new Refusal("You are no longer admitted; load the page to enter again.");
  if (!response.ok) throw new Refusal(parsed(text).querySelector("[role=alert]")?.textContent ?? "The server refused; load the page to see why.");
  return text;
}

function explain(error, otherwise) {
  if (error.name !== "AbortError") said.textContent = error instanceof Refusal ? error.message : otherwise;
}

let waiting, asked;
for (const field of document.querySelectorAll("[data-live]")) {
  field.addEventListener("input", () => {
    if (!answer?.children.length) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => follow(field.form), WAIT);
  });
}

// The same page with other fields: its answer takes the place of this one, and new items are marked.
async function follow(form) {
  const url = form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form));
  asked?.abort();
  asked = new AbortController();
  try {
    const wrong = form.querySelector("input:invalid");
    if (wrong) throw new Refusal(`${wrong.labels[0].textContent}: ${wrong.validationMessage}`);
    const page = parsed(await fetched(url, { signal: asked.signal })), refused = page.querySelector("[role=alert]");
    if (refused) throw new Refusal(refused.textContent);
    const next = page.getElementById("answer");
    if (!next?.children.length) return;
    const before = items(answer), after = items(next), shades = document.getElementById("heat")?.checked ?? true;
    const came = [...after.keys()].filter((item) => !before.has(item)), went = [...before.keys()].filter((item) => !after.has(item));
    answer.replaceChildren(...next.childNodes);
    if (document.getElementById("heat")) document.getElementById("heat").checked = shades;
    for (const item of came) after.get(item).classList.add("came");
    for (const item of went) leave(item, before, after);
    history.replaceState(null, "", url);
    prepare(answer);
    said.textContent = came.length || went.length ? `${came.length} came in, ${went.length} left.` : "";
  } catch (error) {
    explain(error, "The server does not answer; send the form to try again.");
  }
}

function items(within) {
  return new Map([...within.querySelectorAll("tr[data-item]:not(.went)")].map((row) => [row.dataset.item, row]));
}

// A row that left fades in its old place, after the last item before it that is still shown.
function leave(item, before, after) {
  const keys = [...before.keys()], stays = keys.slice(0, keys.indexOf(item)).findLast((key) => after.has(key));
  const body = [...after.values()][0]?.parentElement, row = before.get(item);
  if (!body) return;
  row.classList.add("went");
  row.removeAttribute("id");
  row.inert = true;
  row.addEventListener("animationend", () => row.remove());
  if (stays === undefined) body.prepend(row);
  else after.get(stays).after(row);
  if (getComputedStyle(row).animationName === "none") row.remove();
}

// A view that is still being made is asked for again until it is there.
async function wait(note) {
  await new Promise((ready) => setTimeout(ready, 1500));
  if (!note.isConnected) return;
  try {
    const next = parsed(await fetched(note.dataset.waits)).getElementById("answer");
    answer.replaceChildren(...next.childNodes);
    prepare(answer);
  } catch (error) {
    explain(error, "The server does not answer; load the page to try again.");
  }
}

function prepare(within) {
  for (const note of within.querySelectorAll("[data-waits]")) wait(note);
  const told = document.getElementById("told"), rest = told?.textContent;
  for (const part of told ? within.querySelectorAll("svg.bar a") : []) {
    for (const here of ["focus", "pointerenter"]) part.addEventListener(here, () => { told.textContent = part.getAttribute("aria-label"); });
    for (const gone of ["blur", "pointerleave"]) part.addEventListener(gone, () => { told.textContent = rest; });
  }
  for (const button of within.querySelectorAll("button[data-opens]")) {
    button.hidden = false;
    button.addEventListener("click", () => look(button));
  }
  for (const button of within.querySelectorAll("button[data-copies], button[data-fetches]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button.dataset));
  }
}

// The text of an item with the lines around it, in a row of its own under the item. The row is there before its text: a second
// click removes it, and a late answer fills a row that is no longer shown.
async function look(button) {
  const row = button.closest("tr"), isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) return row.nextElementSibling.remove();
  const added = document.createElement("tr"), cell = added.insertCell();
  cell.colSpan = row.cells.length;
  row.after(added);
  try {
    cell.append(parsed(await fetched(button.dataset.opens)).querySelector(".code"));
  } catch (error) {
    if (!added.isConnected) return;
    added.remove();
    button.setAttribute("aria-expanded", "false");
    explain(error, "The server does not answer; follow the link instead.");
  }
}

async function copy({ copies, fetches }) {
  try {
    await navigator.clipboard.writeText(copies ? document.getElementById(copies).textContent : await fetched(fetches));
    said.textContent = "Copied.";
  } catch (error) {
    explain(error, "The browser did not allow copying; select the text instead.");
  }
}

// "/" asks, "j" and "k" move through the items.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  if (event.key === "/" && question) {
    event.preventDefault();
    question.select();
  } else if (event.key === "j" || event.key === "k") {
    const links = [...document.querySelectorAll("td.where a")], at = links.indexOf(document.activeElement);
    links[event.key === "j" ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0)]?.focus();
  }
});

prepare(document);
