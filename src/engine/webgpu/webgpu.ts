/**
 * The engine `webgpu`: AES on a graphics card by the compute shaders of WebGPU, in pages and workers. Used
 * only where the caller asks for it.
 *
 * Key and data are in memory of the card while a call runs. They are overwritten and freed at its end, but
 * the card's driver, other programs on the card and crash dumps are outside of what this code can promise.
 */
import type { CardOptions, Engine } from '../contract.ts';
import type { Card } from '../gpu/card.ts';
import type { Batch, Operation } from '../gpu/batch.ts';
import { engineOnCard } from '../gpu/engine-on-card.ts';
import { webGpuShader } from './kernel.ts';
import { runOverRing, type Pipeline } from './ring.ts';

export { breakEven } from '../gpu/break-even.ts';

/** Options for tests. */
export interface WebGpuOptions extends CardOptions {
  /** Default: `navigator.gpu`. */
  readonly gpu?: GPU;
  /** Bytes of a slice; a multiple of 32. */
  readonly sliceBytes?: number;
}

/** Long enough that a dispatch is worth its fixed cost; far below the limits of every card. */
const SLICE_BYTES = 0x40_0000;
/** The browser tells of a loss after the calls that it ended. */
const LOSS_MS = 200;
const COMPUTE = 4;

/** AES-ECB, AES-CTR and AES-GCM on a graphics card, by WebGPU. */
export function cardEngine(options: WebGpuOptions): Engine {
  const { gpu = navigator.gpu, sliceBytes = SLICE_BYTES } = options;
  return engineOnCard('webgpu', options, async (end) => {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (adapter === null) return 'the browser offers no graphics card to WebGPU';
    const device = await adapter.requestDevice();
    void device.lost.then((info) => end(lossText(info)));
    return new WebGpuCard(device, sliceBytes / 16);
  });
}

class WebGpuCard implements Card {
  readonly #device: GPUDevice;
  readonly #sliceBlocks: number;
  readonly #layout: GPUBindGroupLayout;
  readonly #module: GPUShaderModule;
  readonly #pipelines = new Map<Operation, Promise<GPUComputePipeline>>();

  constructor(device: GPUDevice, sliceBlocks: number) {
    this.#device = device;
    this.#sliceBlocks = sliceBlocks;
    this.#module = device.createShaderModule({ code: webGpuShader() });
    const types = ['storage', 'uniform', 'read-only-storage'] as const;
    this.#layout = device.createBindGroupLayout({
      entries: types.map((type, binding) => ({
        binding,
        visibility: COMPUTE,
        buffer: { type },
      })),
    });
  }

  async run(batch: Batch): Promise<void> {
    // A lost device may leave a promise that never settles.
    await Promise.race([this.#run(batch), this.#device.lost.then(throwLoss)]);
  }

  async lossOf(): Promise<string | undefined> {
    const later = new Promise<undefined>((resolve) => {
      setTimeout(resolve, LOSS_MS, undefined);
    });
    const info = await Promise.race([this.#device.lost, later]);
    return info && lossText(info);
  }

  close(): void {
    this.#device.destroy();
  }

  async #run(batch: Batch): Promise<void> {
    const on: Pipeline = {
      device: this.#device,
      layout: this.#layout,
      pipeline: await this.#pipeline(batch.operation),
    };
    await runOverRing(on, batch, this.#sliceBlocks);
  }

  #pipeline(operation: Operation): Promise<GPUComputePipeline> {
    const known = this.#pipelines.get(operation);
    if (known !== undefined) return known;
    const layout = this.#device.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
    const compute = { module: this.#module, entryPoint: operation };
    const made = this.#device.createComputePipelineAsync({ layout, compute });
    this.#pipelines.set(operation, made);
    return made;
  }
}

function throwLoss(info: GPUDeviceLostInfo): never {
  throw new Error(lossText(info));
}

function lossText({ reason, message }: GPUDeviceLostInfo): string {
  return `the graphics card was lost (${reason})${message === '' ? '' : `: ${message}`}`;
}
