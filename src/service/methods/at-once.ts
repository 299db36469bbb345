import { wipe } from '../../crypto/bytes.ts';
import { armorBytes, unarmor } from '../../format/armor.ts';
import { parseEnvelope } from '../../format/envelope.ts';
import type { ThreadCrypto } from '../../format/format-crypto.ts';
import { MessageOpener } from '../../format/message-opener.ts';
import { MessageSealer } from '../../format/message-sealer.ts';
import type { AtOnce, Call } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods.ts';
import { asciiText } from '../ascii.ts';
import { pageCall } from '../callers.ts';
import type { KnownSealers } from '../known-sealers.ts';
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
interface Parts extends SealParts, OpenParts {
  readonly knownSealers: KnownSealers;
}

export function messagesAtOnce(parts: Parts): AtOnce {
  return {
    seal: ({ plaintext, ...options }, call) => sealed(plaintext, options, call, parts),
    sealText: ({ text, ...options }, call) => {
      const message = sealed(text, options, call, parts);
      return message && armorBytes(message);
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

type SealOptions = Omit<ParamsOf<'seal'>, 'plaintext'>;

function sealed(
  plaintext: Uint8Array,
  options: SealOptions,
  call: Call,
  parts: Parts,
): Uint8Array | undefined {
  const { key: keyId, to, toSelf, portable = false, context } = options;
  const { grants, keyRing, knownSealers } = parts;
  const crypto = parts.messageCrypto.knownForBytes(plaintext.length);
  if (!crypto || to || toSelf || call.isFollowed) return undefined;
  const { scope, origin, id } = pageCall(call);
  const ref = keyId === undefined ? 'app' : keyRing.knownRefOf(keyId, origin);
  if (ref === undefined || (portable && ref === 'app')) return undefined;
  if (!grants.useOfKnown({ scope, ref, capability: 'seal' }, id)) return undefined;
  const make = (): MessageSealer | undefined => sealerOf(ref, origin, options, crypto, parts);
  if (context) return once(make(), plaintext);
  const name = `${ref} ${origin} ${portable} ${options.pad ?? false}`;
  return knownSealers.of(name, make)?.seal(plaintext);
}

/** @returns undefined where the key, or what salts are made of, is not at hand */
function sealerOf(
  ref: string,
  origin: string,
  { portable, context: associatedData, pad }: SealOptions,
  crypto: ThreadCrypto,
  { hedge, keyRing }: Parts,
): MessageSealer | undefined {
  const salts = hedge.knownSalts();
  const material = salts && keyRing.knownSealingMaterial(ref, origin);
  if (!material) return undefined;
  try {
    const bound = { origin: portable ? undefined : origin, associatedData };
    return new MessageSealer({ ...material, ...bound, purpose: 'page', pad }, crypto, salts);
  } finally {
    wipe(material.key);
  }
}

function once(sealer: MessageSealer | undefined, plaintext: Uint8Array): Uint8Array | undefined {
  try {
    return sealer?.seal(plaintext);
  } finally {
    sealer?.wipe();
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
