import { createDiffieHellman, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { toBigint, toBytes } from '../../../../src/crypto/bigint/integers.ts';
import type { ModExp } from '../../../../src/crypto/bigint/mod-exp.ts';
import { createModExp } from '../../../../src/crypto/bigint/mod-exp.ts';
import type { OddPower } from '../../../../src/crypto/bigint/odd-power.ts';
import { createDh } from '../../../../src/crypto/classical/dh.ts';
import { namedGroup } from '../../../../src/crypto/classical/dh-groups.ts';
import { createDsa } from '../../../../src/crypto/classical/dsa.ts';
import type { DsaHashName } from '../../../../src/crypto/classical/dsa-hashes.ts';
import { LAYOUTS } from '../../../../src/engine/wasm/generator/montgomery/layout.ts';
import { loadMontgomery } from '../../../../src/engine/wasm/montgomery/montgomery.ts';
import type { Variant } from '../../../../src/engine/wasm/generator/dsl/lookup.ts';
import {
  awkwardModuli,
  expectedPower,
  randomInteger,
  signed,
} from '../../../crypto/bigint/powers.ts';
import { POWER_SIZES } from '../../../../lab/tasks.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { describeVectors, hex, parseRsp, readPublished } from '../../../support/vectors.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

for (const variant of UNIT_VARIANTS) {
  describe(`the Montgomery module (${variant})`, () => {
    let power: OddPower;
    let modExp: ModExp;

    before(async () => {
      power = await loadMontgomery(loadWasm, variant);
      modExp = createModExp(power);
    });

    describeVectors('vectors/libraries/boringssl-mod-exp.txt', parseRsp, (vector) => {
      const [base, exponent, modulus, result] = ['a', 'e', 'm', 'modexp'].map((name) =>
        signed(vector[name]!),
      ) as [bigint, bigint, bigint, bigint];
      const positive = ((base % modulus) + modulus) % modulus;
      expect(modExp(positive, exponent, modulus)).to.equal(result);
    });

    it('agrees with bigint arithmetic at every modulus size from 2 to 2,100 bits', () => {
      for (let bits = 2; bits <= 2100; bits += bits < 520 ? 1 : 7) {
        const modulus = randomInteger(bits) | 1n;
        const base = randomInteger((bits * 5) % 2311);
        const exponent = randomInteger(bits % 41);
        expect(modExp(base, exponent, modulus), `${bits} bits`).to.equal(
          expectedPower(base, exponent, modulus),
        );
      }
    });

    it('agrees with bigint arithmetic if all limbs are full, and if almost all are empty', () => {
      for (const bits of [2, 3, 8, 24, 50, 51, 52, 93, 96, 99, 100, 102, 204, 1437, 1438, 5000]) {
        for (const modulus of awkwardModuli(bits)) {
          for (const base of [modulus - 1n, modulus >> 1n, modulus + 1n, modulus * modulus - 1n]) {
            expect(modExp(base, 65537n, modulus), `${bits} bits`).to.equal(
              expectedPower(base, 65537n, modulus),
            );
          }
        }
      }
    });

    for (const { modulus: bits, exponent: exponentBits } of POWER_SIZES.slice(0, 6)) {
      it(`is right for ${bits} bits and an exponent of ${exponentBits}`, () => {
        const modulus = randomInteger(bits) | 1n;
        const [base, exponent] = [randomInteger(bits), randomInteger(exponentBits)];
        expect(modExp(base, exponent, modulus)).to.equal(expectedPower(base, exponent, modulus));
      });
    }

    it('supports 16,384 bits itself and longer moduli by the portable arithmetic', () => {
      for (const bits of [16_376, 16_384, 16_392]) {
        const modulus = randomInteger(bits) | 1n;
        const base = randomInteger(bits + 100);
        expect(modExp(base, 65537n, modulus), `${bits} bits`).to.equal(
          expectedPower(base, 65537n, modulus),
        );
      }
    });

    it('accepts bases of many times the length of the modulus, and empty ones', () => {
      const modulus = toBytes(randomInteger(160) | 1n);
      for (const length of [0, 1, 19, 20, 21, 39, 40, 41, 500]) {
        const base = Uint8Array.from(randomBytes(length));
        const expected = expectedPower(toBigint(base), 3n, toBigint(modulus));
        expect(toBigint(power(base, Uint8Array.of(3), modulus)), `${length}`).to.equal(expected);
      }
    });

    it('switches between long and short moduli', () => {
      for (const bits of [2048, 24, 1024, 160, 3072, 2048]) {
        const modulus = randomInteger(bits) | 1n;
        const base = randomInteger(bits);
        expect(modExp(base, 1001n, modulus)).to.equal(expectedPower(base, 1001n, modulus));
      }
    });

    it('does not change its arguments', () => {
      const [base, exponent] = [randomBytes(32), randomBytes(5)];
      const modulus = toBytes(randomInteger(256) | 1n);
      const copies = [base, exponent, modulus].map((each) => each.slice());
      power(base, exponent, modulus);
      expect([base, exponent, modulus].map((each) => each.slice())).to.deep.equal(copies);
    });

    it('leaves nothing in its memory', async () => {
      const { instance, memory } = await watched(variant);
      instance(randomBytes(300), randomBytes(28), toBytes(randomInteger(2048) | 1n));
      const { secrets } = LAYOUTS[variant];
      expect(
        memory()
          .subarray(secrets)
          .every((byte) => byte === 0),
      ).to.equal(true);
    });

    it('agrees with OpenSSL in Diffie-Hellman', () => {
      const { p, g } = namedGroup('modp2048');
      const dh = createDh(power, randomBytes);
      const peer = createDiffieHellman(Buffer.from(toBytes(p)), Buffer.from([2]));
      peer.generateKeys();
      const own = dh.generateKeyPair({ p, g });
      const secret = dh.sharedSecret({ p, g }, own.privateKey, peer.getPublicKey());
      expect(toBigint(secret)).to.equal(toBigint(peer.computeSecret(own.publicKey)));
    });

    it('gives the DSA signatures of RFC 6979', () => {
      const dsa = createDsa(power);
      const { keys } = readPublished('rfc6979-dsa.json') as { keys: Record<string, unknown>[] };
      for (const { signatures, ...members } of keys) {
        const group = { p: hex(members, 'p'), q: hex(members, 'q'), g: hex(members, 'g') };
        for (const each of signatures as Record<'message' | 'hash' | 'r' | 's', string>[]) {
          const hash = each.hash as DsaHashName;
          const text = new TextEncoder().encode(each.message);
          const signature = dsa.sign({ ...group, hash, x: hex(members, 'x') }, text);
          expect(Buffer.from(signature).toString('hex')).to.equal(each.r + each.s);
        }
      }
    });
  });
}

/** A module whose memory is visible to the test, which observes WebAssembly's instances. */
async function watched(
  variant: Variant,
): Promise<{ instance: OddPower; memory: () => Uint8Array }> {
  const instantiate = WebAssembly.instantiate;
  let exported: WebAssembly.Memory | undefined;
  WebAssembly.instantiate = (async (source: BufferSource) => {
    const result = await instantiate(source);
    exported = result.instance.exports['memory'] as WebAssembly.Memory;
    return result;
  }) as typeof WebAssembly.instantiate;
  try {
    const instance = await loadMontgomery(loadWasm, variant);
    return { instance, memory: () => new Uint8Array(exported!.buffer) };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}
