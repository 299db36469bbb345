import { wipe } from '../../crypto/bytes.ts';
import { armor } from '../../format/armor.ts';
import { sealMessage } from '../../format/message.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods.ts';
import { asciiBytes } from '../ascii.ts';
import { pageCall } from '../callers.ts';
import type { Flights } from '../flights.ts';
import type { Grants } from '../grants.ts';
import type { Hedge } from '../hedge.ts';

interface Parts {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly flights: Flights;
  readonly hedge: Hedge;
}

type Options = Omit<ParamsOf<'seal'>, 'plaintext'>;

/** Consent, then one use, then work. */
export function sealMethods(parts: Parts): Pick<Implementations, 'seal' | 'sealText'> {
  return {
    seal: ({ plaintext, ...options }, call) => sealed(plaintext, options, call, parts),
    sealText: async ({ text, ...options }, call) =>
      asciiBytes(armor(await sealed(text, options, call, parts))),
  };
}

async function sealed(
  plaintext: Uint8Array,
  { key: keyId, context, pad, portable = false }: Options,
  call: Call,
  { grants, keyRing, flights, hedge }: Parts,
): Promise<Uint8Array> {
  const { scope, origin, id } = pageCall(call);
  // A key id that nobody has is treated like a key that is not granted: no grant names it.
  const ref = keyId === undefined ? 'app' : ((await keyRing.refOf(keyId, origin)) ?? '');
  if (portable && ref === 'app') {
    throw new SealwrightError('INVALID_ARGUMENT', 'portable: needs a key that the user picked');
  }
  const grant = await grants.use({ scope, ref, capability: 'seal' }, id);
  return flights.run(grant.id, call.signal, async (signal) => {
    const material = await keyRing.sealingMaterial(ref, origin);
    const salt = await hedge.salts();
    const onProgress = (done: number, total: number) => call.progress(done, total);
    const bound = { origin: portable ? undefined : origin, associatedData: context };
    const work = { pad, salt, signal, onProgress };
    try {
      return await sealMessage({ ...material, purpose: 'page', ...bound, ...work }, plaintext);
    } finally {
      wipe(material.key);
    }
  });
}
