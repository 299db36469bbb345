import { copyOf, toBase64url, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { SaltSource } from '../../format/message.ts';
import { armorBytes, unarmorLine } from '../../format/wire/armor.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import { OtherKeyError } from '../errors.ts';
import { sealwrightKeyId } from './record.ts';

/** Keys and dependencies for one collection. */
export interface SealwrightParts {
  readonly collection: string;
  /** Named keys of 32 bytes, at least one. The first seals, all of them open. */
  readonly keys: readonly Uint8Array[];
  readonly salt: SaltSource;
  /** The engine for a message of this many bytes. */
  readonly cryptoFor: (bytes: number) => Promise<FormatCrypto>;
}

/** Messages of purpose 6 under the keys of one collection: its records, its heads and their chunks. */
export interface SealwrightMessages {
  /** @returns the armored message, in ASCII */
  seal(associatedData: Uint8Array, content: Uint8Array): Promise<Uint8Array>;
  /** @throws EnvelopeError, OtherKeyError, AuthenticationError */
  open(associatedData: Uint8Array, armored: string): Promise<Uint8Array>;
  /** Overwrites the keys. */
  wipe(): void;
}

/** @param parts the keys are copied */
export function sealwrightMessages({
  collection,
  keys,
  salt,
  cryptoFor,
}: SealwrightParts): SealwrightMessages {
  const known = keys.map((key) => ({ key: copyOf(key), keyId: sealwrightKeyId(key, collection) }));
  const byId = new Map(known.map((each) => [toBase64url(each.keyId), each]));
  const newest = known[0]!;
  return {
    async seal(associatedData, content) {
      const crypto = await cryptoFor(content.length);
      const how = { ...newest, purpose: 'sync', associatedData, salt, crypto } as const;
      return armorBytes(await sealMessage(how, content));
    },
    async open(associatedData, armored) {
      const sealed = unarmorLine(armored);
      const { header } = parseEnvelope(sealed, sealed.length);
      if (header.purpose !== 'sync' || header.flags.recipients) throw new AuthenticationError();
      const keyId = toBase64url(header.headerKeyId);
      const found = byId.get(keyId);
      if (!found) throw new OtherKeyError(keyId);
      const crypto = await cryptoFor(sealed.length);
      return openMessage({ ...found, purpose: 'sync', associatedData, crypto }, sealed);
    },
    wipe: () => wipe(...known.map(({ key }) => key)),
  };
}
