import { copyOf, toBase64url, wipe } from '../../crypto/bytes.ts';
import { armorBytes, unarmorLine } from '../../format/wire/armor.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { SaltSource } from '../../format/message.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { OtherKeyError, SyncError } from '../errors.ts';
import {
  decodeSealwrightContent,
  encodeSealwrightContent,
  sealwrightContext,
  sealwrightKeyId,
} from './record.ts';
import { textOf } from '../codec.ts';
import type { EncryptedRecord, OpenedRecord, PlainRecord, RecordCodec } from '../codec.ts';

/** Keys and dependencies of a codec for one collection. */
export interface SealwrightRecordParts {
  readonly collection: string;
  /** Named keys of 32 bytes, at least one. The first seals, all of them open. */
  readonly keys: readonly Uint8Array[];
  readonly salt: SaltSource;
  /** The engine for a message of this many bytes. */
  readonly cryptoFor: (bytes: number) => Promise<FormatCrypto>;
}

/** The record format of sync keys that this extension generates (record.ts). */
export function sealwrightCodec({
  collection,
  keys,
  salt,
  cryptoFor,
}: SealwrightRecordParts): RecordCodec {
  const known = keys.map((key) => ({ key: copyOf(key), keyId: sealwrightKeyId(key, collection) }));
  const byId = new Map(known.map((each) => [toBase64url(each.keyId), each]));
  const newest = known[0]!;
  const seal = async ({ id, generation = 0, ...content }: PlainRecord): Promise<Uint8Array> => {
    const encoded = encodeSealwrightContent({ ...content, generation: generationIn(generation) });
    const crypto = await cryptoFor(encoded.length);
    const associatedData = sealwrightContext(collection, id);
    const how = { ...newest, purpose: 'sync', associatedData, salt, crypto } as const;
    const sealed = await sealMessage(how, encoded);
    wipe(encoded);
    return armorBytes(sealed);
  };
  const open = async ({ id, payload, generation = 0 }: EncryptedRecord): Promise<OpenedRecord> => {
    const sealed = unarmorLine(textOf(payload));
    const { header } = parseEnvelope(sealed, sealed.length);
    if (header.purpose !== 'sync' || header.flags.recipients) throw new AuthenticationError();
    const keyId = toBase64url(header.headerKeyId);
    const found = byId.get(keyId);
    if (!found) throw new OtherKeyError(keyId);
    const crypto = await cryptoFor(sealed.length);
    const associatedData = sealwrightContext(collection, id);
    const how = { ...found, purpose: 'sync', associatedData, crypto } as const;
    const opened = decodeSealwrightContent(
      await openMessage(how, sealed),
      generationIn(generation),
    );
    if (opened.generation > 0) return opened;
    return { payload: opened.payload, json: opened.json };
  };
  return {
    encrypt: (records) => Promise.allSettled(records.map(seal)),
    decrypt: (records) => Promise.allSettled(records.map(open)),
    wipe: () => wipe(...known.map(({ key }) => key)),
  };
}

function generationIn(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new SyncError('BAD_CLEARTEXT', 'generation: expected a whole number from 0');
}
