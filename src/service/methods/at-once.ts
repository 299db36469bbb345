import { wipe } from '../../crypto/bytes.ts';
import { armor, unarmor } from '../../format/armor.ts';
import { parseEnvelope } from '../../format/envelope.ts';
import { MessageOpener } from '../../format/message-opener.ts';
import { MessageSealer } from '../../format/message-sealer.ts';
import type { AtOnce, Call } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods.ts';
import { asciiBytes, asciiText } from '../ascii.ts';
import { pageCall } from '../callers.ts';
import type { OpenParts } from './open.ts';
import type { SealParts } from './seal.ts';
import { requirePageMessage } from './under-grant.ts';

/*
 * Small messages under keys that are at hand, sealed and opened in the turn in which the call came:
 * a step between promises costs more than the cipher. The doors are those of under-grant.ts, in the
 * same order. Where one cannot be passed without waiting, or a grant says no, the answer is
 * undefined, and the call begins anew on the usual way, which tells why.
 *
 * No flight is needed: a lock or a revocation comes before such work, or after it.
 */
type Parts = SealParts & OpenParts;

export function messagesAtOnce(parts: Parts): AtOnce {
  return {
    seal: ({ plaintext, ...options }, call) => sealed(plaintext, options, call, parts),
    sealText: ({ text, ...options }, call) => {
      const message = sealed(text, options, call, parts);
      return message && asciiBytes(armor(message));
    },
    open: ({ sealed: message, ...options }, call) => {
      const read = (): Uint8Array => message;
      return opened({ bytes: message.length, read }, options, call, parts);
    },
    openText: ({ armored, ...options }, call) => {
      const read = (): Uint8Array => unarmor(asciiText(armored));
      return opened({ bytes: armored.length, read }, options, call, parts);
    },
  };
}

function sealed(
  plaintext: Uint8Array,
  { key: keyId, to, toSelf, portable = false, context, pad }: Omit<ParamsOf<'seal'>, 'plaintext'>,
  call: Call,
  { grants, hedge, keyRing, messageCrypto }: Parts,
): Uint8Array | undefined {
  const crypto = messageCrypto.knownForBytes(plaintext.length);
  const salts = hedge.knownSalts();
  if (!crypto || !salts || to || toSelf || call.isFollowed) return undefined;
  const { scope, origin, id } = pageCall(call);
  const ref = keyId === undefined ? 'app' : keyRing.knownRefOf(keyId, origin);
  if (ref === undefined || (portable && ref === 'app')) return undefined;
  if (!grants.useOfKnown({ scope, ref, capability: 'seal' }, id)) return undefined;
  const material = keyRing.knownSealingMaterial(ref, origin);
  if (!material) return undefined;
  const bound = portable ? undefined : origin;
  const what = {
    ...material,
    purpose: 'page',
    origin: bound,
    associatedData: context,
    pad,
  } as const;
  const sealer = new MessageSealer(what, crypto, salts);
  try {
    return sealer.seal(plaintext);
  } finally {
    wipe(material.key);
    sealer.wipe();
  }
}

function opened(
  { bytes, read }: { readonly bytes: number; readonly read: () => Uint8Array },
  { context: associatedData, accept }: Omit<ParamsOf<'open'>, 'sealed'>,
  call: Call,
  { grants, keyRing, messageCrypto }: Parts,
): Uint8Array | undefined {
  const crypto = messageCrypto.knownForBytes(bytes);
  if (!crypto || call.isFollowed) return undefined;
  const { scope, origin, id } = pageCall(call);
  if (!grants.allowsAnyKnown({ scope, capability: 'open' })) return undefined;
  const message = read();
  const { header } = parseEnvelope(message, message.length);
  requirePageMessage(header, accept);
  if (header.flags.recipients) return undefined;
  const { headerKeyId: keyId, purpose } = header;
  const ref = keyRing.knownRefOfHeaderKeyId(keyId, origin);
  if (ref === undefined || !grants.useOfKnown({ scope, ref, capability: 'open' }, id)) {
    return undefined;
  }
  const material = keyRing.knownOpeningMaterial(keyId, origin);
  if (!material) return undefined;
  const opener = new MessageOpener({ ...material, keyId, purpose, origin, associatedData }, crypto);
  try {
    return opener.open(message);
  } finally {
    wipe(material.key);
    opener.wipe();
  }
}
