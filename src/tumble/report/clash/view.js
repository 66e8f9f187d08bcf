// What the picture shows: the whole assembly with a pin at each finding, or one finding with the rest as ghosts.

const A_COLOR = [0.2, 0.47, 0.85], B_COLOR = [0.93, 0.6, 0.17], CURVE = [0.87, 0.12, 0.18];
const KIND_COLORS = {
  apart: [0.93, 0.6, 0.17], crossing: [0.87, 0.16, 0.2], piercing: [0.87, 0.16, 0.2],
  inside: [0.62, 0.24, 0.75], duplicate: [0.62, 0.24, 0.75],
  too_close: [0.93, 0.6, 0.17], touching: [0.25, 0.6, 0.4], contact: [0.25, 0.6, 0.4],
};
const OTHER_KIND = [0.5, 0.53, 0.56], DARK_GHOST = [0.8, 0.87, 0.95], OVERVIEW = [-0.9, 0.5];
const GHOST = 0.05, PAIR = 0.22, HEAD = 0.28, PICK = 14, AROUND = 1.6;

class View {
  constructor(canvas, data, bytes) {
    this.stage = new Stage(canvas, data, bytes);
    this.data = data;
    this.camera = new Camera(data.radius);
    this.selected = null;
    this.shown = data.findings.map(() => true);
    this.solid = false;
    this.alone = false;
    this.overview();
    this.camera.land();
  }

  theme() {
    const style = getComputedStyle(this.stage.canvas);
    return style.getPropertyValue("--stage").trim().split(/\s+/).map((value) => value / 255);
  }

  scale() {
    return Math.min(2, devicePixelRatio);
  }

  size() {
    const { clientWidth, clientHeight } = this.stage.canvas;
    return [clientWidth, clientHeight].map((side) => Math.max(1, Math.round(side * this.scale())));
  }

  // Whether the canvas has another size than what was painted last.
  resized() {
    const { width, height } = this.stage.canvas, size = this.size();
    return width !== size[0] || height !== size[1];
  }

  // Draw before the next frame, once however often it is asked for.
  ask() {
    this.asked ??= requestAnimationFrame((now) => {
      this.asked = null;
      this.camera.step(now);
      this.paint();
      if (this.camera.flight) this.ask();
    });
  }

  paint() {
    const { canvas } = this.stage, scale = this.scale(), size = this.size();
    if (this.resized()) [canvas.width, canvas.height] = size;
    this.stage.begin(this.camera, size, this.theme());
    if (this.selected === null) this.drawAll(scale);
    else this.drawFinding(this.data.findings[this.selected], scale);
    this.painted?.();
    if (!this.camera.flight) this.tell(canvas.dataset);
  }

  // For tests and other programs that look at the page.
  tell(dataset) {
    const { target, distance, turn, tilt } = this.camera;
    dataset.camera = [...target, distance, turn, tilt].map((value) => value.toPrecision(5)).join(" ");
    if (this.selected === null) delete dataset.finding;
    else dataset.finding = this.selected;
  }

  drawAll(scale) {
    this.data.parts.forEach((part, k) => this.stage.draw([k], [...part.color, 1]));
    // faults last, so that nothing hides them
    for (const faults of [false, true])
      for (const [kind, points] of this.pins(faults))
        this.stage.lines(points, KIND_COLORS[kind] ?? OTHER_KIND, (faults ? 7 : 5) * scale, true);
  }

  // The places of findings that are shown, by kind, each as a segment without a length.
  pins(faults) {
    const pins = new Map();
    this.data.findings.forEach((finding, k) => {
      if (!this.shown[k] || !finding.point || finding.fails !== faults) return;
      if (!pins.has(finding.kind)) pins.set(finding.kind, []);
      pins.get(finding.kind).push(...finding.point, ...finding.point);
    });
    return pins;
  }

