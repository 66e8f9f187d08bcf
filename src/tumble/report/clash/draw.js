// WebGL: solid parts, ghosts, marked triangles, thick lines. Faces are flat: the normal is that of the drawn triangle.

const PART_VERTEX = `#version 300 es
precision highp float;
in vec3 corner;
uniform mat4 camera;
uniform vec3 low, size;
out vec3 place;
void main() {
  place = low + corner * size;
  gl_Position = camera * vec4(place, 1.0);
}`;

const PART_FRAGMENT = `#version 300 es
precision highp float;
in vec3 place;
uniform vec4 color;
uniform vec3 eye, up;
uniform float glow;
out vec4 shown;
void main() {
  vec3 toward = normalize(eye - place), normal = normalize(cross(dFdx(place), dFdy(place)));
  float facing = abs(dot(normal, toward)), sky = 0.5 + 0.5 * dot(normal, up) * sign(dot(normal, toward));
  float light = mix(0.34 + 0.44 * facing + 0.26 * sky, 1.0, glow);
  // what stands on edge stays visible in a ghost
  float alpha = color.a < 1.0 ? color.a * (0.55 + 1.6 * pow(1.0 - facing, 2.0)) : 1.0;
  shown = vec4(color.rgb * light * alpha, alpha);
}`;

const LINE_VERTEX = `#version 300 es
precision highp float;
in vec3 start, end;
in vec2 corner;
uniform mat4 camera;
uniform vec2 pixels;
uniform float width, lift;
out vec2 spot;
void main() {
  spot = vec2(2.0 * corner.x - 1.0, corner.y);
  vec4 a = camera * vec4(start, 1.0), b = camera * vec4(end, 1.0);
  vec2 way = (b.xy / b.w - a.xy / a.w) * pixels;
  way = length(way) > 0.0 ? normalize(way) : vec2(1.0, 0.0);
  vec4 at = mix(a, b, corner.x);
  vec2 aside = vec2(-way.y, way.x) * corner.y + way * (2.0 * corner.x - 1.0);
  gl_Position = vec4(at.xy + aside * width / pixels * at.w, at.z - lift * at.w, at.w);
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color;
uniform bool pin;
in vec2 spot;
out vec4 shown;
void main() {
  float from = length(spot), soft = fwidth(from);
  // a pin is a disc with a white rim
  float alpha = color.a * (pin ? 1.0 - smoothstep(1.0 - soft, 1.0, from) : 1.0);
  vec3 paint = pin ? mix(color.rgb, vec3(1.0), smoothstep(0.74 - soft, 0.74, from)) : color.rgb;
  shown = vec4(paint * alpha, alpha);
}`;

