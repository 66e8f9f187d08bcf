// The table: sort by a column, search by name, filter by kind and state. The rows are in the page.

class FindingTable {
  constructor(root, chosen, changed) {
    Object.assign(this, { root, chosen, changed });
    this.body = root.querySelector("tbody");
    this.rows = [...this.body.rows];
    this.search = document.getElementById("search");
    this.filters = [...document.querySelectorAll("[data-filter]")];
    this.search.addEventListener("input", () => this.filter());
    for (const box of this.filters) box.addEventListener("change", () => this.filter());
    root.querySelectorAll("thead button").forEach((button, k) => button.addEventListener("click", () => this.sort(k)));
    for (const row of this.rows) {
      row.addEventListener("click", () => chosen(Number(row.dataset.finding)));
      row.addEventListener("keydown", (event) => this.key(event, row));
    }
    this.enterAt(null);
  }

  sort(column) {
    const headers = [...this.root.querySelectorAll("thead th")];
    const down = headers[column].getAttribute("aria-sort") !== "descending";
    for (const header of headers) header.setAttribute("aria-sort", "none");
    headers[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
    const compare = (a, b) => {
      const [x, y] = [value(a), value(b)], [p, q] = [Number(x), Number(y)];
      if (x === "" || y === "") return (x === "") - (y === "");  // what is not known comes last, either way
      const order = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
      return down ? -order : order;
    };
    this.rows.sort(compare);
    this.body.append(...this.rows);
    this.enterAt(this.entry);
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(this.filters.filter((box) => !box.checked).map((box) => box.dataset.filter));
    let number = 0;
    for (const row of this.rows) {
      const text = row.dataset.search;
      const ticked = !off.has(row.dataset.kind) && !off.has(row.dataset.state);
      row.hidden = !ticked || !words.every((word) => text.includes(word));
      number += !row.hidden;
    }
    this.enterAt(this.entry);
    document.getElementById("shown").textContent = `${number} of ${this.rows.length} shown`;
    this.changed(this.rows.map((row) => [Number(row.dataset.finding), !row.hidden]));
  }

  key(event, row) {
    const visible = this.rows.filter((one) => !one.hidden), here = visible.indexOf(row);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.chosen(Number(row.dataset.finding));
    else if (to === undefined || !visible[to]) return;
    else {
      this.enterAt(visible[to]);
      visible[to].focus();
    }
    event.preventDefault();
  }

  // The Tab key enters the table at one row: the last one that was used, or the first that is shown.
  enterAt(row) {
    this.entry = row && !row.hidden ? row : this.rows.find((one) => !one.hidden);
    for (const one of this.rows) one.tabIndex = one === this.entry ? 0 : -1;
  }

  mark(which) {
    const chosen = this.rows.find((row) => Number(row.dataset.finding) === which);
    for (const row of this.rows) row.setAttribute("aria-selected", row === chosen);
    this.enterAt(chosen ?? this.entry);
    this.entry?.scrollIntoView({ block: "nearest" });
  }
}
