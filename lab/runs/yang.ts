import type { CardFacts } from '../result.ts';
import { PACKETS } from '../tasks.ts';
import { messageCalls } from './aes-tasks.ts';
import { OURS, type MakeTrial, type Plan } from './trial.ts';

const packet =
  (bytes: number): MakeTrial =>
  async (surroundings) => ({
    size: bytes,
    calls: await messageCalls(surroundings, 'AES-128-ECB', bytes, [...OURS, 'webgl', 'webgpu']),
  });

/** Names of rasterizers that run on the processor: Chromium's, Mesa's, Windows'. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|software|basic render/i;

/** What the browser tells of its graphics cards. */
export async function cardsHere(): Promise<readonly CardFacts[]> {
  const [webgl, webgpu] = [webglName(), await webgpuName()];
  return [
    ...(webgl === undefined ? [] : [factsOf('webgl', webgl)]),
    ...(webgpu === undefined ? [] : [factsOf('webgpu', webgpu)]),
  ];
}

function factsOf(engine: CardFacts['engine'], name: string): CardFacts {
  return { engine, ...(name !== '' && { name }), isSoftware: SOFTWARE.test(name) };
}

/** @returns undefined without WebGL2, '' where the browser does not tell */
function webglName(): string | undefined {
  if (!('OffscreenCanvas' in globalThis)) return undefined;
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (gl === null) return undefined;
  const named = gl.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return typeof name === 'string' ? name : '';
}

/** @returns undefined without WebGPU, '' where the browser does not tell */
async function webgpuName(): Promise<string | undefined> {
  const { navigator } = globalThis as { navigator?: { readonly gpu?: GPU } };
  const adapter = await navigator?.gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return undefined;
  const { vendor, architecture, device, description } = adapter.info;
  return [vendor, architecture, device, description].filter((part) => part !== '').join(' ');
}

/** The work of 2013: AES on a graphics card by packet size, beside the processor. */
export const YANG_PLAN: Plan = { trials: () => PACKETS.map(packet), cards: cardsHere };
