import { expect } from 'chai';
import type { SalsaParams } from '../../src/engine/contract.ts';
import { cryptoppBytes, parseCryptopp } from '../support/references/cryptopp.ts';
import { EDGE_LENGTHS, unaligned } from '../support/edge-lengths.ts';
import { describeSample } from '../support/depth.ts';
import type { Fields } from '../support/vectors.ts';
import { refused } from './gaps.ts';
import type { Subject } from './subject.ts';

/** Salsa20 with 8, 12 and 20 rounds. */
export function describeSalsa(subject: Subject): void {
  if (!subject.has('Salsa20')) return;
  describe('Salsa20', () => {
    describeSample('vectors/libraries/cryptopp-salsa20.txt', parseCryptopp('Salsa20'), (v) =>
      holds(subject, v),
    );

    const key = Uint8Array.from({ length: 32 }, (_, i) => 3 * i);
    const params = { nonce: new Uint8Array(8).fill(9), rounds: 20, counter: 0 } as const;

    it('is one key stream: pieces give the same bytes as the whole, also in place', async () => {
      const whole = await subject.encrypt('Salsa20', key, params, new Uint8Array(64 + 8193));
      for (const [i, length] of EDGE_LENGTHS.entries()) {
        const data = unaligned(new Uint8Array(length), i % 8);
        const piece = await subject.encrypt('Salsa20', key, { ...params, counter: 1 }, data);
        expect(piece, `${length}`).to.deep.equal(whole.subarray(64, 64 + length));
        const back = await subject.decrypt(
          'Salsa20',
          key,
          { ...params, counter: 1n },
          piece,
          piece,
        );
        expect(back, `${length}`).to.deep.equal(new Uint8Array(length));
      }
    });

    it('refuses to count beyond 2^64 blocks', async () => {
      const last = { ...params, counter: 2n ** 64n - 1n };
      expect(await subject.encrypt('Salsa20', key, last, new Uint8Array(64))).to.have.length(64);
      const beyond = subject.encrypt('Salsa20', key, last, new Uint8Array(65));
      expect(await refused(beyond)).to.equal(true);
    });
  });
}

async function holds(subject: Subject, v: Fields): Promise<void> {
  const seek = Number(v['seek64'] ?? v['seek'] ?? 0);
  const params: SalsaParams = {
    nonce: cryptoppBytes(v, 'iv'),
    rounds: Number(v['rounds'] ?? 20) as SalsaParams['rounds'],
    counter: v['test'] === 'EncryptXorDigest' ? 0 : seek / 64,
  };
  const key = cryptoppBytes(v, 'key');
  const plaintext = cryptoppBytes(v, 'plaintext');
  if (v['test'] === 'EncryptXorDigest') {
    const text = await subject.encrypt('Salsa20', key, params, plaintext);
    expect(xorDigest(text)).to.deep.equal(cryptoppBytes(v, 'ciphertextxordigest'));
    return;
  }
  const expected = cryptoppBytes(v, 'ciphertext');
  const data = plaintext.subarray(0, expected.length);
  const text = await subject.encrypt('Salsa20', key, params, data);
  expect(text).to.deep.equal(expected.subarray(0, data.length));
}

/** eSTREAM: the XOR of all blocks of 64 bytes. */
function xorDigest(text: Uint8Array): Uint8Array {
  const digest = new Uint8Array(64);
  for (const [i, byte] of text.entries()) digest[i % 64]! ^= byte;
  return digest;
}