  drawFinding(finding, scale) {
    const { stage } = this, pair = [finding.a, finding.b];
    const others = this.data.parts.map((_, k) => k).filter((k) => !pair.includes(k));
    const sides = [[finding.a, A_COLOR, finding.triangles_a], [finding.b, B_COLOR, finding.triangles_b]];
    if (this.solid) for (const [part, color] of sides) stage.draw([part], [...color, 1]);
    for (const [part, color, triangles] of sides)
      if (triangles.length) stage.draw([part], [...color, 1], triangles, 0.35);
    if (!this.alone) stage.draw(others, [...(this.dark() ? DARK_GHOST : OTHER_KIND), GHOST]);
    if (!this.solid) for (const [part, color] of sides) stage.draw([part], [...color, PAIR]);
    stage.lines(finding.segments, CURVE, 1.6 * scale);
    if (finding.arrow) stage.lines(this.arrow(finding.arrow), this.ink(), 2 * scale);
  }

  dark() {
    return this.theme()[0] < 0.5;
  }

  ink() {
    return this.dark() ? [1, 1, 1] : [0.1, 0.1, 0.12];
  }

  // A shaft and four strokes of a head.
  arrow([from, to]) {
    const way = subtract(to, from), back = scaled(way, -HEAD), aside = unit(cross(way, this.camera.frame().back));
    const wing = scaled(aside, 0.5 * length(back));
    const strokes = [[from, to], [to, add(add(to, back), wing)], [to, subtract(add(to, back), wing)]];
    return strokes.flat(2);
  }

  aspect() {
    return this.stage.canvas.clientWidth / this.stage.canvas.clientHeight;
  }

  overview() {
    this.selected = null;
    this.camera.fly([0, 0, 0], Camera.roomForPoints(this.corners(), OVERVIEW, this.aspect()), OVERVIEW);
    this.ask();
  }

  // The corners of the boxes of all parts.
  corners() {
    return this.data.parts.flatMap(({ low, size }) => boxCorners(low, size));
  }

  select(which) {
    const finding = this.data.findings[which];
    this.selected = which;
    const aim = this.aimed(finding, this.aspect());
    this.camera.fly(aim.target, aim.distance, aim.angles);
    this.ask();
  }

  // Where to look: all of the finding in view, with some of what is around it, its arrow from the side.
  aimed(finding, aspect) {
    const [low, high] = finding.box, target = scaled(add(low, high), 0.5);
    const smaller = Math.min(...[finding.a, finding.b].map((k) => length(this.data.parts[k].size)));
    const least = Camera.room(Math.max(0.15 * smaller, this.data.radius / 1e4), aspect);
    const way = finding.arrow ? subtract(finding.arrow[1], finding.arrow[0]) : [0, 0, 1];
    const level = Math.hypot(way[0], way[1]) > 0.3 * length(way);
    const angles = [level ? Math.atan2(way[1], way[0]) - Math.PI / 2.4 : -0.9, 0.42];
    const around = boxCorners(subtract(low, target), subtract(high, low)).map((corner) => scaled(corner, AROUND));
    return { target, angles, distance: Math.max(least, Camera.roomForPoints(around, angles, aspect)) };
  }

  // The finding whose pin is under a point of the canvas, or null.
  pick(x, y) {
    let best = null, nearest = PICK;
    this.data.findings.forEach((finding, k) => {
      const at = this.shown[k] && finding.point && this.stage.project(finding.point);
      const away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (away < nearest) [best, nearest] = [k, away];
    });
    return best;
  }

  // A small picture of a finding, drawn beside what is on the screen.
  picture(which, canvas) {
    const { gl } = this.stage, [width, height] = [canvas.width, canvas.height], finding = this.data.findings[which];
    this.target ??= offscreen(gl, width, height);
    const camera = new Camera(this.data.radius), aim = this.aimed(finding, width / height);
    Object.assign(camera, { target: aim.target, distance: aim.distance });
    [camera.turn, camera.tilt] = aim.angles;
    const { size, matrix, frame } = this.stage;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    this.stage.begin(camera, [width, height], this.theme());
    this.drawFinding(finding, 1);
    const pixels = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const image = new ImageData(width, height);
    for (let y = 0; y < height; y++)
      image.data.set(pixels.subarray(4 * width * (height - 1 - y), 4 * width * (height - y)), 4 * width * y);
    canvas.getContext("2d").putImageData(image, 0, 0);
    Object.assign(this.stage, { size, matrix, frame });
  }
}

function offscreen(gl, width, height) {
  const target = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  const kinds = [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]];
  for (const [format, place] of kinds) {
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
  }
  return target;
}
