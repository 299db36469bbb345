import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { encode } from 'uqr';
import { concat, copyOf, fromHex, toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { NATIVE_X25519 } from '../../../src/engine/kem/native-x25519.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { allKems } from '../../../src/format/recipients/kems.ts';
import { isDeviceName, X_WING_KEY_BYTES } from '../../../src/keys/circle/members.ts';
import { admitIn } from '../../../src/keys/circle/membership.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import {
  bytesOfMember,
  codeOfOffer,
  digestOfOffer,
  encodeOffer,
  OFFER_MEMBER_BYTES,
  OFFER_LIFE_MS,
  PairingError,
  parseOffer,
} from '../../../src/keys/pairing/offer.ts';
import {
  contentsOfParcel,
  openParcel,
  PARCEL_MAX_BYTES,
  parseParcel,
  sealParcel,
} from '../../../src/keys/pairing/parcel.ts';
import { DIGITS_TRIES, Pairing } from '../../../src/keys/pairing/pairing.ts';
import type { ParcelOutcome } from '../../../src/keys/pairing/pairing.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { codeOf } from '../../support/outcomes.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { PlainVault } from '../plain-vault.ts';
import { START } from '../world.ts';
import { readPairingVectors } from './pairing-vectors.ts';

const KEM = allKems(() => Promise.resolve(NATIVE_X25519))['X-Wing'];
const PARTS = { kem: KEM, crypto: NATIVE_CRYPTO, random: systemRandom };
const STATE: SharedState = { seen: {}, entries: {} };

/** A device that pairs, with a clock of its own. */
class PairingDevice {
  now = START;
  readonly vault: Vault = new PlainVault().asVault;

  /** As a worker that has just started. */
  get pairing(): Pairing {
    return new Pairing({
      vault: this.vault,
      random: systemRandom,
      kem: () => Promise.resolve(KEM),
      crypto: () => Promise.resolve(NATIVE_CRYPTO),
      now: () => this.now,
    });
  }

  /** A parcel for an offer, with this device's circle and an empty state. */
  async sealed(offer: Uint8Array, name = 'Old laptop') {
    const { member } = parseOffer(offer);
    const circle = await this.vault.commit((draft) => admitIn(draft, member, name, PARTS));
    return this.pairing.seal(offer, name, { state: STATE, circle });
  }
}

async function paired() {
  const [fresh, old] = [new PairingDevice(), new PairingDevice()];
  const offer = await fresh.pairing.makeOffer('New laptop');
  const { parcel, digits } = await old.sealed(offer);
  return { fresh, old, offer, parcel, digits };
}

/** A member whose keys are of no pair. */
const newMember = (name: string) => ({
  kind: 'device' as const,
  id: systemRandom.bytes(16),
  ed25519: copyOf(systemRandom.bytes(32)),
  xWing: systemRandom.bytes(X_WING_KEY_BYTES),
  name,
});

const otherThan = (digits: string, by = 1): string =>
  String((Number(digits) + by) % 1_000_000).padStart(6, '0');

const isMalformed = (error: unknown): boolean =>
  error instanceof PairingError && error.code === 'MALFORMED';

const outcomeOf = ({ outcome }: ParcelOutcome): string => outcome;

