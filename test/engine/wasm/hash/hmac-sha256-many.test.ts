import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../../src/crypto/bytes.ts';
import { hmacSha256Many } from '../../../../src/engine/wasm/hash/sha256-many.ts';
import { keyedStates } from '../../../../src/engine/wasm/hash/keyed-states.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/hash/sha-layout.ts';
import { loadSha } from '../../../../src/engine/wasm/hash/sha.ts';
import type { ShaModule } from '../../../../src/engine/wasm/hash/sha.ts';
import { EDGE_LENGTHS, unaligned } from '../../../support/edge-lengths.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { loadWasm } from '../../../support/wasm.ts';

describe('HMAC-SHA-256 of many messages at once', () => {
  let module: ShaModule;
  before(async () => {
    module = await loadSha(loadWasm);
  });

  const check = (keyBytes: number, lengths: readonly number[]): void => {
    const key = randomBytes(keyBytes);
    const messages = lengths.map((length, i) => unaligned(randomBytes(length), i % 8));
    const tags = hmacSha256Many(
      module,
      keyedStates(module, module.members['SHA-256'], key),
      messages,
    );
    const expected = messages.map((each) => createHmac('sha256', key).update(each).digest('hex'));
    expect(tags.map(toHex)).to.deep.equal(expected);
    expect(
      module.memory.subarray(SECRETS).every((byte) => byte === 0),
      'wiped',
    ).to.equal(true);
  };

  it('agrees with node:crypto under keys of any length', () => {
    for (const keyBytes of [0, 1, 32, 63, 64, 65, 200]) check(keyBytes, [0, 1, 100, 1388, 5000]);
  });

  it('accepts any number of messages, also none', () => {
    for (let count = 0; count <= 12; count++) {
      check(
        32,
        Array.from({ length: count }, (_, i) => 40 * i),
      );
    }
  });

  it('of all edge lengths, and around the lanes of 16 KiB less the key block', () => {
    check(32, EDGE_LENGTHS);
    check(
      32,
      [-73, -72, -64, -9, -8, -1, 0, 1, 64].map((more) => 16_384 + more),
    );
  });

  it('of any lengths', () => {
    const lengths = fc.array(fc.nat({ max: 3000 }), { maxLength: 20 });
    fc.assert(
      fc.property(lengths, (all) => check(32, all)),
      { numRuns: 30 },
    );
  });

  it('does not affect a hash in progress', () => {
    const hash = module.hashes['SHA-256'].create().update(new Uint8Array(100).fill(7));
    check(32, [500, 500, 500, 500]);
    const expected = module.hashes['SHA-256'].digest(new Uint8Array(100).fill(7));
    expect(hash.digest()).to.deep.equal(expected);
  });
});
