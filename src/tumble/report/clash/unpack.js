// The meshes of the page: base64 → deflate → planes of bytes → differences → corners and triangles. See geometry.py.

async function unpack(text) {
  const letters = atob(text.trim()), packed = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) packed[k] = letters.charCodeAt(k);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// corners: (3 × n) 16-bit steps along the box, axis by axis in the file, corner by corner here
function shapeCorners(bytes, shape) {
  const n = shape.corners, values = new Uint16Array(3 * n);
  for (let axis = 0; axis < 3; axis++) {
    let last = 0;
    for (let k = 0; k < n; k++) {
      const at = shape.start + axis * n + k;
      last = (last + bytes[at] + 256 * bytes[at + 3 * n]) & 0xffff;
      values[3 * k + axis] = last;
    }
  }
  return values;
}

function shapeFaces(bytes, shape) {
  const n = 3 * shape.triangles, start = shape.start + 6 * shape.corners, values = new Uint32Array(n);
  let last = 0;
  for (let k = 0; k < n; k++) {
    const code = (bytes[start + k] | (bytes[start + n + k] << 8) | (bytes[start + 2 * n + k] << 16)
      | (bytes[start + 3 * n + k] << 24)) >>> 0;
    last += code & 1 ? -((code >>> 1) + 1) : code >>> 1;
    values[k] = last;
  }
  return values;
}