describe('Offers of devices', () => {
  it('keep name, time and key, in about 1.7 kB of text', () => {
    for (const name of ['x', 'Küche 🧑‍🍳', 'ä'.repeat(32)]) {
      const bytes = encodeOffer({ member: newMember(name), at: START });
      const { member } = parseOffer(bytes);
      expect(bytesOfMember(member)).to.deep.equal(bytes.slice(-OFFER_MEMBER_BYTES));
      expect(parseOffer(bytes)).to.deep.include({ name, at: START });
      expect(encodeOffer({ member, at: START })).to.deep.equal(bytes);
      expect(toBase64url(bytes).length).to.be.lessThan(1_850);
    }
  });

  it('have names that change nothing beside them', () => {
    for (const name of ['', ' x', 'x ', 'a\u202eb', 'a\nb', 'a\u2028b', '\ud800', 'ä'.repeat(33)]) {
      expect(isDeviceName(name), JSON.stringify(name)).to.equal(false);
      expect(() => encodeOffer({ member: newMember(name), at: 0 })).to.throw(RangeError);
    }
  });

  it('are refused where a byte is missing, added or of another kind', () => {
    const bytes = encodeOffer({ member: newMember('x'), at: START });
    const name = bytes.findIndex((byte, at) => at > 14 && byte === 'x'.charCodeAt(0));
    const wrong = [
      ...Array.from({ length: bytes.length }, (_, length) => bytes.subarray(0, length)),
      concat(bytes, Uint8Array.of(0)),
      ...[0, 1, 2, 3, 4, 5, 6].map((at) => bytes.with(at, bytes[at]! ^ 0x80)),
      bytes.with(name, 0x0a),
      bytes.with(name, 0xff),
      bytes.with(name - 1, 0),
    ];
    for (const each of wrong) expect(() => parseOffer(each)).to.throw(PairingError);
  });
});

describe('The code of an offer', () => {
  const offer = encodeOffer({ member: newMember('New laptop'), at: START });

  it('is a SHA-256 of all its bytes under a name of its own, by another implementation', () => {
    const digest = createHash('sha256').update('SWD1 code\0').update(offer).digest('hex');
    expect(codeOfOffer(offer)).to.equal(`SWD1:${digest.toUpperCase()}`);
    expect(codeOfOffer(offer)).not.to.include(toHex(digestOfOffer(offer)).toUpperCase());
  });

  it('is another one for each bit, byte and length of the offer', () => {
    const codes = new Set([codeOfOffer(offer)]);
    for (let at = 0; at < offer.length; at++) {
      codes.add(codeOfOffer(offer.with(at, offer[at]! ^ (1 << (at % 8)))));
      codes.add(codeOfOffer(offer.subarray(0, at)));
    }
    expect(codes.size).to.equal(1 + 2 * offer.length);
  });

  it('fits a QR code of version 4 with error correction M', () => {
    for (let i = 0; i < 50; i++) {
      const { version } = encode(codeOfOffer(systemRandom.bytes(1_300)), { ecc: 'M' });
      expect(version).to.equal(4);
    }
  });
});

describe('The vectors of devices that pair', () => {
  it('have the codes of their offers', () => {
    for (const { offer, read } of readPairingVectors()) {
      expect(codeOfOffer(fromHex(offer))).to.equal(read.code);
    }
  });

  it('open with the private key of the offer, and give the digits', async () => {
    const vectors = readPairingVectors();
    expect(vectors).to.have.length(2);
    for (const { privateKey, offer, parcel, read } of vectors) {
      const { name, at, member } = parseOffer(fromHex(offer));
      expect([name, at]).to.deep.equal([read.to, read.offered]);
      expect(await KEM.publicKey(fromHex(privateKey))).to.deep.equal(member.xWing);
      expect([toHex(member.id), toHex(member.ed25519)]).to.deep.equal([read.id, read.ed25519]);
      const sealed = parseParcel(fromHex(parcel));
      expect(sealed.giver).to.deep.equal({ name: read.from, at: read.given });
      const parts = { kem: KEM, crypto: NATIVE_CRYPTO };
      const opened = await openParcel(sealed, fromHex(offer), fromHex(privateKey), parts);
      expect(opened.digits).to.equal(read.digits);
      const { circle, state } = contentsOfParcel(opened.plaintext);
      expect([toHex(circle), new TextDecoder().decode(state)]).to.deep.equal([
        read.circle,
        read.state,
      ]);
    }
  });
});

