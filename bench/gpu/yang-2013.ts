/*
 * AES-128 in ECB as Yang, Guan, Zhu, Dong and Chen described it in 2013, for WebGL 1, whose shaders have no
 * integers and no XOR: the contender of its time. Rebuilt from their text ("Accelerating AES in JavaScript with
 * WebGL", sections 3 and 4), whose code is not published.
 *
 * - One texel of four bytes is a column of the state; four in a row are a block.
 * - Three programs: the first XOR, a round, the last round. A packet of any size is 1 + 9 + 1 = 11 passes, between
 *   two framebuffers in turns, and one read-back at the end.
 * - One T-table of 256 texels in a texture; the three others are rotations of what it gives.
 * - XOR is looked up by nibbles, twice for a byte, in a texture of 16 × 16.
 * - Texels are read at their centres. Key expansion is JavaScript's.
 */
import { Aes } from '../../src/crypto/aes/block.ts';
import { tables } from '../../src/crypto/aes/run.ts';

const ROUNDS = 10;
/** Passes of a packet. */
export const PASSES = 1 + (ROUNDS - 1) + 1;
/** Texels in a row of the state, a multiple of 4: every WebGL 1 has at least this many. */
const WIDTH = 2048;

const VERTICES = `
attribute vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }`;

/** What all fragments share. Bytes are numbers from 0 to 255, a texel has those of a column from the first on. */
const FRAGMENTS = `
precision highp float;
precision highp sampler2D;
uniform sampler2D state, keys, table, nibbles;
uniform vec2 size;
uniform float round;

vec4 bytesOf(vec4 texel) { return floor(255.0 * texel + 0.5); }

// a xor b of numbers from 0 to 15
vec4 xorNibbles(vec4 a, vec4 b) {
  return floor(255.0 * vec4(
    texture2D(nibbles, (vec2(a.x, b.x) + 0.5) / 16.0).a,
    texture2D(nibbles, (vec2(a.y, b.y) + 0.5) / 16.0).a,
    texture2D(nibbles, (vec2(a.z, b.z) + 0.5) / 16.0).a,
    texture2D(nibbles, (vec2(a.w, b.w) + 0.5) / 16.0).a) + 0.5);
}

vec4 xorBytes(vec4 a, vec4 b) {
  vec4 ha = floor(a / 16.0);
  vec4 hb = floor(b / 16.0);
  return 16.0 * xorNibbles(ha, hb) + xorNibbles(a - 16.0 * ha, b - 16.0 * hb);
}

float column() { return mod(floor(gl_FragCoord.x), 4.0); }

// Column i of this block, counted from this fragment's own
vec4 columnAfter(float i) {
  float first = floor(gl_FragCoord.x) - column();
  return bytesOf(texture2D(state, vec2(first + mod(column() + i, 4.0) + 0.5, gl_FragCoord.y) / size));
}

vec4 roundKey() { return bytesOf(texture2D(keys, vec2(column() + 0.5, round + 0.5) / vec2(4.0, 11.0))); }

// (2 S(x), S(x), S(x), 3 S(x))
vec4 lookUp(float x) { return bytesOf(texture2D(table, vec2((x + 0.5) / 256.0, 0.5))); }
`;

const BODIES = {
  first: 'xorBytes(columnAfter(0.0), roundKey())',
  round: `xorBytes(
    xorBytes(
      xorBytes(lookUp(columnAfter(0.0).x), lookUp(columnAfter(1.0).y).wxyz),
      xorBytes(lookUp(columnAfter(2.0).z).zwxy, lookUp(columnAfter(3.0).w).yzwx)),
    roundKey())`,
  last: `xorBytes(
    vec4(lookUp(columnAfter(0.0).x).y, lookUp(columnAfter(1.0).y).y,
         lookUp(columnAfter(2.0).z).y, lookUp(columnAfter(3.0).w).y),
    roundKey())`,
} as const;

type Step = keyof typeof BODIES;

