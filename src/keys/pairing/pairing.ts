/*
 * Pairing, as docs/design/devices.md explains it: the offer of a new device, which it keeps in the vault until it is
 * answered or ends, and the parcel of the old one.
 */
import { equal, fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import type { RandomSource } from '../../random/contract.ts';
import {
  STATE_MAX_BYTES,
  encodeState,
  parseState,
  SharedStateError,
} from '../devices/state-text.ts';
import type { SharedState } from '../devices/shared-state.ts';
import type { Circle } from '../circle/circle-record.ts';
import { EpochError } from '../circle/epoch.ts';
import { memberOf, newDevicePair, wipePair } from '../circle/members.ts';
import type { MemberPair } from '../circle/members.ts';
import { circleIn, openPart } from '../circle/membership.ts';
import type { Vault, VaultDraft } from '../vault/vault.ts';
import { digestOfOffer, encodeOffer, OFFER_LIFE_MS, PairingError, parseOffer } from './offer.ts';
import type { DeviceAt } from './offer.ts';
import { areDigits, contentsOfParcel, openParcel, parseParcel, sealParcel } from './parcel.ts';

/** The type and id of the record of the offer that waits for its parcel. */
const OFFER = 'pairing-offer';

/** How often the person may type wrong digits before the offer ends. */
export const DIGITS_TRIES = 3;

/** A file holds a longer state than an item of a medium. */
const FILE_STATE_MAX_BYTES = 16 * STATE_MAX_BYTES;

/** The offer that this device has made, in its record. */
interface KeptOffer {
  /** base64url */
  readonly offer: string;
  /** The private keys of the member in the offer, base64url: a seed of X-Wing, and of Ed25519. */
  readonly xWing: string;
  readonly ed25519: string;
  /** How often wrong digits were typed. */
  readonly wrong: number;
}

/** What became of a parcel. */
export type ParcelOutcome =
  | {
      readonly outcome: 'opened';
      readonly giver: DeviceAt;
      readonly state: SharedState;
      /** The circle in which this device is a member; its chain is checked. The caller wipes the pair. */
      readonly circle: Circle;
      readonly offerDigest: Uint8Array;
    }
  /** There is no offer: none was made, or it has ended, was answered or was withdrawn. */
  | { readonly outcome: 'no-offer' }
  /** The parcel answers another offer than the one that this device has made last. */
  | { readonly outcome: 'other-offer' }
  /** 0 tries left: the offer has ended. */
  | { readonly outcome: 'wrong-digits'; readonly triesLeft: number };

/** What pairing works with. */
export interface PairingDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  /** X-Wing, loaded at its first use. */
  readonly kem: () => Promise<Kem>;
  /** The engine for messages of so many bytes. */
  readonly crypto: (bytes: number) => Promise<FormatCrypto>;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Both sides of a pairing. Every method throws VaultError as the vault does. */
export class Pairing {
  readonly #deps: PairingDeps;

  constructor(deps: PairingDeps) {
    this.#deps = deps;
  }

  /** The bytes of the offer that this device has made, while it can be answered. */
  async offer(): Promise<Uint8Array | undefined> {
    const kept = await this.#kept();
    return kept && fromBase64url(kept.offer);
  }

  /**
   * Makes an offer with the member that this device is or becomes. It takes the place of an earlier one.
   *
   * @throws RangeError for a name that `isDeviceName` refuses; DOMException NotSupportedError where the platform has no
   *   Ed25519
   */
  async makeOffer(name: string): Promise<Uint8Array> {
    const { vault, random, now } = this.#deps;
    const kem = await this.#deps.kem();
    return vault.commit(async (draft) => {
      const pair = (await circleIn(draft))?.pair ?? newDevicePair(random);
      try {
        const member = await memberOf(pair, name, kem);
        const offer = encodeOffer({ member, at: Math.trunc(now()) });
        const [xWing, ed25519] = [toBase64url(pair.xWing), toBase64url(pair.ed25519)];
        putOffer(draft, { offer: toBase64url(offer), xWing, ed25519, wrong: 0 });
        return offer;
      } finally {
        wipePair(pair);
      }
    });
  }

  /** Withdraws the offer: no parcel that answers it is taken. */
  async endOffer(): Promise<void> {
    await this.#deps.vault.commit((draft) => draft.remove(OFFER));
  }

  /**
   * Seals what this device shares to the key of an offer. The caller has made sure that the person wants it.
   *
   * @param bytes the offer
   * @param name of this device
   * @returns the parcel, and the digits to type on the other device
   * @throws PairingError
   */
  async seal(
    bytes: Uint8Array,
    name: string,
    { state, circle }: { state: SharedState; circle: Uint8Array },
  ): Promise<{ readonly parcel: Uint8Array<ArrayBuffer>; readonly digits: string }> {
    const offer = parseOffer(bytes);
    const text = encodeState(state);
    const giver = { name, at: Math.trunc(this.#deps.now()) };
    const parts = { random: this.#deps.random, ...(await this.#crypto(text.length)) };
    return sealParcel({ bytes, offer }, giver, { circle, state: text }, parts).finally(() =>
      wipe(text),
    );
  }

  /**
   * Opens a parcel that answers the offer of this device. A wrong try is stored before the caller learns of it, so that no end of a
   * worker gives it back.
   *
   * @param digits as the person typed them
   * @throws PairingError MALFORMED; it counts as no try
   */
  async open(bytes: Uint8Array, digits: string): Promise<ParcelOutcome> {
    const sealed = parseParcel(bytes);
    const kept = await this.#kept();
    if (kept === undefined) return { outcome: 'no-offer' };
    if (!isNamed(kept, sealed.offerDigest)) return { outcome: 'other-offer' };
    const offer = fromBase64url(kept.offer);
    const pair = pairOf(kept);
    const parts = { random: this.#deps.random, ...(await this.#crypto(bytes.length)) };
    let plaintext: Uint8Array = new Uint8Array(0);
    let circle: Circle | undefined;
    try {
      const opened = await openParcel(sealed, offer, pair.xWing, parts);
      ({ plaintext } = opened);
      const wrong = await this.#typed(areDigits(digits, opened.digits), sealed.offerDigest);
      if (wrong) return wrong;
      const { circle: part, state } = contentsOfParcel(plaintext);
      const { giver, offerDigest } = sealed;
      const parsed = parseState(state.slice(), FILE_STATE_MAX_BYTES);
      circle = await openPart(part.slice(), pair, parts);
      return { outcome: 'opened', giver, state: parsed, circle, offerDigest };
    } catch (error) {
      const isForged = error instanceof SharedStateError || error instanceof EpochError;
      throw isForged ? new PairingError('MALFORMED') : error;
    } finally {
      wipe(plaintext);
      if (!circle) wipePair(pair);
    }
  }

  /**
   * Ends the offer that a parcel has answered, in the commit that takes what it brought.
   *
   * @returns false where the offer can be answered no more: the commit must take nothing
   */
  async endAnsweredIn(draft: VaultDraft, offerDigest: Uint8Array): Promise<boolean> {
    const kept = keptOffer(await draft.get(OFFER));
    if (kept === undefined || !this.#isAlive(kept) || !isNamed(kept, offerDigest)) return false;
    draft.remove(OFFER);
    return true;
  }

  /** The offer while it can be answered; the private key of one that has ended is removed. */
  async #kept(): Promise<KeptOffer | undefined> {
    const kept = keptOffer(await this.#deps.vault.read(OFFER));
    if (kept === undefined || this.#isAlive(kept)) return kept;
    await this.endOffer();
    return undefined;
  }

  /** @returns why not, unless the digits are right and the offer can still be answered */
  #typed(isRight: boolean, offerDigest: Uint8Array): Promise<ParcelOutcome | undefined> {
    return this.#deps.vault.commit(async (draft) => {
      const kept = keptOffer(await draft.get(OFFER));
      if (kept === undefined || !isNamed(kept, offerDigest)) return { outcome: 'no-offer' };
      if (isRight) return undefined;
      const wrong = kept.wrong + 1;
      if (wrong >= DIGITS_TRIES) draft.remove(OFFER);
      else putOffer(draft, { ...kept, wrong });
      return { outcome: 'wrong-digits', triesLeft: DIGITS_TRIES - wrong };
    });
  }

  /** By the clock of this device alone, which has set the time. */
  #isAlive({ offer }: KeptOffer): boolean {
    const age = this.#deps.now() - parseOffer(fromBase64url(offer)).at;
    return age > -1 && age < OFFER_LIFE_MS; // the time in the offer has no part of a ms
  }

  async #crypto(bytes: number) {
    const [kem, crypto] = await Promise.all([this.#deps.kem(), this.#deps.crypto(bytes)]);
    return { kem, crypto };
  }
}

const isNamed = ({ offer }: KeptOffer, digest: Uint8Array): boolean =>
  equal(digestOfOffer(fromBase64url(offer)), digest);

const keptOffer = (record: { readonly value: unknown } | undefined): KeptOffer | undefined =>
  record?.value as KeptOffer | undefined;

function pairOf({ offer, xWing, ed25519 }: KeptOffer): MemberPair {
  const { kind, id } = parseOffer(fromBase64url(offer)).member;
  return { kind, id, xWing: fromBase64url(xWing), ed25519: fromBase64url(ed25519) };
}

const putOffer = (draft: VaultDraft, kept: KeptOffer): void =>
  draft.put({ id: OFFER, type: OFFER, value: { ...kept } });
