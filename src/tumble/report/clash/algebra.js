// Vectors are arrays of three numbers, matrices of sixteen, column by column, as WebGL takes them.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);
const unit = (a) => scaled(a, 1 / (length(a) || 1));
const mixed = (a, b, t) => add(scaled(a, 1 - t), scaled(b, t));

const boxCorners = (low, size) => [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
  [low[0] + (k & 1) * size[0], low[1] + ((k >> 1) & 1) * size[1], low[2] + (k >> 2) * size[2]]);

function product(a, b) {
  const result = new Float32Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) result[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return result;
}

function perspective(opening, aspect, near, far) {
  const f = 1 / Math.tan(opening / 2), depth = near - far;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0];
}

function looking(eye, frame) {
  const { right, up, back } = frame;
  return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}
