/*
 * The vectors of messages with recipients, test/format/vectors/shared.json and passphrase.json, generated once by
 * scripts/make-shared-vectors.ts.
 */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../src/crypto/bytes.ts';
import type { Argon2idCost } from '../../src/format/passphrase.ts';
import type { Identity } from '../../src/format/keys/data-key.ts';
import type { SealedInfo } from '../../src/format/wire/inspect.ts';
import type { OpenMessageOptions, SealMessageOptions } from '../../src/format/message.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../src/format/native-crypto.ts';
import type { Purpose } from '../../src/format/wire/header.ts';
import type { RecipientTypes } from '../../src/format/recipients/recipient-type.ts';
import { NATIVE_X25519 } from '../../src/engine/kem/native-x25519.ts';
import { allKems } from '../../src/format/recipients/kems.ts';
import {
  PASSPHRASE_RECIPIENT,
  passphraseRecipient,
} from '../../src/format/recipients/passphrase.ts';
import { derivePassphrase } from '../../src/format/recipients/sharing.ts';
import { recipientTypes } from '../../src/format/recipients/recipient-types.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import { countingRandom } from './message-vectors.ts';

/** A key of one recipient type; hex. */
export interface TypedKey {
  readonly type: number;
  readonly key: string;
}

/** Byte strings are hex. Data key, entry ids and the randomness of entries are counting bytes 00 01 02 … */
export interface SharedVector {
  readonly id: string;
  readonly comment: string;
  readonly purpose: Purpose;
  readonly origin: string | null;
  readonly associatedData: string;
  readonly pad: boolean;
  readonly keyId: string;
  readonly salt: string;
  /** Of a passphrase alone. */
  readonly cost?: Argon2idCost;
  /** Public keys; for type 3 the named key itself, for type 4 the prepared passphrase. */
  readonly recipients: readonly TypedKey[];
  /** Private keys. Each opens the message. */
  readonly identities: readonly TypedKey[];
  readonly message: string;
  readonly sealed: string;
  readonly info: SealedInfo;
}

/** Opened as a shared message with all these identities. */
export interface SharedRefusal {
  readonly id: string;
  readonly comment: string;
  readonly purpose: Purpose;
  readonly origin: string | null;
  readonly associatedData: string;
  readonly identities: readonly TypedKey[];
  readonly sealed: string;
  readonly error: 'BAD_ENVELOPE' | 'TOO_LARGE' | 'AUTH_FAILED';
}

export function readSharedVectors(name: 'shared' | 'passphrase' = 'shared'): {
  readonly opened: readonly SharedVector[];
  readonly refused: readonly SharedRefusal[];
} {
  const file = new URL(`vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readSharedVectors>;
}

/** All types of this release. */
export function allTypes(
  random: RandomSource = NATIVE_RANDOM,
  cost?: Argon2idCost,
): RecipientTypes {
  const deps = { crypto: NATIVE_CRYPTO, random };
  const kems = allKems(() => Promise.resolve(NATIVE_X25519));
  return new Map([
    ...recipientTypes({ ...deps, kems }),
    [PASSPHRASE_RECIPIENT, passphraseRecipient({ ...deps, derive: derivePassphrase, cost })],
  ]);
}

export function bytesOf({ type, key }: TypedKey): Identity {
  return { type, key: fromHex(key) };
}

export function sharedSealOptions(
  vector: Omit<SharedVector, 'sealed' | 'info'>,
): SealMessageOptions {
  const random = countingRandom();
  return {
    keyId: fromHex(vector.keyId),
    purpose: vector.purpose,
    origin: vector.origin ?? undefined,
    associatedData: fromHex(vector.associatedData),
    pad: vector.pad,
    salt: fromHex(vector.salt),
    recipients: vector.recipients.map(bytesOf),
    recipientTypes: allTypes(random, vector.cost),
    random,
  };
}

export function sharedOpenOptions(
  known: Pick<SharedVector, 'purpose' | 'origin' | 'associatedData' | 'identities'>,
): OpenMessageOptions {
  return {
    purpose: known.purpose,
    origin: known.origin ?? undefined,
    associatedData: fromHex(known.associatedData),
    accept: 'shared',
    identities: known.identities.map(bytesOf),
    recipientTypes: allTypes(),
  };
}
