import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { unarmor } from '../../format/armor.ts';
import { parseEnvelope } from '../../format/envelope.ts';
import type { Header } from '../../format/header.ts';
import { openMessage } from '../../format/message.ts';
import type { Purpose } from '../../format/purpose.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { asciiText } from '../ascii.ts';
import { pageCall, type PageCall } from '../callers.ts';
import { needsKey } from '../errors.ts';
import type { Flights } from '../flights.ts';
import type { Grant } from '../grant-decisions.ts';
import type { Grants } from '../grants.ts';

interface Parts {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly flights: Flights;
}

/** Pages open what pages sealed. Form fields, sync, vault and backup have doors of their own. */
const PAGE_PURPOSES: readonly Purpose[] = ['page', 'stream'];

export function openMethods(parts: Parts): Pick<Implementations, 'open' | 'openText'> {
  return {
    open: ({ sealed, context }, call) => opened(() => sealed, context, call, parts),
    openText: ({ armored, context }, call) =>
      opened(() => unarmor(asciiText(armored)), context, call, parts),
  };
}

/**
 * In this order (architecture.md section 5): may this page open anything at all; lengths, version,
 * suite, flags; purpose; key; the grant for that key, one use of it; context, commitment, chunks.
 */
async function opened(
  message: () => Uint8Array,
  associatedData: Uint8Array | undefined,
  call: Call,
  { grants, keyRing, flights }: Parts,
): Promise<Uint8Array> {
  const page = pageCall(call);
  await grants.requireAnyKey({ scope: page.scope, capability: 'open' }, page.id);
  const sealed = message();
  const { header } = parseEnvelope(sealed, sealed.length);
  requirePageMessage(header);
  const { purpose, headerKeyId: keyId } = header;
  const ref = await keyRing.refOfHeaderKeyId(keyId, page.origin);
  const grant = await useFor(ref, header, page, grants);
  const { origin } = page;
  const onProgress = (done: number, total: number) => call.progress(done, total);
  return flights.run(grant.id, call.signal, async (signal) => {
    // Only now: a key that is not granted must not cost more than one that is not there.
    const material = await keyRing.openingMaterial(keyId, origin);
    if (material === undefined) throw needsKey(toBase64url(keyId));
    const { key } = material;
    try {
      const bound = { key, keyId, purpose, origin, associatedData };
      return await openMessage({ ...bound, signal, onProgress }, sealed);
    } finally {
      wipe(key);
    }
  });
}

/** A message with recipients could be from anyone; opening those comes with sharing. */
function requirePageMessage({ purpose, flags }: Header): void {
  if (!PAGE_PURPOSES.includes(purpose) || flags.recipients) throw new AuthenticationError();
}

/** A key that is unknown is looked for among the grants all the same, and ends in the same error. */
async function useFor(
  ref: string | undefined,
  header: Header,
  { scope, id }: PageCall,
  grants: Grants,
): Promise<Grant> {
  try {
    return await grants.use({ scope, ref: ref ?? '', capability: 'open' }, id);
  } catch (error) {
    const isUnknown = error instanceof SealwrightError && error.code === 'NOT_GRANTED';
    throw isUnknown ? needsKey(toBase64url(header.headerKeyId)) : error;
  }
}
