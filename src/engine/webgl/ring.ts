import { MASKS, type Batch, type Slice } from '../gpu/batch.ts';
import { WrongBlockError } from '../gpu/card.ts';
import { STARTS_WIDTH } from './shaders.ts';

/** A context, and its program for the batch's operation. */
export interface Program {
  readonly gl: WebGL2RenderingContext;
  readonly program: WebGLProgram;
}

/** While one slice is uploaded, another is computed and a third is read back. */
const SLOTS = 3;
const WIDTH = 1024;
/** The round keys of AES-256: 15, in two vectors each. */
const KEY_WORDS = 8 * 15;

/**
 * Runs the slices of a batch over textures: a slice is read back while later ones are uploaded and computed.
 * At its end what they hold is overwritten, and they are deleted.
 *
 * @param most blocks of a slice
 */
export async function runOverTextures(on: Program, batch: Batch, most: number): Promise<void> {
  const { gl, program } = on;
  const slices = batch.slices(most);
  const blocks = Math.max(...slices.map((slice) => slice.blocks));
  const messages = Math.max(...slices.map((slice) => slice.messages));
  const slots: Slot[] = [];
  gl.useProgram(program);
  const keys = gl.getUniformLocation(program, 'keys');
  const masks = gl.getUniformLocation(program, 'masks');
  const planes = new Uint32Array(KEY_WORDS);
  planes.set(batch.key.planes);
  gl.uniform4uiv(keys, planes);
  planes.fill(0);
  gl.uniform4uiv(masks, batch.masks);
  try {
    for (let i = 0; i < Math.min(SLOTS, slices.length); i++) {
      slots.push(new Slot(on, blocks, messages));
    }
    for (const [i, slice] of slices.entries()) {
      const slot = slots[i % slots.length]!;
      await slot.end();
      slot.begin(batch, slice);
    }
    // In the order in which they began.
    for (let i = 0; i < slots.length; i++) {
      await slots[(slices.length + i) % slots.length]!.end();
    }
  } finally {
    for (const slot of slots) slot.delete();
    gl.useProgram(program);
    gl.uniform4uiv(keys, planes);
    gl.uniform4uiv(masks, new Uint32Array(4 * MASKS));
    gl.flush();
  }
}

/** The textures and the buffer of one slice. */
class Slot {
  readonly #on: Program;
  readonly #width: number;
  /** Of half a slice. */
  readonly #rows: number;
  readonly #startRows: number;
  readonly #blocks: WebGLTexture;
  readonly #starts: WebGLTexture;
  readonly #results: readonly WebGLTexture[];
  readonly #frame: WebGLFramebuffer;
  readonly #download: WebGLBuffer;
  /** The slice's data, and later its results. */
  readonly #room: Uint8Array<ArrayBuffer>;
  #running: { readonly batch: Batch; readonly slice: Slice; readonly sync: WebGLSync } | undefined;

