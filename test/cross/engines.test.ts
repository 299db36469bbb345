import { randomBytes } from 'node:crypto';
import type {
  AlgorithmName,
  Algorithms,
  CipherName,
  CipherParams,
  DigestName,
  MacName,
} from '../../src/engine/contract.ts';
import { jsEngine } from '../../src/engine/js/js.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import { enableRelaxedSimd, loadWasm } from '../support/wasm.ts';
import {
  ORACLE,
  oracleCbcMac,
  oracleCmac,
  oracleDigest,
  oracleHkdf,
  oracleHmac,
  oraclePbkdf2,
} from './oracle.ts';
import { EDGE_LENGTHS } from '../support/edge-lengths.ts';
import { inDepth } from '../support/depth.ts';
import { lengthsTo } from '../support/nightly.ts';

/*
 * Compares engines with each other and with independent implementations: random keys, and messages of every
 * length at an edge of a block, a buffer or a counter. A failure prints its inputs.
 */
/** In `npm test`, of the lengths above 150 those at the edges. */
const LENGTHS = [
  ...lengthsTo(4096).filter((one) => one <= 150 || inDepth(true, EDGE_LENGTHS.includes(one))),
  1_048_576,
];
const AES_KEY_BYTES = [16, 24, 32];
/** Key lengths of algorithms other than AES. */
const KEY_BYTES: { readonly [A in AlgorithmName]?: readonly number[] } = {
  'AES-SIV': [32, 48, 64],
  'AES-GCM-SIV': [16, 32],
  'ChaCha20-Poly1305': [32],
  'XChaCha20-Poly1305': [32],
  Salsa20: [16, 32],
};
const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const;

interface Contender {
  readonly name: string;
  readonly algorithms: Algorithms;
}

