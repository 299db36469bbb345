/**
 * The engine `webgl`: AES on a graphics card by fragment shaders of WebGL2, where there is no WebGPU. What
 * `webgpu.ts` says of secrets holds here too.
 */
import type { CardOptions, Engine } from '../contract.ts';
import type { Batch, Operation } from '../gpu/batch.ts';
import type { Card } from '../gpu/card.ts';
import { engineOnCard } from '../gpu/engine-on-card.ts';
import { runOverTextures } from './ring.ts';
import { fragmentShader, VERTEX_SHADER } from './shaders.ts';

export { breakEven } from '../gpu/break-even.ts';

/** Options for tests. */
export interface WebGlOptions extends CardOptions {
  /** Bytes of a slice; a multiple of 32. */
  readonly sliceBytes?: number;
}

/** 4 MiB: long enough that a draw call is worth its fixed cost. */
const SLICE_BYTES = 0x40_0000;
const LOST = 'the graphics card was lost (webglcontextlost)';

/** AES-ECB, AES-CTR and AES-GCM on a graphics card, by WebGL2 on an OffscreenCanvas. */
export function cardEngine(options: WebGlOptions): Engine {
  const { sliceBytes = SLICE_BYTES } = options;
  return engineOnCard('webgl', options, (end) => {
    const canvas = new OffscreenCanvas(1, 1);
    const gl = canvas.getContext('webgl2', { powerPreference: 'high-performance' });
    if (gl === null) return 'the browser offers no WebGL2';
    canvas.addEventListener('webglcontextlost', () => end(LOST));
    return new WebGlCard(gl, sliceBytes / 16);
  });
}

class WebGlCard implements Card {
  readonly #gl: WebGL2RenderingContext;
  readonly #sliceBlocks: number;
  readonly #programs = new Map<Operation, WebGLProgram>();

  constructor(gl: WebGL2RenderingContext, sliceBlocks: number) {
    this.#gl = gl;
    this.#sliceBlocks = sliceBlocks;
  }

  async run(batch: Batch): Promise<void> {
    const program = this.#programs.get(batch.operation) ?? linked(this.#gl, batch.operation);
    this.#programs.set(batch.operation, program);
    await runOverTextures({ gl: this.#gl, program }, batch, this.#sliceBlocks);
  }

  lossOf(): Promise<string | undefined> {
    return Promise.resolve(this.#gl.isContextLost() ? LOST : undefined);
  }

  /** A context has no other way to be freed at a certain time. */
  close(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}

/** @throws Error with the compiler's log */
function linked(gl: WebGL2RenderingContext, operation: Operation): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, fragmentShader(operation)],
  ] as const) {
    const shader = gl.createShader(type);
    // Of a lost context, which `linkProgram` tells.
    if (shader === null) break;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
    throw new Error(`WebGL: ${gl.getProgramInfoLog(program) ?? 'no program'}`);
  }
  return program;
}
