import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import type { ResumableHash } from '../../../src/crypto/hash/merkle-damgard.ts';
import { writeBitLength } from '../../../src/crypto/hash/merkle-damgard.ts';
import { SHA256 } from '../../../src/crypto/hash/sha256.ts';
import { SHA384, SHA512 } from '../../../src/crypto/hash/sha512.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';

const bitLength = (messageBytes: number, blockBytes = 16): string => {
  const block = new Uint8Array(blockBytes);
  writeBitLength(block, messageBytes);
  return toHex(block.subarray(-8));
};

describe('Merkle–Damgård padding', () => {
  it('writes the length in bits, as 64-bit integer', () => {
    expect(bitLength(0)).to.equal('0000000000000000');
    expect(bitLength(3)).to.equal('0000000000000018');
  });

  it('counts on past 2^32 bits: at 2^29 bytes the high word begins', () => {
    expect(bitLength(2 ** 29 - 1)).to.equal('00000000fffffff8');
    expect(bitLength(2 ** 29)).to.equal('0000000100000000');
    expect(bitLength(2 ** 29 + 1)).to.equal('0000000100000008');
  });

  it('is exact up to the largest length that a number holds', () => {
    for (const bytes of [2 ** 32 + 5, 2 ** 50 + 1, 2 ** 53 - 1]) {
      const expected = (BigInt(bytes) * 8n).toString(16).padStart(16, '0');
      expect(bitLength(bytes)).to.equal(expected);
    }
  });

  it('leaves the bytes before the length alone', () => {
    const block = new Uint8Array(16).fill(7);
    writeBitLength(block, 1);
    expect(toHex(block.subarray(0, 8))).to.equal('0707070707070707');
  });

  // Ten seconds: the word of the length that begins there is tested above.
  const inNightly = IS_NIGHTLY ? it : () => undefined;
  inNightly('hashes 2^29 + 1 bytes as node:crypto does', function () {
    this.timeout(120_000);
    const piece = new Uint8Array(2 ** 22).fill(0x5a);
    const ours = SHA256.create();
    const reference = createHash('sha256');
    for (let i = 0; i < 2 ** 7; i++) {
      ours.update(piece);
      reference.update(piece);
    }
    const last = Uint8Array.of(1);
    const expected = reference.update(last).digest('hex');
    expect(toHex(ours.update(last).digest())).to.equal(expected);
  });
});

describe('ResumableHash', () => {
  it('goes on from another state and drops its own', () => {
    const from = SHA256.create().update(new Uint8Array(100));
    const hash: ResumableHash = SHA256.create().update(new Uint8Array(33));
    hash.digest();
    const resumed = hash.resume!(from).update(Uint8Array.of(1));
    expect(resumed.digest()).to.deep.equal(from.update(Uint8Array.of(1)).digest());
  });

  it('refuses the state of another algorithm', () => {
    const hash: ResumableHash = SHA512.create();
    expect(() => hash.resume!(SHA256.create())).to.throw(TypeError, 'same algorithm');
    expect(() => hash.resume!(SHA384.create())).to.throw(TypeError, 'same algorithm');
  });
});
