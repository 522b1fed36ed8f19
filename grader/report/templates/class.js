"use strict";
// Click a column's head to sort by it, again to turn the order round.
const table = document.querySelector("table.students"), body = table.tBodies[0];
const key = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent.trim();
const collator = new Intl.Collator(undefined, { numeric: true });
table.tHead.querySelectorAll("th").forEach((head, i) => {
  const button = document.createElement("button");
  button.append(...head.childNodes);
  head.append(button);
  button.onclick = () => {
    const up = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending" : i === 0;
    const rows = [...body.rows].map(row => [key(row, i), row]);
    const numeric = rows.every(([k]) => k === "" || !isNaN(k));
    const order = numeric ? (a, b) => (a === "" ? -Infinity : +a) - (b === "" ? -Infinity : +b) || 0 : collator.compare;
    rows.sort(([a], [b]) => up ? order(a, b) : order(b, a));
    body.append(...rows.map(([, row]) => row));
    table.tHead.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  };
});
// Show the rows in whose name or status the words of the search box occur.
const find = document.querySelector(".find"), box = find.querySelector("input"), told = find.querySelector("[data-of]");
const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
const texts = new Map([...body.rows].map(row => [row, fold(row.cells[0].textContent) + "\n" + fold(row.lastElementChild.textContent)]));
find.hidden = texts.size < 2;
box.oninput = () => {
  const words = fold(box.value);
  let shown = 0;
  for (const [row, text] of texts) {
    row.hidden = !text.includes(words);
    shown += !row.hidden;
  }
  told.textContent = words ? told.dataset.of.replace("{n}", shown).replace("{all}", texts.size) : "";
};
