// A camera that turns around a point: z is up. It flies to where it is sent, unless the reader wants less motion.

const OPENING = 0.6, FLIGHT = 450, STILL = matchMedia("(prefers-reduced-motion: reduce)");

class Camera {
  constructor(radius) {
    Object.assign(this, { target: [0, 0, 0], distance: 3 * radius, turn: -0.9, tilt: 0.5, radius });
    this.flight = null;
  }

  static axes([turn, tilt]) {
    const back = [Math.cos(tilt) * Math.cos(turn), Math.cos(tilt) * Math.sin(turn), Math.sin(tilt)];
    const right = [-Math.sin(turn), Math.cos(turn), 0];
    return { back, right, up: cross(back, right) };
  }

  frame() {
    const axes = Camera.axes([this.turn, this.tilt]);
    return { ...axes, eye: add(this.target, scaled(axes.back, this.distance)) };
  }

  matrix(aspect) {
    const frame = this.frame(), reach = this.distance + length(this.target) + this.radius;
    // 24 bits of depth: near as far away as the view allows
    const near = Math.max(this.distance - length(this.target) - 1.01 * this.radius, this.distance / 200);
    return product(perspective(OPENING, aspect, near, 1.01 * reach), looking(frame.eye, frame));
  }

  // How far away a ball of this radius fills the smaller side of the picture.
  static room(radius, aspect) {
    return (1.15 * radius) / Math.sin(Math.atan(Math.tan(OPENING / 2) * Math.min(1, aspect)));
  }

  // How far away from the origin these points are in view.
  static roomForPoints(points, angles, aspect) {
    const { back, right, up } = Camera.axes(angles), high = Math.tan(OPENING / 2) / 1.15, wide = high * aspect;
    const needed = points.map((point) => {
      const [x, y] = [Math.abs(dot(right, point)), Math.abs(dot(up, point))];
      return dot(back, point) + Math.max(x / wide, y / high);
    });
    return needed.reduce((most, distance) => Math.max(most, distance), 1e-6);
  }

  fly(target, distance, angles) {
    const to = { target, distance, turn: angles ? angles[0] : this.turn, tilt: angles ? angles[1] : this.tilt };
    while (to.turn - this.turn > Math.PI) to.turn -= 2 * Math.PI;
    while (this.turn - to.turn > Math.PI) to.turn += 2 * Math.PI;
    if (STILL.matches) Object.assign(this, to);
    else this.flight = { from: { ...this.pose() }, to, start: performance.now() };
  }

  pose() {
    const { target, distance, turn, tilt } = this;
    return { target, distance, turn, tilt };
  }

  land() {
    if (this.flight) Object.assign(this, this.flight.to);
    this.flight = null;
  }

  // Move along the flight, if there is one.
  step(now) {
    if (!this.flight) return;
    const { from, to, start } = this.flight, t = Math.min(1, (now - start) / FLIGHT), s = t * t * (3 - 2 * t);
    this.target = mixed(from.target, to.target, s);
    this.distance = Math.exp(Math.log(from.distance) * (1 - s) + Math.log(to.distance) * s);
    this.turn = from.turn + (to.turn - from.turn) * s;
    this.tilt = from.tilt + (to.tilt - from.tilt) * s;
    if (t === 1) this.flight = null;
  }

  rotate(x, y) {
    this.flight = null;
    this.turn -= x;
    this.tilt = Math.max(-1.55, Math.min(1.55, this.tilt + y));
  }

  pan(x, y) {
    this.flight = null;
    const { right, up } = this.frame(), step = 2 * this.distance * Math.tan(OPENING / 2);
    this.target = add(this.target, add(scaled(right, -x * step), scaled(up, y * step)));
  }

  zoom(factor) {
    this.flight = null;
    this.distance = Math.max(this.radius / 1e5, Math.min(20 * this.radius, this.distance * factor));
  }
}

// Mouse, fingers and keys on a canvas; `moved` is called after each change.
function steer(canvas, camera, moved) {
  const fingers = new Map();
  let spread = 0;
  const pair = () => [...fingers.values()];
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    spread = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [x, y] = [event.clientX - before[0], event.clientY - before[1]], size = canvas.clientHeight;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) {
      const [a, b] = pair(), now = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread) camera.zoom(spread / now);
      spread = now;
      camera.pan(x / 2 / size, y / 2 / size);
    } else if (event.buttons === 2 || event.shiftKey) camera.pan(x / size, y / size);
    else camera.rotate((4 * x) / size, (4 * y) / size);
    moved();
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, (event) => { fingers.delete(event.pointerId); spread = 0; });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(event.deltaY / (event.deltaMode ? 30 : 600)));
    moved();
  }, { passive: false });
  const keys = {
    ArrowLeft: () => camera.rotate(-0.15, 0), ArrowRight: () => camera.rotate(0.15, 0),
    ArrowUp: () => camera.rotate(0, 0.12), ArrowDown: () => camera.rotate(0, -0.12),
    "+": () => camera.zoom(0.85), "=": () => camera.zoom(0.85), "-": () => camera.zoom(1.18),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
    moved();
  });
}