class Stage {
  constructor(canvas, data, bytes) {
    const options = { antialias: true, alpha: false, preserveDrawingBuffer: true };
    const gl = (this.gl = canvas.getContext("webgl2", options));
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.canvas = canvas;
    this.bytes = bytes;
    this.shapes = data.shapes;
    this.parts = data.parts;
    this.made = new Map();
    this.faces = new Map();
    this.part = this.program(PART_VERTEX, PART_FRAGMENT, ["corner"]);
    this.line = this.program(LINE_VERTEX, LINE_FRAGMENT, ["start", "end", "corner"]);
    this.ribbon = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.ribbon);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]), gl.STATIC_DRAW);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment, attributes) {
    const { gl } = this, made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    attributes.forEach((name, place) => gl.bindAttribLocation(made, place, name));
    gl.linkProgram(made);
    const uniforms = {};
    for (let k = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) - 1; k >= 0; k--) {
      const { name } = gl.getActiveUniform(made, k);
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
  }

  // The buffers of a shape, made when it is first drawn.
  shape(which) {
    if (!this.made.has(which)) {
      const { gl } = this, array = gl.createVertexArray(), corners = gl.createBuffer();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, corners);
      gl.bufferData(gl.ARRAY_BUFFER, shapeCorners(this.bytes, this.shapes[which]), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 3, gl.UNSIGNED_SHORT, true, 0, 0);
      const all = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, all);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.corners(which), gl.STATIC_DRAW);
      this.made.set(which, { array, all, some: gl.createBuffer() });
    }
    return this.made.get(which);
  }

  corners(which) {
    if (!this.faces.has(which)) this.faces.set(which, shapeFaces(this.bytes, this.shapes[which]));
    return this.faces.get(which);
  }

  begin(camera, size, background) {
    const { gl } = this;
    gl.viewport(0, 0, ...size);
    gl.clearColor(...background, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    this.size = size;
    this.matrix = camera.matrix(size[0] / size[1]);
    this.frame = camera.frame();
  }

  // Whether some of a part's box may be in the picture: its corners are not all beyond one of the four sides.
  inView({ low, size }) {
    const m = this.matrix, beyond = [0, 0, 0, 0];
    for (const [x, y, z] of boxCorners(low, size)) {
      const [right, up, , w] = [0, 1, 2, 3].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);
      [right < -w, right > w, up < -w, up > w].forEach((out, side) => { beyond[side] += out; });
    }
    return !beyond.includes(8);
  }

  // Parts in a colour; `triangles` draws only those of the part, a little in front of it.
  draw(parts, color, triangles, glow = 0) {
    const { gl } = this, { made, uniforms } = this.part, ghost = color[3] < 1;
    gl.useProgram(made);
    gl.uniformMatrix4fv(uniforms.camera, false, this.matrix);
    gl.uniform3fv(uniforms.eye, this.frame.eye);
    gl.uniform3fv(uniforms.up, this.frame.up);
    gl.uniform4fv(uniforms.color, color);
    gl.uniform1f(uniforms.glow, glow);
    (ghost ? gl.enable : gl.disable).call(gl, gl.BLEND);
    gl.depthMask(!ghost);
    if (triangles) { gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(-1, -4); }
    for (const which of parts.filter((one) => this.inView(this.parts[one]))) {
      const part = this.parts[which], shape = this.shape(part.shape);
      gl.bindVertexArray(shape.array);
      gl.uniform3fv(uniforms.low, part.low);
      gl.uniform3fv(uniforms.size, part.size);
      let count = 3 * this.shapes[part.shape].triangles;
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles ? shape.some : shape.all);
      if (triangles) {
        const all = this.corners(part.shape), some = new Uint32Array(3 * triangles.length);
        triangles.forEach((triangle, k) => some.set(all.subarray(3 * triangle, 3 * triangle + 3), 3 * k));
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, some, gl.DYNAMIC_DRAW);
        count = some.length;
      }
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  // Segments (start, end, start, end …) as ribbons of a width in pixels; hidden parts of them shine through faintly.
  // Pins are segments without a length.
  lines(segments, color, width, pin = false) {
    const { gl } = this, { made, uniforms } = this.line;
    if (!segments.length) return;
    gl.useProgram(made);
    gl.bindVertexArray(this.lineArray(segments));
    gl.uniformMatrix4fv(uniforms.camera, false, this.matrix);
    gl.uniform2f(uniforms.pixels, this.size[0] / 2, this.size[1] / 2);
    gl.uniform1f(uniforms.width, width);
    gl.uniform1i(uniforms.pin, pin);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const [test, alpha, lift] of [[gl.ALWAYS, pin ? 0.6 : 0.35, 0], [gl.LEQUAL, 1, 1e-4]]) {
      gl.depthFunc(test);
      gl.uniform1f(uniforms.lift, lift);
      gl.uniform4f(uniforms.color, ...color, alpha);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, segments.length / 6);
    }
    gl.depthFunc(gl.LESS);
  }

  lineArray(segments) {
    const { gl } = this;
    this.lineVertices ??= { array: gl.createVertexArray(), ends: gl.createBuffer() };
    const { array, ends } = this.lineVertices;
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, ends);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(segments), gl.DYNAMIC_DRAW);
    for (const place of [0, 1]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, 12 * place);
      gl.vertexAttribDivisor(place, 1);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.ribbon);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 2, gl.FLOAT, false, 0, 0);
    return array;
  }

  // Where a point is in the picture, in CSS pixels, or null behind the camera.
  project(point) {
    const m = this.matrix, w = m[3] * point[0] + m[7] * point[1] + m[11] * point[2] + m[15];
    if (w <= 0) return null;
    const [x, y] = [0, 1].map((r) => (m[r] * point[0] + m[r + 4] * point[1] + m[r + 8] * point[2] + m[r + 12]) / w);
    return [((1 + x) / 2) * this.canvas.clientWidth, ((1 - y) / 2) * this.canvas.clientHeight];
  }
}
