"use strict";
// Click a column's head to sort by it, again to turn the order round.
const table = document.querySelector("table.students"), body = table.tBodies[0];
const key = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent.trim();
table.tHead.querySelectorAll("th").forEach((head, i) => {
  const button = document.createElement("button");
  button.append(...head.childNodes);
  head.append(button);
  button.onclick = () => {
    const up = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending" : i === 0;
    const rows = [...body.rows].map(row => [key(row, i), row]);
    const numeric = rows.every(([k]) => k === "" || !isNaN(k));
    const order = numeric ? (a, b) => (a === "" ? -1 : +a) - (b === "" ? -1 : +b)
      : new Intl.Collator(undefined, { numeric: true }).compare;
    rows.sort(([a], [b]) => up ? order(a, b) : order(b, a));
    body.append(...rows.map(([, row]) => row));
    table.tHead.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  };
});
// Say which check of which student the pointer is on.
const map = document.querySelector(".map"), said = document.querySelector(".said");
const names = [...document.querySelectorAll(".columns li")].map(item => [...item.querySelectorAll("code")].map(code => code.textContent));
const words = JSON.parse(map?.dataset.words ?? "{}");
map?.addEventListener("pointermove", event => {
  const group = event.target.closest(".cells > span"), line = group?.closest("li");
  if (!line || !line.querySelector("b")) return;
  const box = group.getBoundingClientRect(), text = group.textContent;
  const at = Math.min(text.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * text.length)));
  const column = [...group.parentNode.children].indexOf(group);
  said.textContent = `${line.firstElementChild.textContent}: ${names[column][0]}.${names[column][at + 1]} ${words[text[at]] ?? map.dataset.absent}`;
});
