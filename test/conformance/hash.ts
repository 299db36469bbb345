import { expect } from 'chai';
import type { DigestName } from '../../src/engine/contract.ts';
import { describeSample, inDepth } from '../support/depth.ts';
import { checkAll, hex, parseRsp, readPublished, sjclVectors } from '../support/vectors.ts';
import type { Fields } from '../support/vectors.ts';
import type { Subject } from './subject.ts';

/** The SHA family, SHA-3, BLAKE2b and BLAKE3. */
export function describeHashes(subject: Subject): void {
  it('digests the examples of FIPS 180-4', async () => {
    const { vectors } = readPublished('sha.json') as {
      vectors: { hash: DigestName; text: string; repeat: number; digest: string }[];
    };
    expect(new Set(vectors.map(({ hash }) => hash)).size).to.equal(4);
    await checkAll('sha.json', vectors, async ({ hash, text, repeat, digest }) => {
      const message = Buffer.from(text.repeat(repeat));
      expect(await hexDigest(subject, hash, message)).to.equal(digest);
    });
  });
  describeNewer(subject);
  for (const [size, name] of [
    ['1', 'SHA-1'],
    ['256', 'SHA-256'],
    ['384', 'SHA-384'],
    ['512', 'SHA-512'],
  ] as const) {
    const folder = `cryptography_vectors/hashes/SHA${size === '1' ? 1 : 2}`;
    const holds = (v: Fields) => digestHolds(subject, name, v);
    describeSample(`${folder}/SHA${size}ShortMsg.rsp`, parseRsp, holds);
    describeSample(`${folder}/SHA${size}LongMsg.rsp`, parseRsp, holds, 5);
    const monte = (v: Monte) => monteHolds(subject, name, v);
    describeSample(`${folder}/SHA${size}Monte.rsp`, monteCarlo, monte);
    if (size === '384') continue; // SJCL has no vectors of SHA-384
    describeSample(`sjcl/sha${size}_vectors.js`, sjclPairs, async ({ text, digest }) => {
      expect(await hexDigest(subject, name, Buffer.from(text))).to.equal(digest);
    });
  }
}

function describeNewer(subject: Subject): void {
  if (!subject.has('SHA3-256')) return;
  it('digests the examples of FIPS 202', async () => {
    const { vectors } = readPublished('sha3.json') as {
      vectors: { hash: DigestName; text: string; repeat: number; digest: string }[];
    };
    expect(new Set(vectors.map(({ hash }) => hash)).size).to.equal(3);
    await checkAll('sha3.json', vectors, async ({ hash, text, repeat, digest }) => {
      const message = Buffer.from(text.repeat(repeat));
      expect(await hexDigest(subject, hash, message)).to.equal(digest);
    });
  });
  if (!subject.has('BLAKE2b')) return;
  it('digests with BLAKE2b the example of RFC 7693', async () => {
    const blake2b = readPublished('blake2b.json') as { vectors: Fields[] };
    await checkAll('blake2b.json', blake2b.vectors, async (v) => {
      expect(await hexDigest(subject, 'BLAKE2b', Buffer.from(v['text']!))).to.equal(v['digest']);
    });
  });
  describeBlake3(subject);
}

/** BLAKE3 alone. */
export function describeBlake3(subject: Subject): void {
  it('digests with BLAKE3 its test vectors', async () => {
    const blake3 = readPublished('blake3.json') as {
      vectors: { lengthBytes: number; hash: string }[];
    };
    expect(blake3.vectors.length).to.equal(35);
    await checkAll('blake3.json', blake3.vectors, async ({ lengthBytes, hash }) => {
      const message = Uint8Array.from({ length: lengthBytes }, (_, i) => i % 251);
      expect(await hexDigest(subject, 'BLAKE3', message)).to.equal(hash.slice(0, 64));
    });
  });
}

async function hexDigest(subject: Subject, name: DigestName, message: Uint8Array): Promise<string> {
  return Buffer.from(await subject.digest(name, message)).toString('hex');
}

async function digestHolds(subject: Subject, name: DigestName, v: Fields): Promise<void> {
  const message = Number(v['len']) === 0 ? new Uint8Array(0) : hex(v, 'msg');
  expect(message.length).to.equal(Number(v['len']) / 8);
  expect(await hexDigest(subject, name, message)).to.equal(v['md']);
}

interface Monte {
  readonly seed: string;
  readonly digest: string;
}

/**
 * Each COUNT starts from the previous digest. Runs the first three of a hundred, and one in `npm test`: the unit
 * tests of src/crypto run all, and every digest here is a call.
 */
function monteCarlo(text: string): Monte[] {
  const vectors = parseRsp(text);
  const digests = vectors.filter((v) => 'count' in v).slice(0, inDepth(3, 1));
  return digests.map((v, i) => ({
    seed: i === 0 ? v['seed']! : digests[i - 1]!['md']!,
    digest: v['md']!,
  }));
}

/** SHAVS, section 6.4: a thousand iterations over the last three digests. */
async function monteHolds(subject: Subject, name: DigestName, { seed, digest }: Monte) {
  let last = [seed, seed, seed].map((text) => Buffer.from(text, 'hex'));
  for (let i = 0; i < 1000; i++) {
    last = [last[1]!, last[2]!, Buffer.from(await subject.digest(name, Buffer.concat(last)))];
  }
  expect(last[2]!.toString('hex')).to.equal(digest);
}

function sjclPairs(text: string): { text: string; digest: string }[] {
  const vectors = sjclVectors(text) as [string, string][];
  return vectors.map(([message, digest]) => ({ text: message, digest }));
}
