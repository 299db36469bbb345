import type { KeyRing } from '../../keys/key-ring.ts';
import type { Vault } from '../../keys/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants.ts';
import { callIdOf } from '../journal.ts';
import { notedIn, noteIn, OWN_PAGES } from '../journal-record.ts';
import { surfaceKeys } from '../surface-views.ts';

interface Parts {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly now: () => number;
}

type KeyMethods = 'ui.keys' | 'ui.createKey' | 'ui.relabelKey';

export function surfaceKeyMethods(parts: Parts): Pick<Implementations, KeyMethods> {
  const { keyRing, grants } = parts;
  return {
    'ui.keys': () => surfaceKeys(keyRing, grants),
    async 'ui.createKey'({ label }, call) {
      const ref = await argumentChecked(created(label, call, parts));
      const keys = await surfaceKeys(keyRing, grants);
      return keys.find((key) => key.ref === ref)!;
    },
    async 'ui.relabelKey'({ ref, label }) {
      await argumentChecked(keyRing.relabel(ref, label));
      return {};
    },
  };
}

/** One key for each call, however often it is replayed. */
function created(label: string, call: Call, { vault, keyRing, now }: Parts): Promise<string> {
  const id = callIdOf(call);
  return vault.commit(async (draft) => {
    const before = await notedIn(draft, OWN_PAGES, id);
    if (before) return before.result as string;
    const { ref } = keyRing.addSealingKey(draft, label);
    await noteIn(draft, OWN_PAGES, { call: id, at: now(), result: ref });
    return ref;
  });
}
