import { salsa20 as nobleSalsa20 } from '@noble/ciphers/salsa.js';
import { ctr as nobleCtr } from '@noble/ciphers/aes.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { Aes } from '../../src/crypto/aes/block.ts';
import { sha256 } from '../../src/crypto/hash/sha256.ts';
import { ctr } from '../../src/crypto/mode/ctr.ts';
import { salsa20 } from '../../src/crypto/stream/salsa20.ts';
import type { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../src/engine/wasm/aes/block-cipher.ts';
import { wasmCtr } from '../../src/engine/wasm/aes/ctr.ts';
import type { ArxModule } from '../../src/engine/wasm/arx/arx.ts';
import type { ShaModule } from '../../src/engine/wasm/hash/sha.ts';
import { asBytes, type Kind } from '../contender.ts';
import { JS, WASM } from '../names.ts';
import { pattern } from '../pattern.ts';
import { fromBits, sjcl, toBits } from '../peers/sjcl.ts';
import type { Entry, RowPlan } from '../row.ts';

/** The paper's question: what does a secure channel cost in AES, what in its rivals? */
const SIZES = [1 << 10, 1 << 16];
export const BESIDE = 'AES-128 beside SHA-256 and Salsa20';

type Primitive = 'AES-128-CTR' | 'SHA-256' | 'Salsa20/12' | 'Salsa20/20';

/** "Sealwright js SHA-256" */
export const besideName = (who: string, what: Primitive): string => `${who} ${what}`;

export interface Modules {
  readonly aes: AesModule;
  readonly arx: ArxModule;
  readonly sha: ShaModule;
}

export function besideRows(modules: Modules, largest: number): RowPlan[] {
  return SIZES.filter((bytes) => bytes <= largest).map((bytes) => ({
    algorithm: BESIDE,
    size: bytes,
    unit: 'B',
    bytes,
    entries: entriesFor(modules, pattern(bytes, 3)),
  }));
}

type Runs = Partial<Record<Primitive, () => unknown>>;

function entriesFor(modules: Modules, text: Uint8Array): Entry[] {
  return [
    ...entries(JS, 'ours', () => jsRuns(text)),
    ...entries(WASM, 'ours', () => wasmRuns(modules, text)),
    ...entries('@noble', 'pure js', () => nobleRuns(text)),
    ...entries('sjcl', 'pure js', () => sjclRuns(text), fromBits),
  ];
}

const NAMES: readonly Primitive[] = ['AES-128-CTR', 'SHA-256', 'Salsa20/12', 'Salsa20/20'];

function entries(who: string, kind: Kind, make: () => Runs, bytes = asBytes): Entry[] {
  return NAMES.map((what) => ({
    name: besideName(who, what),
    kind,
    prepare: () => {
      const run = make()[what];
      return run && { run, bytes, answer: what };
    },
  }));
}

const KEY = pattern(16, 7);
const LONG_KEY = pattern(32, 7);
const COUNTER = pattern(16, 5);
const NONCE = pattern(8, 5);

function jsRuns(text: Uint8Array): Runs {
  const aes = new Aes(KEY);
  const into = new Uint8Array(text.length);
  return {
    'AES-128-CTR': () => ctr(aes, COUNTER, 128, text, into),
    'SHA-256': () => sha256(text),
    'Salsa20/12': () => salsa20(LONG_KEY, NONCE, text, { rounds: 12 }, into),
    'Salsa20/20': () => salsa20(LONG_KEY, NONCE, text, {}, into),
  };
}

function wasmRuns({ aes: module, arx, sha }: Modules, text: Uint8Array): Runs {
  const aes = new WasmAesKey(module, KEY);
  const into = new Uint8Array(text.length);
  return {
    'AES-128-CTR': () => wasmCtr(aes, COUNTER, 128, text, into),
    'SHA-256': () => sha.hashes['SHA-256'].digest(text),
    'Salsa20/12': () => arx.salsa20(LONG_KEY, NONCE, text, { rounds: 12 }, into),
    'Salsa20/20': () => arx.salsa20(LONG_KEY, NONCE, text, {}, into),
  };
}

function nobleRuns(text: Uint8Array): Runs {
  return {
    'AES-128-CTR': () => nobleCtr(KEY, COUNTER).encrypt(text),
    'SHA-256': () => nobleSha256(text),
    'Salsa20/20': () => nobleSalsa20(LONG_KEY, NONCE, text),
  };
}

function sjclRuns(text: Uint8Array): Runs {
  const aes = new sjcl.cipher.aes(toBits(KEY));
  const [bits, counter] = [toBits(text), toBits(COUNTER)];
  return {
    'AES-128-CTR': () => sjcl.mode.ctr.encrypt(aes, bits, counter, []),
    'SHA-256': () => {
      const hash = new sjcl.hash.sha256();
      hash.update(bits);
      return hash.finalize();
    },
  };
}
