import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { armorBytes, unarmor } from '../../format/wire/armor.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import type { ThreadCrypto } from '../../format/format-crypto.ts';
import type { Header } from '../../format/wire/header.ts';
import { MessageOpener } from '../../format/short/opener.ts';
import { MessageSealer } from '../../format/short/sealer.ts';
import type { AtOnce, Call } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { asciiText } from './ascii.ts';
import { pageCall } from '../calls/caller.ts';
import type { CipherCache } from './cipher-cache.ts';
import type { OpenParts } from './open.ts';
import type { SealParts } from './seal.ts';
import { requirePageMessage } from '../grants/authorize.ts';

/*
 * Small messages under keys that are at hand, sealed and opened in the turn in which the call came:
 * a step between promises costs more than the cipher. The doors are those of under-grant.ts, in the
 * same order. Where one cannot be passed without waiting, or a grant says no, the answer is
 * undefined, and the call begins anew on the usual way, which tells why.
 *
 * No flight is needed: a lock or a revocation comes before such work, or after it.
 */
interface Deps extends SealParts, OpenParts {
  readonly sealers: CipherCache<MessageSealer>;
  readonly openers: CipherCache<MessageOpener>;
}

export function messagesAtOnce(deps: Deps): AtOnce {
  return {
    seal: ({ plaintext, ...options }, call) => sealed(plaintext, options, call, deps),
    sealText: ({ text, ...options }, call) => {
      const message = sealed(text, options, call, deps);
      return message && armorBytes(message);
    },
    open: ({ sealed: message, ...options }, call) => {
      const read = (): Uint8Array => message;
      return opened({ bytes: message.length, read }, options, call, deps);
    },
    openText: ({ armored, ...options }, call) => {
      const read = (): Uint8Array => unarmor(asciiText(armored));
      return opened({ bytes: armored.length, read }, options, call, deps);
    },
  };
}

type SealOptions = Omit<ParamsOf<'seal'>, 'plaintext'>;

function sealed(
  plaintext: Uint8Array,
  options: SealOptions,
  call: Call,
  deps: Deps,
): Uint8Array | undefined {
  const { key: keyId, to, toSelf, portable = false, context } = options;
  const { grants, keyRing, sealers } = deps;
  const crypto = deps.messageCrypto.knownForBytes(plaintext.length);
  if (!crypto || to || toSelf || call.isFollowed) return undefined;
  const { scope, origin, id } = pageCall(call);
  const ref = keyId === undefined ? 'app' : keyRing.knownRefOf(keyId, origin);
  if (ref === undefined || (portable && ref === 'app')) return undefined;
  if (!grants.useOfKnown({ scope, ref, capability: 'seal' }, id)) return undefined;
  const make = (): MessageSealer | undefined => sealerOf(ref, origin, options, crypto, deps);
  if (context) return once(make(), (sealer) => sealer.seal(plaintext));
  const name = `${ref} ${origin} ${portable} ${options.pad ?? false}`;
  return sealers.of(name, make)?.seal(plaintext);
}

/** @returns undefined where the key, or what salts are made of, is not at hand */
function sealerOf(
  ref: string,
  origin: string,
  { portable, context: associatedData, pad }: SealOptions,
  crypto: ThreadCrypto,
  { hedge, keyRing }: Deps,
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

/** Contexts are many: what works under one is not kept. */
function once<T extends { wipe(): void }>(
  cipher: T | undefined,
  work: (cipher: T) => Uint8Array,
): Uint8Array | undefined {
  try {
    return cipher && work(cipher);
  } finally {
    cipher?.wipe();
  }
}

type OpenOptions = Omit<ParamsOf<'open'>, 'sealed'>;

function opened(
  { bytes, read }: { readonly bytes: number; readonly read: () => Uint8Array },
  options: OpenOptions,
  call: Call,
  deps: Deps,
): Uint8Array | undefined {
  const { grants, keyRing, openers } = deps;
  const crypto = deps.messageCrypto.knownForBytes(bytes);
  if (!crypto || call.isFollowed) return undefined;
  const { scope, origin, id } = pageCall(call);
  if (!grants.allowsAnyKnown({ scope, capability: 'open' })) return undefined;
  const message = read();
  const { header } = parseEnvelope(message, message.length);
  requirePageMessage(header, options.accept);
  if (header.flags.recipients) return undefined;
  const ref = keyRing.knownRefOfHeaderKeyId(header.headerKeyId, origin);
  if (ref === undefined) return undefined;
  if (!grants.useOfKnown({ scope, ref, capability: 'open' }, id)) return undefined;
  const make = (): MessageOpener | undefined => openerOf(header, origin, options, crypto, deps);
  if (options.context) return once(make(), (opener) => opener.open(message));
  const name = `${toBase64url(header.headerKeyId)} ${header.purpose} ${origin}`;
  return openers.of(name, make)?.open(message);
}

/** @returns undefined where the key is not at hand */
function openerOf(
  { headerKeyId: keyId, purpose }: Header,
  origin: string,
  { context: associatedData }: OpenOptions,
  crypto: ThreadCrypto,
  { keyRing }: Deps,
): MessageOpener | undefined {
  const material = keyRing.knownOpeningMaterial(keyId, origin);
  if (!material) return undefined;
  try {
    const { key } = material;
    return new MessageOpener({ key, keyId, purpose, origin, associatedData }, crypto);
  } finally {
    wipe(material.key);
  }
}
