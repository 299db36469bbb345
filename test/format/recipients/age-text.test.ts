import { Encrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import { ChaCha20Poly1305 } from '../../../src/crypto/aead/chacha20-poly1305.ts';
import { utf8 } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { hpkeKeys } from '../../../src/crypto/kdf/hpke.ts';
import { NATIVE_X25519 } from '../../../src/engine/kem/native-x25519.ts';
import { xWingKem } from '../../../src/engine/kem/x-wing-kem.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../../src/format/native-crypto.ts';
import { hpkeRecipient } from '../../../src/format/recipients/hpke.ts';
import {
  hybridIdentity,
  hybridRecipient,
  mixesRecipients,
} from '../../../src/format/recipients/age-text.ts';
import { ageFiles } from '../../support/age-files.ts';
import { errorOf } from '../../support/outcomes.ts';
import { randomBytes } from '../../support/random-bytes.ts';

/** age-encryption.org/v1, "mlkem768x25519 recipient stanza". */
const INFO = 'age-encryption.org/mlkem768x25519';
const CHACHA20_POLY1305 = { id: 0x0003, keyBytes: 32, nonceBytes: 12 };
const KEM = xWingKem(() => NATIVE_X25519);

/** The encapsulation and the sealed file key of a file for one hybrid recipient. */
async function stanzaFor(recipient: string) {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const text = new TextDecoder('latin1').decode(await encrypter.encrypt('hello'));
  const [, share, body] = /-> mlkem768x25519 (\S+)\n(\S+)\n---/.exec(text)!;
  return { encapsulated: Buffer.from(share!, 'base64'), body: Buffer.from(body!, 'base64') };
}

describe('An X-Wing key in the texts of age', () => {
  it('has the recipient and the identity that age makes of its seed', async () => {
    for (let i = 0; i < 5; i++) {
      const seed = randomBytes(32);
      const identity = hybridIdentity(seed);
      const recipient = hybridRecipient(await KEM.publicKey(seed));
      expect(await identityToRecipient(identity)).to.equal(recipient);
      expect(recipient).to.have.lengthOf(1959);
      expect(await ageFiles.recipientsOf([identity])).to.deep.equal([recipient]);
    }
    const made = await generateHybridIdentity();
    expect(made).to.have.lengthOf(hybridIdentity(new Uint8Array(32)).length);
  });

  it('is refused in other lengths', () => {
    for (const [make, length] of [
      [hybridIdentity, 31],
      [hybridIdentity, 33],
      [hybridRecipient, 1184],
    ] as const) {
      expect(() => make(new Uint8Array(length))).to.throw(RangeError);
    }
  });

  it('opens entries of age’s own info, and messages of Sealwright open no other', async () => {
    const seed = randomBytes(32);
    const publicKey = await KEM.publicKey(seed);
    const { encapsulated, body } = await stanzaFor(hybridRecipient(publicKey));
    const secret = await KEM.decapsulate(seed, encapsulated);
    const keyOf = (info: string) =>
      hpkeKeys(KEM.id, CHACHA20_POLY1305, Uint8Array.from(secret), utf8(info));
    const { key, nonce } = keyOf(INFO);
    expect(new ChaCha20Poly1305(key).open(nonce, body)).to.have.lengthOf(16);
    const other = keyOf('age-encryption.org/mlkem768p256tag');
    expect(() => new ChaCha20Poly1305(other.key).open(other.nonce, body)).to.throw(
      AuthenticationError,
    );
    // The same KEM and key in a message of Sealwright: its info is the context of the entry, its AEAD AES-256-GCM.
    const ours = hpkeRecipient(KEM, NATIVE_CRYPTO, NATIVE_RANDOM);
    const entry = await ours.wrap(publicKey, randomBytes(32), utf8(INFO));
    const theirSecret = await KEM.decapsulate(seed, entry.subarray(0, KEM.encapsulatedBytes));
    const asAge = hpkeKeys(KEM.id, CHACHA20_POLY1305, theirSecret, utf8(INFO));
    const sealedKey = entry.subarray(KEM.encapsulatedBytes);
    expect(() => new ChaCha20Poly1305(asAge.key).open(asAge.nonce, sealedKey)).to.throw(
      AuthenticationError,
    );
    const asOurs = Uint8Array.from([...encapsulated, ...body, ...new Uint8Array(16)]);
    expect(await errorOf(ours.unwrap(seed, asOurs, utf8(INFO)))).to.be.instanceOf(
      AuthenticationError,
    );
  });

  it('is among recipients that are hybrid all, or not at all', () => {
    for (const [recipients, isMixed] of [
      [['age1pq1x', 'age1tagpq1y', 'age1pq1z'], false],
      [['age1x', 'age1tag1y'], false],
      [[], false],
      [['age1pq1x', 'age1y'], true],
      [['age1x', 'age1tagpq1y'], true],
    ] as const) {
      expect(mixesRecipients(recipients), recipients.join()).to.equal(isMixed);
    }
  });
});
