import { utf8 } from '../crypto/bytes.ts';
import { defaultRegistry } from '../engine/default-engines.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import { SyncEngine } from '../sync/sync-engine.ts';
import { SyncError } from '../sync/errors.ts';
import { openLegacyExport } from '../sync/legacy/export.ts';
import type { Group } from './contract.ts';
import { seeded } from './seeded.ts';

/** Accounts of Weave's storage 1 to 3 (old Firefox Sync). */
export function operations(loadWasm: LoadWasm): Group<'weave'> {
  const registry = defaultRegistry({ loadWasm });
  const ready = registry.ready().then(() => registry);
  const engine = new SyncEngine(() => ready);
  return {
    async 'weave.open'({ secrets, params }) {
      const [algorithms, power] = await Promise.all([engine.algorithms(), engine.power()]);
      const deps = { algorithms, power, random: seeded(secrets.seed) };
      try {
        const opened = await openLegacyExport(params.text, secrets.passphrase, deps);
        // Shorter than what it was in, however it is indented.
        return utf8(`${JSON.stringify(opened, null, 2)}\n`);
      } catch (error) {
        throw error instanceof SyncError ? new TypeError(error.message) : error;
      }
    },
  };
}
