// Optional improvements: the budget's number follows its slider, parts of a bar explain themselves, and texts can be copied.
for (const slider of document.querySelectorAll("input[type=range][data-shows]")) {
  const number = document.getElementById(slider.dataset.shows);
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { slider.value = number.value; });
}
const told = document.getElementById("told"), rest = told?.textContent;
for (const part of document.querySelectorAll("svg.bar a")) {
  for (const here of ["focus", "pointerenter"]) part.addEventListener(here, () => { told.textContent = part.getAttribute("aria-label"); });
  for (const gone of ["blur", "pointerleave"]) part.addEventListener(gone, () => { told.textContent = rest; });
}
for (const button of document.querySelectorAll("button[data-copies], button[data-fetches]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = document.getElementById("said");
    try {
      const { copies, fetches } = button.dataset;
      await navigator.clipboard.writeText(copies ? document.getElementById(copies).textContent : await (await fetch(fetches)).text());
      said.textContent = "Copied.";
    } catch {
      said.textContent = "The browser did not allow copying; select the text instead.";
    }
  });
}