  constructor(on: Program, blocks: number, messages: number) {
    const { gl } = on;
    const half = Math.ceil(blocks / 2);
    this.#on = on;
    this.#width = Math.min(half, WIDTH);
    this.#rows = Math.ceil(half / this.#width);
    this.#startRows = Math.ceil((2 * messages) / STARTS_WIDTH);
    this.#blocks = integers(gl, this.#width, 2 * this.#rows);
    this.#starts = integers(gl, STARTS_WIDTH, this.#startRows);
    this.#results = [0, 1].map(() => integers(gl, this.#width, this.#rows));
    this.#frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    const targets = this.#results.map((texture, i) => {
      const target = gl.COLOR_ATTACHMENT0 + i;
      gl.framebufferTexture2D(gl.FRAMEBUFFER, target, gl.TEXTURE_2D, texture, 0);
      return target;
    });
    gl.drawBuffers(targets);
    this.#room = new Uint8Array(32 * this.#width * this.#rows);
    this.#download = gl.createBuffer();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#download);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, this.#room.length, gl.STREAM_READ);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    check(gl);
  }

  /** Uploads the slice, computes it, and has its results copied to where they can be read. */
  begin(batch: Batch, slice: Slice): void {
    const { gl, program } = this.#on;
    const place = (name: string) => gl.getUniformLocation(program, name);
    batch.load(slice, this.#room);
    gl.useProgram(program);
    const starts = new Uint32Array(4 * STARTS_WIDTH * this.#startRows);
    starts.set(batch.starts(slice));
    fill(gl, { unit: 1, texture: this.#starts, width: STARTS_WIDTH, words: starts });
    const words = new Uint32Array(this.#room.buffer);
    fill(gl, { unit: 0, texture: this.#blocks, width: this.#width, words });
    gl.uniform1i(place('blocks'), 0);
    gl.uniform1i(place('starts'), 1);
    gl.uniform1ui(place('rounds'), batch.key.rounds);
    gl.uniform1ui(place('first'), slice.first);
    gl.uniform1ui(place('perMessage'), batch.perMessage);
    gl.uniform1i(place('width'), this.#width);
    gl.uniform1i(place('rows'), this.#rows);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    gl.viewport(0, 0, this.#width, this.#rows);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#download);
    for (const i of this.#results.keys()) {
      gl.readBuffer(gl.COLOR_ATTACHMENT0 + i);
      const offset = i * 16 * this.#width * this.#rows;
      const size = [this.#width, this.#rows] as const;
      gl.readPixels(0, 0, ...size, gl.RGBA_INTEGER, gl.UNSIGNED_INT, offset);
    }
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    if (sync === null) throw lost();
    this.#running = { batch, slice, sync };
  }

  /** Waits for the slice that began last, if there is one, and stores its results. */
  async end(): Promise<void> {
    if (this.#running === undefined) return;
    const { gl } = this.#on;
    const { batch, slice, sync } = this.#running;
    this.#running = undefined;
    await passed(gl, sync);
    gl.deleteSync(sync);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#download);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.#room, 0, 16 * slice.blocks);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    check(gl);
    const picked = Math.floor(Math.random() * slice.blocks);
    if (!batch.agrees(slice, this.#room, picked)) throw new WrongBlockError();
    batch.store(slice, this.#room);
  }

  /** Overwrites what is on the card, and frees it. */
  delete(): void {
    const { gl } = this.#on;
    this.#room.fill(0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    const nothing = new Uint32Array(4);
    for (const i of this.#results.keys()) gl.clearBufferuiv(gl.COLOR, i, nothing);
    const words = new Uint32Array(this.#room.buffer);
    fill(gl, { unit: 0, texture: this.#blocks, width: this.#width, words });
    const starts = new Uint32Array(4 * STARTS_WIDTH * this.#startRows);
    fill(gl, { unit: 1, texture: this.#starts, width: STARTS_WIDTH, words: starts });
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#download);
    gl.bufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.#room);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    if (this.#running) gl.deleteSync(this.#running.sync);
    gl.deleteFramebuffer(this.#frame);
    gl.deleteBuffer(this.#download);
    for (const texture of [this.#blocks, this.#starts, ...this.#results]) {
      gl.deleteTexture(texture);
    }
  }
}

/** A texture of four words of 32 bits for each texel. */
function integers(gl: WebGL2RenderingContext, width: number, height: number): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32UI, width, height);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
    gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  }
  return texture;
}

interface Filling {
  readonly unit: number;
  readonly texture: WebGLTexture;
  readonly width: number;
  /** Whole rows. */
  readonly words: Uint32Array<ArrayBuffer>;
}

function fill(gl: WebGL2RenderingContext, { unit, texture, width, words }: Filling): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const size = [width, words.length / (4 * width)] as const;
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ...size, gl.RGBA_INTEGER, gl.UNSIGNED_INT, words);
}

/** Waits without blocking: WebGL has no event for it. */
async function passed(gl: WebGL2RenderingContext, sync: WebGLSync): Promise<void> {
  for (;;) {
    const status = gl.clientWaitSync(sync, 0, 0);
    if (status === gl.ALREADY_SIGNALED || status === gl.CONDITION_SATISFIED) return;
    if (status === gl.WAIT_FAILED || gl.isContextLost()) throw lost();
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
}

/** @throws what the card reports: otherwise results would be those of an earlier slice */
function check(gl: WebGL2RenderingContext): void {
  const error = gl.getError();
  if (error === gl.NO_ERROR) return;
  if (error === gl.CONTEXT_LOST_WEBGL) throw lost();
  const name = error === gl.OUT_OF_MEMORY ? 'out of memory' : `error 0x${error.toString(16)}`;
  throw new Error(`WebGL: ${name}`);
}

function lost(): Error {
  return new Error('the context was lost');
}