/** Encrypts packets under one key. */
export class YangsAes {
  readonly #gl: WebGLRenderingContext;
  readonly #programs: Readonly<Record<Step, WebGLProgram>>;
  readonly #framebuffer: WebGLFramebuffer;
  #state: State | undefined;

  /**
   * @param gl a context of its own
   * @param key 16 bytes
   * @throws Error with what the compiler says where a shader is refused
   */
  constructor(gl: WebGLRenderingContext, key: Uint8Array) {
    this.#gl = gl;
    const program = (step: Step) =>
      programOf(gl, `${FRAGMENTS}\nvoid main() { gl_FragColor = ${BODIES[step]} / 255.0; }`);
    this.#programs = {
      first: program('first'),
      round: program('round'),
      last: program('last'),
    };
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const corners = Float32Array.of(-1, -1, 3, -1, -1, 3);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.#framebuffer = gl.createFramebuffer();
    const roundKeys = new Uint8Array(new Aes(key).keys[0].slice().buffer);
    textureAt(gl, 1, 4, ROUNDS + 1, gl.RGBA, roundKeys);
    textureAt(gl, 2, 256, 1, gl.RGBA, new Uint8Array(tables[0].slice(0, 256).buffer));
    const xors = Uint8Array.from({ length: 256 }, (_, i) => (i & 15) ^ (i >> 4));
    textureAt(gl, 3, 16, 16, gl.ALPHA, xors);
  }

  /**
   * @param packet whole blocks
   * @returns a new array
   */
  encrypt(packet: Uint8Array): Uint8Array {
    const gl = this.#gl;
    const { textures, width, height } = this.#stateFor(packet.length / 4);
    const texels = new Uint8Array(4 * width * height);
    texels.set(packet);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, textures[0]!);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    gl.viewport(0, 0, width, height);
    for (let round = 0; round < PASSES; round++) {
      const step = round === 0 ? 'first' : round === ROUNDS ? 'last' : 'round';
      const [from, to] = [textures[round & 1]!, textures[(round + 1) & 1]!];
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, to, 0);
      gl.bindTexture(gl.TEXTURE_2D, from);
      this.#use(this.#programs[step], round, width, height);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    return texels.subarray(0, packet.length);
  }

  #use(program: WebGLProgram, round: number, width: number, height: number): void {
    const gl = this.#gl;
    const place = (name: string) => gl.getUniformLocation(program, name);
    gl.useProgram(program);
    ['state', 'keys', 'table', 'nibbles'].forEach((name, unit) => gl.uniform1i(place(name), unit));
    gl.uniform2f(place('size'), width, height);
    gl.uniform1f(place('round'), round);
  }

  /** Two textures in turns, kept for packets of the same size. */
  #stateFor(texels: number): State {
    const width = Math.min(texels, WIDTH);
    const height = Math.ceil(texels / width);
    const known = this.#state;
    if (known?.width === width && known.height === height) return known;
    const gl = this.#gl;
    known?.textures.forEach((texture) => gl.deleteTexture(texture));
    const textures = [0, 1].map(() => textureAt(gl, 0, width, height, gl.RGBA, null));
    this.#state = { textures, width, height };
    return this.#state;
  }
}

interface State {
  readonly textures: readonly WebGLTexture[];
  /** In texels. */
  readonly width: number;
  readonly height: number;
}

/** A texture without filters at a unit, where it stays unless another is bound there. */
function textureAt(
  gl: WebGLRenderingContext,
  unit: number,
  width: number,
  height: number,
  format: GLenum,
  texels: Uint8Array | null,
): WebGLTexture {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, format, gl.UNSIGNED_BYTE, texels);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

function programOf(gl: WebGLRenderingContext, fragments: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTICES],
    [gl.FRAGMENT_SHADER, fragments],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (gl.getShaderParameter(shader, gl.COMPILE_STATUS) !== true) {
      throw new Error(gl.getShaderInfoLog(shader) ?? 'a shader is refused');
    }
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'corner');
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'a program is refused');
  }
  return program;
}
