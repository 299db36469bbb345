import { wipe } from '../../crypto/bytes.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { NATIVE_X25519, X25519_BYTES } from '../../engine/kem/native-x25519.ts';
import type { BeginSealOptions } from '../../format/plans/seal-plan.ts';
import type { Identity, Recipient } from '../../format/keys/data-key.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import type { PublicKey } from '../../format/wire/public-key.ts';
import { sealingAttributes, type NewAttributes } from '../../format/recipients/attributes.ts';
import type { GroupDeps } from '../../format/groups/group.ts';
import { groupRecipient } from '../../format/recipients/group-key.ts';
import { fingerprintOf, ownStatic, type SharedStatic } from '../../format/recipients/sender.ts';
import type { MessageSigner } from '../../format/recipients/signature.ts';
import type { AllKems } from '../../format/recipients/kems.ts';
import { recipientTypes } from '../../format/recipients/recipient-types.ts';
import {
  GROUP_RECIPIENT,
  isKeyPairName,
  keyPairNameOf,
  NAMED_KEY_RECIPIENT,
  recipientTypeOf,
  type KeyPairName,
} from '../../format/wire/recipient-table.ts';
import type { RecipientType, RecipientTypes } from '../../format/recipients/recipient-type.ts';
import { allKeyDetails, NO_DETAILS } from '../../keys/annotations/key-details.ts';
import type { KeyDescription } from '../../keys/ring/key-description.ts';
import type { KeyRing, UserKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { SharingAlgorithm } from '../../keys/ring/kinds.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { argumentChecked } from '../errors.ts';
import { signingKeys, type Signatures, type SigningKey } from '../signing/signatures.ts';

/** Dependencies of Sharing. */
export interface SharingDeps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly signatures: Signatures;
  readonly random: RandomSource;
  /** Seals and opens recipient entries, which are small. */
  readonly crypto: () => Promise<FormatCrypto>;
}

/** The arguments of beginSeal for a shared message. Call `wipe` after the work. */
export interface SharedSealing {
  readonly seal: Pick<
    BeginSealOptions,
    'keyId' | 'recipients' | 'recipientTypes' | 'random' | 'attributes'
  >;
  wipe(): void;
}

/** What the user seals says of itself; of a page nothing is said. */
export interface UsersAttributes extends Pick<NewAttributes, 'file' | 'digest'> {
  /** The signing key that signs for others to check; absent unless the user chose it. */
  readonly signer?: string | undefined;
}

/** The X25519 part of one of the user's sharing keys, which the caller wipes, and the key's fingerprint. */
export interface OwnX25519 {
  readonly key: Uint8Array;
  readonly fingerprint: Uint8Array;
}

/** A private key to open with, and the ref of its key. */
export interface OwnedIdentity extends Identity {
  readonly ref: string;
}

/** Seals to public keys of others, and returns the identities that open messages to the user's own. */
export class Sharing {
  readonly #deps: SharingDeps;
  #kems: Promise<AllKems> | undefined;
  #types: Promise<RecipientTypes> | undefined;

  constructor(deps: SharingDeps) {
    this.#deps = deps;
  }

  types(): Promise<RecipientTypes> {
    this.#types ??= this.#makeTypes();
    return this.#types;
  }

