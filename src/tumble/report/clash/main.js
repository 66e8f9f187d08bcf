// Table, picture and the words beside it, put together.

async function open() {
  const root = document.documentElement;
  const canvas = document.getElementById("picture"), label = document.getElementById("label");
  let view = null, selected = null;

  const choose = (which) => {
    if (which !== selected) table.mark(which);
    selected = which;
    for (const tool of document.querySelectorAll(".of-finding")) tool.hidden = which === null;
    for (const one of document.querySelectorAll("[data-detail]")) one.hidden = Number(one.dataset.detail) !== which;
    document.getElementById("hint").hidden = which !== null;
    // on a phone the picture is above the table, and may be out of sight
    if (which !== null) document.querySelector(".stage").scrollIntoView({ block: "nearest" });
    if (!view) return;
    if (which === null) view.overview();
    else view.select(which);
  };
  const table = new FindingTable(document.getElementById("findings"), choose, (pairs) => {
    if (!view) return;
    for (const [which, shown] of pairs) view.shown[which] = shown;
    view.ask();
  });

  document.getElementById("back").addEventListener("click", () => choose(null));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(null); });
  document.getElementById("theme").addEventListener("click", () => {
    const dark = getComputedStyle(root).getPropertyValue("--dark").trim() === "1";
    root.dataset.theme = dark ? "light" : "dark";
    repaint();
  });

  // Small pictures are drawn when they come into sight, one in a frame, so that the page answers meanwhile.
  const drawn = new Set(), waiting = [];
  const drawNext = () => {
    if (!waiting.length) return;
    view.picture(...waiting.shift());
    requestAnimationFrame(drawNext);
  };
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const which = Number(target.closest("tr").dataset.finding);
      if (!isIntersecting || drawn.has(which) || !view) continue;
      drawn.add(which);
      if (waiting.push([which, target]) === 1) requestAnimationFrame(drawNext);
    }
  }, { rootMargin: "200px" });
  const pictures = () => table.rows.forEach((row) => {
    const small = row.querySelector("canvas");
    watcher.unobserve(small);
    watcher.observe(small);
  });
  const repaint = () => {
    if (!view) return;
    view.ask();
    drawn.clear();
    pictures();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

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
  if (selected !== null) view.select(selected);  // before the picture was there
  const finding = () => (view.selected === null ? null : view.data.findings[view.selected]);
  view.painted = () => {
    const arrow = finding()?.arrow, at = arrow && view.stage.project(arrow[1]);
    label.hidden = !at;
    if (at) {
      label.textContent = finding().size;
      const [right, bottom] = [canvas.clientWidth - label.offsetWidth, canvas.clientHeight - label.offsetHeight];
      const [x, y] = [Math.min(at[0] + 12, right - 4), Math.min(at[1] - 40, bottom - 4)];
      label.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
    }
    root.dataset.ready = "all";
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
    document.getElementById(name).addEventListener("change", (event) => {
      view[name] = event.target.checked;
      view.ask();
    });
  document.getElementById("fit").addEventListener("click", () =>
    view.selected === null ? view.overview() : view.select(view.selected));
  new ResizeObserver(() => { if (view.resized()) view.ask(); }).observe(canvas);
  addEventListener("beforeprint", () => {
    for (const row of table.rows) {
      const which = Number(row.dataset.finding);
      if (!drawn.has(which)) waiting.push([which, row.querySelector("canvas")]);
      drawn.add(which);
    }
    while (waiting.length) view.picture(...waiting.shift());
  });
  pictures();
}

open();
