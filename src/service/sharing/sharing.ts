import { wipe } from '../../crypto/bytes.ts';
import { dhkemX25519 } from '../../engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { loadX25519 } from '../../engine/kem/x25519.ts';
import { X_WING } from '../../engine/kem/x-wing.ts';
import type { BeginSealOptions } from '../../format/keys/seal-plan.ts';
import type { Identity, Recipient } from '../../format/keys/data-key.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import type { PublicKey } from '../../format/wire/public-key.ts';
import { NAMED_KEY_RECIPIENT, recipientTypes } from '../../format/recipients/recipient-types.ts';
import { X25519_RECIPIENT, X_WING_RECIPIENT } from '../../format/recipients/recipient-types.ts';
import type { RecipientType, RecipientTypes } from '../../format/recipients/recipient-type.ts';
import type { KeyRing, PickedKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { SharingAlgorithm } from '../../keys/ring/user-key.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { argumentChecked } from '../errors.ts';

/** Recipient types, by what a sharing key computes. */
const TYPE_OF: Readonly<Record<SharingAlgorithm, number>> = {
  X25519: X25519_RECIPIENT,
  'X-Wing': X_WING_RECIPIENT,
};

/** What sealing to public keys needs. */
export interface SharingDeps {
  readonly keyRing: KeyRing;
  readonly random: RandomSource;
  /** What entries are sealed and opened with: they are small. */
  readonly crypto: () => Promise<FormatCrypto>;
}

/** What beginSeal needs for a shared message; `wipe` when the work has ended. */
export interface SharedSealing {
  readonly seal: Pick<BeginSealOptions, 'keyId' | 'recipients' | 'recipientTypes' | 'random'>;
  wipe(): void;
}

/** Sharing keys at work: sealing to others' public keys, and what opens messages sealed to ours. */
export class Sharing {
  readonly #deps: SharingDeps;
  readonly #kems: Readonly<Record<SharingAlgorithm, Kem>>;
  #types: Promise<RecipientTypes> | undefined;

  constructor(deps: SharingDeps) {
    this.#deps = deps;
    let x25519: ReturnType<typeof loadX25519> | undefined;
    this.#kems = { X25519: dhkemX25519(() => (x25519 ??= loadX25519())), 'X-Wing': X_WING };
  }

  types(): Promise<RecipientTypes> {
    this.#types ??= this.#makeTypes();
    return this.#types;
  }

  async #makeTypes(): Promise<RecipientTypes> {
    const { crypto, random } = this.#deps;
    const kems = { x25519: this.#kems.X25519, xWing: this.#kems['X-Wing'] };
    const types = recipientTypes({ kems, crypto: await crypto(), random });
    // A point of low order has the length of a key, and shows when it is sealed to.
    const checked = ({ wrap, unwrap }: RecipientType): RecipientType => ({
      wrap: (...how) => argumentChecked(wrap(...how)),
      unwrap,
    });
    return new Map([...types].map(([byte, type]) => [byte, checked(type)]));
  }

  /** The public key of the newest generation. @throws RangeError for a key of another kind */
  async publicKeyOf(picked: PickedKeyMaterial): Promise<PublicKey> {
    const type = algorithmOf(picked);
    const bytes = await this.#kems[type].publicKey(picked.generations[0]!.key);
    return { type, bytes: new Uint8Array(bytes) };
  }

  /**
   * @param own with whose key the message stays readable for its sealer
   * @throws SealwrightError INVALID_ARGUMENT for a public key that is none
   */
  async sealing(
    to: readonly Recipient[],
    own?: { readonly ref: string; readonly origin: string },
  ): Promise<SharedSealing> {
    const common = { recipientTypes: await this.types(), random: this.#deps.random };
    if (own === undefined) return { seal: { ...common, recipients: to }, wipe: () => undefined };
    const { recipient, keyId } = await this.#ownRecipient(own.ref, own.origin);
    const seal = { ...common, recipients: [...to, recipient], ...(keyId && { keyId }) };
    return { seal, wipe: () => wipe(recipient.key) };
  }

  /** Only a symmetric key is named in the header; a sharing key is found by trying it. */
  async #ownRecipient(
    ref: string,
    origin: string,
  ): Promise<{ readonly recipient: Recipient; readonly keyId?: Uint8Array }> {
    const { keyRing } = this.#deps;
    const { kind } = await keyRing.describe(ref, origin);
    if (kind === 'sharing') {
      const picked = await keyRing.pickedKey(ref);
      try {
        const { type, bytes } = await this.publicKeyOf(picked);
        return { recipient: { type: TYPE_OF[type as SharingAlgorithm], key: bytes } };
      } finally {
        wipeGenerations(picked);
      }
    }
    const { key, keyId } = await keyRing.sealingMaterial(ref, origin);
    return { recipient: { type: NAMED_KEY_RECIPIENT, key }, keyId };
  }

  /** All generations of a sharing key, the newest first; to be wiped. */
  async identitiesOf(ref: string): Promise<readonly Identity[]> {
    const picked = await this.#deps.keyRing.pickedKey(ref);
    const type = TYPE_OF[algorithmOf(picked)];
    return picked.generations.map(({ key }) => ({ type, key }));
  }
}

/**
 * The recipients that `to` names.
 * @throws SealwrightError INVALID_ARGUMENT for what is no public key of a sharing key
 */
export function recipientsOf(to: readonly string[]): Recipient[] {
  return to.map((text, index) => {
    const { type, bytes } = sharingKeyOf(text, `to[${index}]`);
    return { type: TYPE_OF[type], key: bytes };
  });
}

/** @throws SealwrightError INVALID_ARGUMENT that names the argument */
export function sharingKeyOf(
  text: string,
  name: string,
): { readonly type: SharingAlgorithm; readonly bytes: Uint8Array<ArrayBuffer> } {
  const { type, bytes } = parsed(text, name);
  if (type === 'X25519' || type === 'X-Wing') return { type, bytes };
  throw new SealwrightError('INVALID_ARGUMENT', `${name}: this key is for signatures`);
}

/** The type byte of its public key as text: the same as its recipient type (docs/format.md 3.3). */
export function typeByteOf(type: SharingAlgorithm): number {
  return TYPE_OF[type];
}

function parsed(text: string, name: string): PublicKey {
  try {
    return parsePublicKey(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', `${name}: expected a public key, "swp1.…"`);
  }
}

function algorithmOf({ kind, algorithm }: PickedKeyMaterial): SharingAlgorithm {
  if (kind !== 'sharing') throw new RangeError('ref: the key is not for sharing');
  return algorithm as SharingAlgorithm;
}

function wipeGenerations({ generations }: PickedKeyMaterial): void {
  wipe(...generations.map(({ key }) => key));
}