const contenders: Contender[] = [];
enableRelaxedSimd();
for (const engine of [jsEngine(), nativeEngine(), wasmSimdEngine(loadWasm)]) {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${engine.name}: ${probe.reason}`);
  contenders.push({ name: engine.name, algorithms: probe.algorithms });
}

const CIPHERS: { readonly [A in CipherName]: () => CipherParams[A] } = {
  'AES-GCM': () => aeadParams(12),
  'AES-CCM': () => aeadParams(12),
  'AES-OCB': () => aeadParams(12),
  'AES-CTR': () => ({ counter: random(16), counterBits: 128 }),
  'AES-CBC': () => ({ iv: random(16) }),
  'AES-ECB': () => ({}),
  'AES-KW': () => ({}),
  'AES-SIV': () => ({ associatedData: [random(5), random(0), random(randomBytes(1)[0]! % 40)] }),
  'AES-GCM-SIV': () => aeadParams(12),
  'ChaCha20-Poly1305': () => aeadParams(12),
  'XChaCha20-Poly1305': () => aeadParams(24),
  Salsa20: () => ({ nonce: random(8), rounds: 20, counter: randomBytes(4).readUInt32BE() >>> 1 }),
};

describe('engines and node:crypto agree at lengths from 0 to 4,096 and at 1 MiB', function () {
  this.timeout(120_000);

  for (const name of Object.keys(CIPHERS) as CipherName[]) {
    it(`${name}: ${namesOf(name)}`, async () => {
      for (const length of LENGTHS.filter((each) => takes(name, each))) {
        await compareCipher(name, length);
      }
    });
  }

  for (const name of ['HMAC', 'AES-CMAC', 'AES-CBC-MAC'] as const) {
    it(`${name}: ${namesOf(name)}`, async () => {
      for (const length of LENGTHS.filter((each) => takes(name, each))) {
        await compareMac(name, length);
      }
    });
  }

  for (const name of HASHES) {
    it(`${name}: ${namesOf(name)}`, async () => {
      for (const length of LENGTHS) await compareDigest(name, length);
    });
  }

  it(`HKDF and PBKDF2, outputs and secrets of 0 to 300 bytes: ${namesOf('HKDF')}`, async () => {
    for (let length = 0; length <= 300; length++) await compareKdfs(length);
  });
});

async function compareCipher(name: CipherName, length: number): Promise<void> {
  const key = random(keyBytesFor(name, length));
  const params = CIPHERS[name]();
  const data = random(length);
  const expected = ORACLE[name](key, params as never, data);
  for (const { name: engine, algorithms } of contenders) {
    const cipher = algorithms[name];
    const gap = await cipher?.gap?.(key.length, params as never);
    if (cipher === undefined || gap !== undefined) continue;
    const keyed = await cipher.withKey(key);
    const where = `${engine} ${name} ${length}`;
    same(await keyed.encrypt(params as never, data), expected, where, key);
    same(await keyed.decrypt(params as never, expected), data, `${where} backwards`, key);
    keyed.wipe();
  }
}

async function compareMac(name: MacName, length: number): Promise<void> {
  const hash = name === 'HMAC' ? HASHES[length % 4] : undefined;
  const key = random(hash ? length % 200 : keyBytesFor(name, length));
  const data = random(length);
  const byAes = name === 'AES-CMAC' ? oracleCmac : oracleCbcMac;
  const expected = hash ? oracleHmac(hash, key, data) : byAes(key, data);
  for (const { name: engine, algorithms } of contenders) {
    const keyed = await algorithms[name]?.withKey(key, hash);
    if (keyed) same(await keyed.sign(data), expected, `${engine} ${name} ${length}`, key);
  }
}

async function compareDigest(name: DigestName, length: number): Promise<void> {
  const data = random(length);
  const expected = oracleDigest(name, data);
  for (const { name: engine, algorithms } of contenders) {
    const digest = await algorithms[name]?.digest(data);
    if (digest) same(digest, expected, `${engine} ${name} ${length}`, data);
  }
}

async function compareKdfs(length: number): Promise<void> {
  const secret = random(length);
  const hash = HASHES[length % 4]!;
  const hkdf = { hash, salt: random(length % 90), info: random(length % 70) };
  const pbkdf2 = { hash, salt: random(length % 90), iterations: 1 + (length % 5) };
  for (const { name: engine, algorithms } of contenders) {
    const where = `${engine} ${length}`;
    const byHkdf = await algorithms.HKDF?.derive(secret, hkdf, length);
    if (byHkdf) same(byHkdf, oracleHkdf(secret, hkdf, length), `HKDF ${where}`, secret);
    const byPbkdf2 = await algorithms.PBKDF2?.derive(secret, pbkdf2, length);
    const expected = length === 0 ? new Uint8Array(0) : oraclePbkdf2(secret, pbkdf2, length);
    if (byPbkdf2) same(byPbkdf2, expected, `PBKDF2 ${where}`, secret);
  }
}

/** Each of the possible key lengths, by turns. */
function keyBytesFor(name: AlgorithmName, turn: number): number {
  const lengths = KEY_BYTES[name] ?? AES_KEY_BYTES;
  return lengths[turn % lengths.length]!;
}

/** Lengths that the algorithm's standard allows, and that are worth a test: KW is slow, and for keys. */
function takes(name: AlgorithmName, length: number): boolean {
  if (name === 'AES-KW') return length >= 16 && length % 8 === 0 && length <= 4096;
  if (name === 'AES-ECB') return length % 16 === 0;
  return name !== 'AES-CBC-MAC' || (length > 0 && length % 16 === 0);
}

function aeadParams(nonceBytes: number) {
  return {
    nonce: random(nonceBytes),
    associatedData: random(randomBytes(1)[0]! % 40),
    tagBytes: 16,
  };
}

function random(length: number): Uint8Array {
  return Uint8Array.from(randomBytes(length));
}

function namesOf(algorithm: AlgorithmName): string {
  const have = contenders.filter(({ algorithms }) => algorithms[algorithm] !== undefined);
  return [...have.map(({ name }) => name), 'an independent one'].join(', ');
}

/** Not chai's deep comparison, which is slow at 1 MiB. */
function same(actual: Uint8Array, expected: Uint8Array, where: string, key: Uint8Array): void {
  if (Buffer.compare(actual, expected) === 0) return;
  throw new Error(`${where}: results differ, key or data ${Buffer.from(key).toString('hex')}`);
}
