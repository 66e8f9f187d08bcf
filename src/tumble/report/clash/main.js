// Table, picture and the words beside it, put together.

async function open() {
  const root = document.documentElement, canvas = document.getElementById("picture"), label = document.getElementById("label");
  const chosen = { theme: "auto" };
  let view = null;

  const choose = (which) => {
    table.mark(which);
    document.getElementById("back").hidden = which === null;
    for (const one of document.querySelectorAll("[data-detail]")) one.hidden = Number(one.dataset.detail) !== which;
    document.getElementById("hint").hidden = which !== null;
    if (!view) return;
    if (which === null) view.overview();
    else view.select(which);
  };
  const table = new FindingTable(document.getElementById("findings"), choose, (pairs) => {
    if (!view) return;
    for (const [which, shown] of pairs) view.shown[which] = shown;
    view.ask();
  });
  table.mark(null);

  document.getElementById("back").addEventListener("click", () => choose(null));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(null); });
  document.getElementById("theme").addEventListener("click", () => {
    const dark = getComputedStyle(root).getPropertyValue("--dark").trim() === "1";
    chosen.theme = root.dataset.theme = dark ? "light" : "dark";
    if (view) { view.ask(); drawn.clear(); pictures(); }
  });

  const drawn = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const which = Number(target.closest("tr").dataset.finding);
      if (!isIntersecting || drawn.has(which) || !view) continue;
      drawn.add(which);
      view.picture(which, target);
    }
  }, { rootMargin: "200px" });
  const pictures = () => table.rows.forEach((row) => {
    const small = row.querySelector("canvas");
    watcher.unobserve(small);
    watcher.observe(small);
  });

  try {
    const bytes = await unpack(document.getElementById("data").textContent);
    const size = new DataView(bytes.buffer).getUint32(0, true);
    const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
    view = new View(canvas, data, bytes.subarray(4 + size));
  } catch (error) {
    document.getElementById("no-picture").textContent = `No 3D view: ${error.message}. The table has everything else.`;
    document.getElementById("no-picture").hidden = false;
    root.dataset.ready = "table";
    return;
  }
  const finding = () => (view.selected === null ? null : view.data.findings[view.selected]);
  view.painted = () => {
    const arrow = finding()?.arrow, at = arrow && view.stage.project(arrow[1]);
    label.hidden = !at;
    if (at) {
      label.textContent = finding().size;
      label.style.transform = `translate(${at[0] + 10}px, ${at[1] - 10}px)`;
    }
  };
  steer(canvas, view.camera, () => view.ask());
  let pressed = null;
  canvas.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
  canvas.addEventListener("click", (event) => {
    if (view.selected !== null || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    const box = canvas.getBoundingClientRect(), which = view.pick(event.clientX - box.left, event.clientY - box.top);
    if (which !== null) choose(which);
  });
  for (const name of ["solid", "alone"])
    document.getElementById(name).addEventListener("change", (event) => { view[name] = event.target.checked; view.ask(); });
  document.getElementById("fit").addEventListener("click", () =>
    view.selected === null ? view.overview() : view.select(view.selected));
  new ResizeObserver(() => view.ask()).observe(canvas);
  addEventListener("beforeprint", () => { table.rows.forEach((row) => {
    const which = Number(row.dataset.finding);
    if (!drawn.has(which)) { drawn.add(which); view.picture(which, row.querySelector("canvas")); }
  }); });
  pictures();
  globalThis.clashView = view;
  root.dataset.ready = "all";
}

open();
