import { utf8 } from '../crypto/bytes.ts';
import { defaultRegistry } from '../engine/default-engines.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { InputOf } from '../rpc/workshop.ts';
import { SyncEngine } from '../sync/sync-engine.ts';
import { SyncError } from '../sync/errors.ts';
import { openLegacyExport } from '../sync/legacy/export.ts';
import { seeded } from './seeded.ts';

/**
 * Opens an account of Weave's storage 1 to 3 (old Firefox Sync).
 *
 * @returns JSON
 */
export async function openAccount(
  text: string,
  { passphrase, seed }: InputOf<'json.open'>['secrets'],
  loadWasm: LoadWasm,
): Promise<Uint8Array<ArrayBuffer>> {
  const registry = defaultRegistry({ loadWasm });
  await registry.ready();
  const engine = new SyncEngine(() => Promise.resolve(registry));
  const [algorithms, power] = await Promise.all([engine.algorithms(), engine.power()]);
  const deps = { algorithms, power, random: seeded(seed) };
  try {
    const opened = await openLegacyExport(text, passphrase, deps);
    // Shorter than what it was in, however it is indented.
    return utf8(`${JSON.stringify(opened, null, 2)}\n`);
  } catch (error) {
    throw error instanceof SyncError ? new TypeError(error.message) : error;
  }
}
