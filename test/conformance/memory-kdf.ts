import { expect } from 'chai';
import { ARGON2_NAMES, type Argon2Name } from '../../src/crypto/kdf/argon2.ts';
import { describeSample } from '../support/depth.ts';
import { everyNth, IS_NIGHTLY } from '../support/nightly.ts';
import { describeVectors, hex, parseFields, parseRsp } from '../support/vectors.ts';
import type { Fields } from '../support/vectors.ts';
import { Gaps } from './gaps.ts';
import type { Subject } from './subject.ts';

/** Maximum N · r · p of the cases: larger ones take the portable code seconds. */
const MOST_WORK = 2 ** 18;
/** Maximum memory in KiB times passes, of Argon2. */
const MOST_BLOCKS = IS_NIGHTLY ? 8192 : 2048;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** scrypt and Argon2, with all published vectors. */
export function describeMemoryKdfs(subject: Subject): void {
  if (subject.has('scrypt')) describe('scrypt', () => describeScrypt(subject));
  for (const name of ARGON2_NAMES) {
    if (subject.has(name)) describe(name, () => describeArgon2(subject, name));
  }
}

function describeScrypt(subject: Subject): void {
  const gaps = new Gaps(subject);
  after(() => gaps.report());
  describeSample(
    'cryptography_vectors/KDF/scrypt.txt',
    affordable,
    (v) => {
      const [password, salt] = [text(v['password']!), text(v['salt']!)];
      return gaps.check(() => scryptHolds(subject, password, salt, v, 'derived_key'))(v);
    },
    3,
  );
  describeSample(
    'vectors/libraries/boringssl-scrypt.txt',
    openssl,
    (v) => {
      const [password, salt] = ['password', 'salt'].map((name) =>
        text(JSON.parse(v[name]!) as string),
      );
      return gaps.check(() => scryptHolds(subject, password!, salt!, v, 'key'))(v);
    },
    3,
  );
}

function affordable(file: string): Fields[] {
  return parseRsp(file).filter(
    (v) => Number(v['n']) * Number(v['r']) * Number(v['p']) <= MOST_WORK,
  );
}

function openssl(file: string): Fields[] {
  return parseFields(file, 'password');
}

async function scryptHolds(
  subject: Subject,
  password: Uint8Array,
  salt: Uint8Array,
  v: Fields,
  key: string,
): Promise<void> {
  const expected = hex(v, key);
  const params = { salt, N: Number(v['n']), r: Number(v['r']), p: Number(v['p']) };
  expect(await subject.derive('scrypt', password, params, expected.length)).to.deep.equal(expected);
}

function describeArgon2(subject: Subject, name: Argon2Name): void {
  const gaps = new Gaps(subject);
  after(() => gaps.report());
  const cli = {
    password: 'pass',
    nonce: 'salt',
    memory: 'memcost',
    passes: 'iter',
    lanes: 'lanes',
  };
  describeVectors(`cryptography_vectors/KDF/${name.toLowerCase()}.txt`, argon2Cli, (v) =>
    gaps.check(() => argon2Holds(subject, name, v, cli))(v),
  );
  const names = { password: 'passphrase', nonce: 'salt', memory: 'm', passes: 't', lanes: 'p' };
  describeVectors('vectors/libraries/botan-argon2.vec', botan(name), (v) =>
    gaps.check(() => argon2Holds(subject, name, v, names))(v),
  );
}

/** The portable code takes 15 s for the one of 128 MiB; test/engine/wasm/hash has it in `npm test`. */
function argon2Cli(file: string): Fields[] {
  return parseRsp(file).filter((v) => IS_NIGHTLY || Number(v['memcost']) <= MOST_BLOCKS);
}

/**
 * The vectors that the portable code can compute in reasonable time. Those of one pass differ in
 * the length of the password alone.
 */
function botan(name: Argon2Name): (file: string) => Fields[] {
  return (file) => {
    const all = parseRsp(file).filter(
      (v) =>
        v['section'] === name && 'output' in v && Number(v['m']) * Number(v['t']) <= MOST_BLOCKS,
    );
    const [one, more] = [true, false].map((isOne) => all.filter((v) => (v['t'] === '1') === isOne));
    return [...more!, ...everyNth(40, one!)];
  };
}

/** The parameters' names in the file. */
interface Argon2Names {
  readonly password: string;
  readonly nonce: string;
  readonly memory: string;
  readonly passes: string;
  readonly lanes: string;
}

async function argon2Holds(
  subject: Subject,
  name: Argon2Name,
  v: Fields,
  names: Argon2Names,
): Promise<void> {
  const optional = (field: string) => (v[field] === undefined ? new Uint8Array(0) : hex(v, field));
  const params = {
    nonce: hex(v, names.nonce),
    secret: optional('secret'),
    associatedData: optional('ad'),
    memoryKiB: Number(v[names.memory]),
    passes: Number(v[names.passes]),
    parallelism: Number(v[names.lanes]),
  };
  const expected = hex(v, 'output');
  const password = optional(names.password);
  const derived = await subject.derive(name, password, params, expected.length);
  expect(derived).to.deep.equal(expected);
}
