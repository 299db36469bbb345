import {
  cshake128,
  cshake256,
  kmac128,
  kmac256,
  kt128,
  kt256,
  turboshake128,
  turboshake256,
} from '@noble/hashes/sha3-addons.js';
import { expect } from 'chai';
import { utf8 } from '../../src/crypto/bytes.ts';
import type { KmacName, XofName } from '../../src/engine/contract.ts';
import { checkAll, readPublished } from '../support/vectors.ts';
import { inDepth } from '../support/depth.ts';
import type { Subject } from './subject.ts';

interface Sample {
  readonly function: 'cSHAKE128' | 'cSHAKE256' | KmacName;
  readonly countedBytes: number;
  readonly customization: string;
  readonly output: string;
}

interface Rfc9861 {
  readonly function: Exclude<XofName, 'cSHAKE128' | 'cSHAKE256'>;
  readonly message: { readonly pattern?: number; readonly hex?: string };
  readonly customization?: number;
  readonly domainSeparation?: number;
  readonly outputBytes: number;
  readonly output: string;
  readonly last?: number;
}

const NONE = new Uint8Array(0);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** ptn(n) of RFC 9861 */
const pattern = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

/** The rates, one chunk, eight chunks (what the module's memory holds), and one less and one more. */
const LENGTHS = [0, 1, 135, 136, 137, 167, 168, 169, 335, 336, 337, 8191, 8192, 8193];
const LONG = inDepth(
  [16_383, 16_384, 16_385, 65_536, 73_727, 73_728, 73_729, 200_000],
  [16_384, 73_727, 73_729],
);
/** Of RFC 9861: of the longer ones, each function has two. */
const MOST_BYTES = inDepth(Infinity, 17 ** 4);
const OUTPUTS = [1, 32, 135, 136, 137, 168, 169, 500];

/** cSHAKE, TurboSHAKE, KangarooTwelve and KMAC: published examples, and @noble/hashes at all edges. */
export function describeKeccak(subject: Subject): void {
  if (!subject.has('KT128')) return;

  it('gives the examples for SP 800-185', async () => {
    const { vectors } = readPublished('sp800-185.json') as { vectors: Sample[] };
    expect(vectors.length).to.equal(10);
    const key = Uint8Array.from({ length: 32 }, (_, i) => 0x40 + i);
    await checkAll('sp800-185.json', vectors, async (v) => {
      const customization = utf8(v.customization);
      const params = { outputBytes: v.output.length / 2, customization };
      const message = pattern(v.countedBytes);
      if (v.function === 'cSHAKE128' || v.function === 'cSHAKE256') {
        const all = { ...params, functionName: NONE };
        expect(hex(await subject.xof(v.function, all, message))).to.equal(v.output);
      } else {
        const tag = await subject.kmac(v.function, key, params, message);
        expect(hex(tag)).to.equal(v.output);
        expect(await subject.verifyKmac(v.function, key, params, tag, message)).to.equal(true);
      }
    });
  });

  it('gives the vectors of RFC 9861', async () => {
    const { vectors } = readPublished('rfc9861.json') as { vectors: Rfc9861[] };
    expect(vectors.length).to.equal(60);
    const affordable = vectors.filter(({ message }) => (message.pattern ?? 0) <= MOST_BYTES);
    await checkAll('rfc9861.json', affordable, async (v) => {
      const { outputBytes, domainSeparation = 0 } = v;
      const message = v.message.hex === undefined ? pattern(v.message.pattern!) : fromHex(v);
      const params = {
        outputBytes,
        domainSeparation,
        customization: pattern(v.customization ?? 0),
      };
      const output = await subject.xof(v.function, params, message);
      expect(output.length).to.equal(outputBytes);
      expect(hex(output.subarray(-(v.last ?? outputBytes)))).to.equal(v.output);
    });
  });

  for (const [strength, functions] of [
    [128, { cshake: cshake128, turboshake: turboshake128, kt: kt128, kmac: kmac128 }],
    [256, { cshake: cshake256, turboshake: turboshake256, kt: kt256, kmac: kmac256 }],
  ] as const) {
    it(`gives what @noble/hashes gives, with ${strength} bits of security`, async () => {
      for (const [i, length] of [...LENGTHS, ...LONG].entries()) {
        const [message, dkLen] = [pattern(length), OUTPUTS[i % OUTPUTS.length]!];
        // Customizations that end before, at and after a block and a chunk.
        const customization = pattern([0, 1, 41, 168, 8189, 8190, 9000][i % 7]!);
        const functionName = pattern(i % 3);
        const label = `${length} bytes, ${dkLen} of output`;
        const personalization = customization;
        const params = { outputBytes: dkLen, customization };
        const [D, key] = [1 + (i % 0x7f), pattern(7 * i)];
        const turbo = { outputBytes: dkLen, domainSeparation: D };
        expect(hex(await subject.xof(`TurboSHAKE${strength}`, turbo, message)), label).to.equal(
          hex(functions.turboshake(message, { dkLen, D })),
        );
        expect(hex(await subject.xof(`KT${strength}`, params, message)), label).to.equal(
          hex(functions.kt(message, { dkLen, personalization })),
        );
        const named = { ...params, functionName };
        expect(hex(await subject.xof(`cSHAKE${strength}`, named, message)), label).to.equal(
          hex(functions.cshake(message, { dkLen, personalization, NISTfn: functionName })),
        );
        // SP 800-185, section 8.4.2: tags have 32 bits at least.
        const ofTag = { ...params, outputBytes: Math.max(4, dkLen) };
        const tag = functions.kmac(key, message, { dkLen: ofTag.outputBytes, personalization });
        expect(hex(await subject.kmac(`KMAC${strength}`, key, ofTag, message)), label).to.equal(
          hex(tag),
        );
        const other = { ...params, outputBytes: ofTag.outputBytes + 1 };
        const refused = await subject.verifyKmac(`KMAC${strength}`, key, other, tag, message);
        expect(refused, label).to.equal(false);
      }
    });
  }

  it('takes Buffers at odd offsets, and leaves them as they are', async () => {
    for (const length of [0, 1, 169, 8193, 70_000]) {
      const room = Buffer.alloc(length + 16, 0xa5);
      const message = room.subarray(3, 3 + length);
      message.set(pattern(length));
      const before = Buffer.from(room);
      const customization = Buffer.from(pattern(9)).subarray(1);
      const params = { outputBytes: 40, customization };
      const plain = { outputBytes: 40, customization: pattern(9).slice(1) };
      for (const name of ['KT128', 'KT256'] as const) {
        expect(hex(await subject.xof(name, params, message))).to.equal(
          hex(await subject.xof(name, plain, pattern(length))),
        );
      }
      const key = Buffer.from(pattern(33)).subarray(1);
      expect(hex(await subject.kmac('KMAC128', key, params, message))).to.equal(
        hex(await subject.kmac('KMAC128', pattern(33).slice(1), plain, pattern(length))),
      );
      expect(room.equals(before)).to.equal(true);
    }
  });
}

function fromHex(v: Rfc9861): Uint8Array {
  return Uint8Array.from(Buffer.from(v.message.hex!, 'hex'));
}