  async #makeTypes(): Promise<RecipientTypes> {
    const { crypto, random } = this.#deps;
    const kems = await this.#loadKems();
    const types = recipientTypes({ kems, crypto: await crypto(), random });
    // A point of low order has the right length. Only sealing to it detects it.
    const checked = ({ wrap, unwrap }: RecipientType): RecipientType => ({
      wrap: (...args) => argumentChecked(wrap(...args)),
      unwrap,
    });
    const all = [...types, [GROUP_RECIPIENT, groupRecipient(await crypto(), random)] as const];
    return new Map(all.map(([byte, type]) => [byte, checked(type)]));
  }

  /** What epochs are made and opened with, of groups and of a person's devices: none is longer than this thread computes. */
  async epochParts(): Promise<GroupDeps> {
    const { crypto, random } = this.#deps;
    return { kem: (await this.#loadKems())['X-Wing'], crypto: await crypto(), random };
  }

  /** The bundle contains their libraries, which run at the first use: each start of the background would wait for them. */
  #loadKems(): Promise<AllKems> {
    this.#kems ??= import(/* webpackMode: "eager" */ '../../format/recipients/kems.ts').then(
      ({ allKems }) => allKems(() => Promise.resolve(NATIVE_X25519)),
    );
    return this.#kems;
  }

  /** The KEM of keys of this type. */
  async kem(type: KeyPairName): Promise<Kem> {
    return (await this.#loadKems())[type];
  }

  /** The public key of the newest generation. @throws RangeError for a key of another kind */
  async publicKeyOf(picked: UserKeyMaterial): Promise<PublicKey> {
    const type = algorithmOf(picked);
    const kem = await this.kem(type);
    const bytes = await kem.publicKey(picked.generations[0]!.key);
    return { type, bytes: new Uint8Array(bytes) };
  }

  /** The public key of a private key. @param type the byte of a type with a key pair @param key 32 bytes */
  async publicKeyOfSeed(type: number, key: Uint8Array): Promise<Uint8Array> {
    return (await this.#loadKems())[keyPairNameOf(type)].publicKey(key);
  }

  /** The engine for recipient entries. */
  crypto(): Promise<FormatCrypto> {
    return this.#deps.crypto();
  }

  /**
   * @param own the sealer's key, which becomes a further recipient
   * @param attributes what the message says of itself: its sender is then proven to each recipient
   * @throws SealwrightError INVALID_ARGUMENT for an invalid public key, and a signer that is not a key of Ed25519
   */
  async sealing(
    to: readonly Recipient[],
    own?: { readonly ref: string; readonly origin: string },
    attributes?: UsersAttributes,
  ): Promise<SharedSealing> {
    const common = { recipientTypes: await this.types(), random: this.#deps.random };
    const self = own && (await this.#ownRecipient(own.ref, own.origin));
    const recipients = self ? [...to, self.recipient] : to;
    const signer =
      attributes?.signer === undefined ? undefined : await this.signerOf(attributes.signer);
    const statics = attributes ? await this.#staticsWith(recipients) : [];
    const seal = {
      ...common,
      recipients,
      ...(self?.keyId && { keyId: self.keyId }),
      ...(attributes && { attributes: sealingAttributes({ ...attributes, statics, signer }) }),
    };
    return {
      seal,
      wipe: () => {
        if (self) wipe(self.recipient.key);
        wipe(...statics.map(({ secret }) => secret));
      },
    };
  }

  /**
   * The user's sharing keys that are not archived, and taken over: others know the first, which proves the sender.
   */
  async keysInUse(): Promise<readonly KeyDescription[]> {
    const details = await allKeyDetails(this.#deps.vault);
    const inUse = (ref: string) => (details.get(ref) ?? NO_DETAILS).archived === null;
    const all = await this.#deps.keyRing.list();
    return all.filter(({ kind, guest, ref }) => kind === 'sharing' && !guest && inUse(ref));
  }

  /** The public halves of the same keys. */
  async ownPublicKeys(): Promise<Recipient[]> {
    return Promise.all((await this.keysInUse()).map(({ ref }) => this.publicKeyOfRef(ref)));
  }

  /** The public half of the newest generation of a sharing key. @throws RangeError for a key of another kind */
  async publicKeyOfRef(ref: string): Promise<Recipient> {
    const { keyRing } = this.#deps;
    const { type, bytes } = await keyRing.withUserKey(ref, (key) => this.publicKeyOf(key));
    return { type: recipientTypeOf(type), key: bytes };
  }

  /** Signs with the newest generation. @throws SealwrightError INVALID_ARGUMENT for a key that is not of Ed25519 */
  async signerOf(ref: string): Promise<MessageSigner> {
    const { keyRing, signatures } = this.#deps;
    const withKey = <T>(work: (key: SigningKey) => Promise<T>) =>
      argumentChecked(keyRing.withUserKey(ref, async (key) => work(signingKeys(key)[0]!)));
    const { type, bytes } = await withKey((key) => signatures.publicKeyOf(key));
    if (type !== 'Ed25519') {
      throw new SealwrightError('INVALID_ARGUMENT', 'signer: only keys of Ed25519 sign messages');
    }
    const sign = (data: Uint8Array<ArrayBuffer>) =>
      withKey(async (key) => new Uint8Array(await signatures.sign(key, data)));
    return { publicKey: bytes, sign };
  }

  /** What the sender has in common with each recipient, as far as it has a key for that. */
  async #staticsWith(recipients: readonly Recipient[]): Promise<SharedStatic[]> {
    const [first] = await this.keysInUse();
    const identities = first ? await this.#identitiesOf(first.ref) : [];
    const sender = identities[0] && (await this.x25519Of(identities[0]));
    try {
      const statics: SharedStatic[] = [];
      for (const recipient of recipients) {
        const { type, key } = recipient;
        if (type === NAMED_KEY_RECIPIENT) statics.push(await ownStatic(key, await this.crypto()));
        const secret = sender && (await agreed(sender, recipient));
        if (!secret) continue;
        statics.push({ secret, from: sender.fingerprint, to: fingerprintOf(type, key) });
      }
      return statics;
    } finally {
      wipe(...identities.map(({ key }) => key));
      if (sender) wipe(sender.key);
    }
  }

  /** The X25519 part of a private key of a key pair. */
  async x25519Of({ type, key }: Identity): Promise<OwnX25519> {
    const kem = (await this.#loadKems())[keyPairNameOf(type)];
    const fingerprint = fingerprintOf(type, await kem.publicKey(key));
    return { key: kem.x25519Key(key), fingerprint };
  }

  /** Only a symmetric key is named in the header. A sharing key is found by trying. */
  async #ownRecipient(
    ref: string,
    origin: string,
  ): Promise<{ readonly recipient: Recipient; readonly keyId?: Uint8Array }> {
    const { keyRing } = this.#deps;
    const { kind } = await keyRing.describe(ref, origin);
    if (kind === 'sharing') return { recipient: await this.publicKeyOfRef(ref) };
    const { key, keyId } = await keyRing.sealingMaterial(ref, origin);
    return { recipient: { type: NAMED_KEY_RECIPIENT, key }, keyId };
  }

  /** All generations of the sharing keys that are wanted. The caller wipes them. */
  async identities(isWanted: (key: KeyDescription) => boolean): Promise<readonly OwnedIdentity[]> {
    const keys = await this.#deps.keyRing.list();
    const found: OwnedIdentity[] = [];
    for (const key of keys.filter((each) => each.kind === 'sharing' && isWanted(each))) {
      found.push(...(await this.#identitiesOf(key.ref)));
    }
    return found;
  }

  /** Newest first. */
  async #identitiesOf(ref: string): Promise<readonly OwnedIdentity[]> {
    const picked = await this.#deps.keyRing.userKey(ref);
    const type = recipientTypeOf(algorithmOf(picked));
    return picked.generations.map(({ key }) => ({ type, key, ref }));
  }
}

/**
 * X25519 of a key of the user and the public key of a key pair, whose last bytes are its X25519 part.
 *
 * @returns 32 bytes, to be wiped; undefined for a named key and a group, and for a point of low order
 */
export async function agreed(own: OwnX25519, { type, key }: Recipient) {
  if (type === NAMED_KEY_RECIPIENT || type === GROUP_RECIPIENT) return undefined;
  return NATIVE_X25519.agree(own.key, key.subarray(-X25519_BYTES));
}

/**
 * The recipients that `to` names.
 * @throws SealwrightError INVALID_ARGUMENT if a text is not the public key of a sharing key
 */
export function recipientsOf(to: readonly string[]): Recipient[] {
  return to.map(recipientAt);
}

/** The recipient that stands at this place of `to`. @throws SealwrightError as `recipientsOf` */
export function recipientAt(text: string, index: number): Recipient {
  const { type, bytes } = sharingKeyOf(text, `to[${index}]`);
  return { type: recipientTypeOf(type), key: bytes };
}

/** @throws SealwrightError INVALID_ARGUMENT with the name of the argument */
export function sharingKeyOf(
  text: string,
  name: string,
): { readonly type: SharingAlgorithm; readonly bytes: Uint8Array<ArrayBuffer> } {
  const { type, bytes } = parsed(text, name);
  if (isKeyPairName(type)) return { type, bytes };
  throw new SealwrightError('INVALID_ARGUMENT', `${name}: this key is for signatures`);
}

function parsed(text: string, name: string): PublicKey {
  try {
    return parsePublicKey(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', `${name}: expected a public key, "swp1.…"`);
  }
}

function algorithmOf({ kind, algorithm }: UserKeyMaterial): SharingAlgorithm {
  if (kind !== 'sharing') throw new RangeError('ref: the key is not for sharing');
  if (!isKeyPairName(algorithm)) throw new RangeError('ref: not a recipient type of this version');
  return algorithm;
}
