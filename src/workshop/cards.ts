import { absentEngine, type DefaultRegistryOptions } from '../engine/default-engines.ts';
import { cardEngine as webgl } from '../engine/webgl/webgl.ts';
import { cardEngine as webgpu } from '../engine/webgpu/webgpu.ts';

const OFF = 'off: it is switched on in the settings, and used where the self-test finds it faster';

/**
 * The engines on a graphics card. A registry asks for them when it is probed.
 *
 * @param isWanted whether the card may be touched at all
 */
export function cardsIf(
  isWanted: () => Promise<boolean>,
): NonNullable<DefaultRegistryOptions['cards']> {
  const load = (name: 'webgl' | 'webgpu', cardEngine: typeof webgl) => async () =>
    (await isWanted()) ? { cardEngine } : { cardEngine: () => absentEngine(name, OFF) };
  return { webgl: load('webgl', webgl), webgpu: load('webgpu', webgpu) };
}