describe('A pairing', function () {
  this.timeout(60_000);

  it('brings the state and the circle’s part to the device that made the offer', async () => {
    const [fresh, old] = [new PairingDevice(), new PairingDevice()];
    const offer = await fresh.pairing.makeOffer('New laptop');
    old.now += 5_000;
    const { parcel, digits } = await old.sealed(offer);
    expect(digits).to.match(/^\d{6}$/);
    const opened = await fresh.pairing.open(parcel, digits);
    if (opened.outcome !== 'opened') throw new Error(opened.outcome);
    expect(opened.state).to.deep.equal(EMPTY_STATE);
    expect(opened.circle.epoch.members.map(({ name }) => name).sort()).to.deep.equal([
      'New laptop',
      'Old laptop',
    ]);
    expect(opened.giver).to.deep.equal({ name: 'Old laptop', at: START + 5_000 });
  });

  it('outlives the end of a worker, and ends with the commit that takes it', async () => {
    const { fresh, offer, parcel, digits } = await paired();
    expect(await fresh.pairing.offer()).to.deep.equal(offer);
    const opened = await fresh.pairing.open(parcel, digits);
    if (opened.outcome !== 'opened') throw new Error(opened.outcome);
    const end = () =>
      fresh.vault.commit((draft) => fresh.pairing.endAnsweredIn(draft, opened.offerDigest));
    expect(await end()).to.equal(true);
    expect(await end()).to.equal(false);
    expect(await fresh.pairing.offer()).to.equal(undefined);
    expect(outcomeOf(await fresh.pairing.open(parcel, digits))).to.equal('no-offer'); // replayed
  });

  it('takes no parcel for another offer, or after the offer was withdrawn', async () => {
    const { fresh, parcel, digits } = await paired();
    const other = await paired();
    expect(outcomeOf(await other.fresh.pairing.open(parcel, digits))).to.equal('other-offer');
    await fresh.pairing.makeOffer('New laptop');
    expect(outcomeOf(await fresh.pairing.open(parcel, digits))).to.equal('other-offer');
    await fresh.pairing.endOffer();
    expect(outcomeOf(await fresh.pairing.open(parcel, digits))).to.equal('no-offer');
  });

  it('ends after ten minutes of the new device’s clock, and where that was set back', async () => {
    for (const [ms, isAlive] of [
      [OFFER_LIFE_MS - 1, true],
      [OFFER_LIFE_MS, false],
      [-1, false],
    ] as const) {
      const { fresh, parcel, digits } = await paired();
      fresh.now += ms;
      const outcome = outcomeOf(await fresh.pairing.open(parcel, digits));
      expect(outcome).to.equal(isAlive ? 'opened' : 'no-offer');
      fresh.now = START;
      expect((await fresh.pairing.offer()) !== undefined).to.equal(isAlive);
    }
  });

  it('ends with the third wrong digits, whichever worker counts them', async () => {
    const { fresh, parcel, digits } = await paired();
    for (let left = DIGITS_TRIES - 1; left >= 0; left--) {
      const outcome = await fresh.pairing.open(parcel, otherThan(digits, left + 1));
      expect(outcome).to.deep.equal({ outcome: 'wrong-digits', triesLeft: left });
    }
    expect(outcomeOf(await fresh.pairing.open(parcel, digits))).to.equal('no-offer');
  });

  it('counts each wrong try of several at once', async () => {
    const { fresh, parcel, digits } = await paired();
    const tries = Array.from({ length: 6 }, (_, at) =>
      fresh.pairing.open(parcel, otherThan(digits, at + 1)),
    );
    const outcomes = (await Promise.all(tries)).map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === 'wrong-digits')).to.have.length(DIGITS_TRIES);
    expect(outcomes.filter((outcome) => outcome === 'no-offer')).to.have.length(3);
  });

  it('refuses what is no digits at all as wrong digits', async () => {
    const { fresh, parcel, digits } = await paired();
    for (const typed of ['', `${digits}0`]) {
      expect(outcomeOf(await fresh.pairing.open(parcel, typed))).to.equal('wrong-digits');
    }
  });

  it('takes no parcel that an attacker planted, whose digits the person does not see', async () => {
    const { fresh, offer, digits } = await paired();
    const attacker = new PairingDevice();
    const planted = await attacker.sealed(offer);
    const isGuessed = planted.digits === digits; // one in a million
    const outcome = outcomeOf(await fresh.pairing.open(planted.parcel, digits));
    expect(outcome).to.equal(isGuessed ? 'opened' : 'wrong-digits');
  });

  it('gives a planted offer nothing that opens for the device that was meant', async () => {
    const { fresh, old, digits } = await paired();
    const attacker = new PairingDevice();
    const planted = await attacker.pairing.makeOffer('New laptop');
    const { parcel } = await old.sealed(planted);
    expect(outcomeOf(await fresh.pairing.open(parcel, digits))).to.equal('other-offer');
  });

  it('binds a parcel to the names, the times and the key of both devices', async () => {
    const { fresh, old, offer } = await paired();
    const parsed = parseOffer(offer);
    const altered = [
      encodeOffer({ ...parsed, member: { ...parsed.member, name: 'New desktop' } }),
      encodeOffer({ ...parsed, at: parsed.at + 1 }),
    ];
    for (const each of altered) {
      const { parcel, digits } = await old.sealed(each);
      expect(outcomeOf(await fresh.pairing.open(parcel, digits))).to.equal('other-offer');
      // With the digest of the true offer in its place, the seal does not open.
      const { parcel: true_ } = await old.sealed(offer);
      const forged = copyOf(parcel);
      forged.set(true_.subarray(0, 38));
      expect(await codeOf(fresh.pairing.open(forged, digits))).to.equal('MALFORMED');
    }
  });

  it('refuses each altered byte and each length of a parcel, and counts no try', async () => {
    const { fresh, parcel, digits } = await paired();
    const places = fc.integer({ min: 0, max: parcel.length - 1 });
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const altered = parcel.with(at, parcel[at]! ^ mask);
        const end = await fresh.pairing.open(altered, digits).then(outcomeOf, isMalformed);
        expect(end).to.equal(at >= 6 && at < 38 ? 'other-offer' : true);
        const cut = fresh.pairing.open(parcel.subarray(0, at), digits);
        expect(await cut.then(outcomeOf, isMalformed)).to.equal(true);
      }),
      { numRuns: 60 },
    );
    expect(await fresh.pairing.open(parcel, otherThan(digits))).to.deep.include({ triesLeft: 2 });
  });

  it('refuses what is no state, after the right digits', async () => {
    const { fresh, offer } = await paired();
    const parsed = { bytes: offer, offer: parseOffer(offer) };
    const parts = { kem: KEM, crypto: NATIVE_CRYPTO, random: systemRandom };
    const giver = { name: 'Old laptop', at: START };
    for (const text of ['', '{}', '{"entries":{},"seen":{},"more":1}']) {
      const contents = { circle: new Uint8Array(0), state: new TextEncoder().encode(text) };
      const { parcel, digits } = await sealParcel(parsed, giver, contents, parts);
      expect(await codeOf(fresh.pairing.open(parcel, digits))).to.equal('MALFORMED');
    }
  });

  it('refuses too much before any work, on both sides', async () => {
    const { offer } = await paired();
    expect(() => parseParcel(new Uint8Array(PARCEL_MAX_BYTES + 1))).to.throw(PairingError);
    const none = () => Promise.reject(new Error('must not be called'));
    const kem = { ...KEM, encapsulate: none };
    const parts = { kem, crypto: NATIVE_CRYPTO, random: systemRandom };
    const contents = { circle: new Uint8Array(0), state: new Uint8Array(PARCEL_MAX_BYTES) };
    const parsed = { bytes: offer, offer: parseOffer(offer) };
    const sealing = sealParcel(parsed, { name: 'Old laptop', at: START }, contents, parts);
    expect(await codeOf(sealing)).to.equal('TOO_LARGE');
  });

  it('refuses an offer whose key is no point of X-Wing', async () => {
    const old = new PairingDevice();
    const xWing = new Uint8Array(X_WING_KEY_BYTES).fill(0xff);
    const offer = encodeOffer({ member: { ...newMember('New laptop'), xWing }, at: START });
    const circle = new Uint8Array(0);
    const sealing = old.pairing.seal(offer, 'Old laptop', { state: STATE, circle });
    expect(await codeOf(sealing)).to.equal('MALFORMED');
  });

  it('has digits that differ from parcel to parcel', async () => {
    const { old, offer } = await paired();
    const all = new Set<string>();
    for (let i = 0; i < 20; i++) {
      all.add((await old.sealed(offer)).digits);
    }
    expect(all.size).to.be.greaterThan(18);
  });
});
