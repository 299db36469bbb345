/**
 * `SubtleCrypto.supports` (WICG draft, "checking support for an algorithm"): the steps of an operation are taken until
 * one throws, or needs what is not there: a key, data, an engine.
 */
import type { AlgorithmName } from '../engine/contract.ts';
import type { Operation } from './algorithms/definition.ts';
import type { SubtleAlgorithm } from './params.ts';
import { Runtime } from './runtime.ts';
import { canonicalName, hasOperation, keyReaders, normalize } from './normalize.ts';
import { isObject, toInteger, toText } from './webidl/web-idl.ts';

/** The methods, and what they register. */
const OPERATIONS: Readonly<Record<string, Operation | 'exportKey' | 'getPublicKey'>> = {
  encrypt: 'encrypt',
  decrypt: 'decrypt',
  sign: 'sign',
  verify: 'verify',
  digest: 'digest',
  generateKey: 'generateKey',
  deriveKey: 'deriveBits',
  deriveBits: 'deriveBits',
  importKey: 'importKey',
  exportKey: 'exportKey',
  wrapKey: 'wrapKey',
  unwrapKey: 'unwrapKey',
  encapsulateKey: 'encapsulate',
  encapsulateBits: 'encapsulate',
  decapsulateKey: 'decapsulate',
  decapsulateBits: 'decapsulate',
  getPublicKey: 'getPublicKey',
};

/** "If the step relies on an unavailable parameter, such as key, plaintext or ciphertext: Return true." */
class Unavailable extends Error {}

const ABSENT = new Proxy(
  {},
  {
    get() {
      throw new Unavailable();
    },
  },
) as never;

/** Long enough for what needs whole blocks. */
const SOME_DATA = new Uint8Array(16);

/** @throws TypeError for arguments of wrong types */
export function isSupported(
  runtime: Runtime,
  operation: unknown,
  algorithm: SubtleAlgorithm,
  lengthOrAlgorithm: unknown,
): boolean {
  const method = toText('operation', operation);
  const other = isObject(lengthOrAlgorithm) || typeof lengthOrAlgorithm === 'string';
  let length: number | null = null;
  if (!other && lengthOrAlgorithm !== null && lengthOrAlgorithm !== undefined) {
    length = toInteger('length', lengthOrAlgorithm, 32);
  }
  if (!Object.hasOwn(OPERATIONS, method)) return false;
  const has = (what: Operation | 'exportKey' | 'getPublicKey', of: unknown) =>
    isServed(runtime, what, of, length);
  if (other && /^(derive|unwrap|encapsulate|decapsulate)Key$/.test(method)) {
    if (!has('importKey', lengthOrAlgorithm)) return false;
    // What was agreed on is imported as a secret.
    if (method !== 'unwrapKey' && !hasOperation('getKeyLength', lengthOrAlgorithm)) return false;
  }
  if (other && method === 'wrapKey' && !has('exportKey', lengthOrAlgorithm)) return false;
  if (other && method === 'deriveKey') {
    if (!has('getKeyLength', lengthOrAlgorithm)) return false;
    length = normalize('getKeyLength', lengthOrAlgorithm).run();
  }
  const what = OPERATIONS[method]!;
  if (what === 'wrapKey') return has('wrapKey', algorithm) || has('encrypt', algorithm);
  if (what === 'unwrapKey') return has('unwrapKey', algorithm) || has('decrypt', algorithm);
  return has(what, algorithm);
}

function isServed(
  { registry, engine }: Runtime,
  operation: Operation | 'exportKey' | 'getPublicKey',
  algorithm: unknown,
  lengthBits: number | null,
): boolean {
  try {
    const name = canonicalName(algorithm);
    registry.choose(name as AlgorithmName, 0, engine);
    if (operation === 'exportKey' || operation === 'getPublicKey') {
      return keyReaders(name)?.[operation] !== undefined;
    }
    const runtime = new Runtime(ABSENT, engine, ABSENT);
    const { run } = normalize(operation, algorithm);
    take(run as (...args: readonly unknown[]) => unknown, operation, runtime, lengthBits);
    return true;
  } catch (error) {
    return error instanceof Unavailable;
  }
}

/** Takes the steps of an operation up to the first that needs what is not there. */
function take(
  run: (...args: readonly unknown[]) => unknown,
  operation: Operation,
  runtime: Runtime,
  lengthBits: number | null,
): void {
  const requested = { extractable: false, usages: [] };
  const bytes = { data: SOME_DATA, signature: SOME_DATA, ciphertext: SOME_DATA };
  const args: Partial<Record<Operation, readonly unknown[]>> = {
    digest: [runtime, SOME_DATA],
    generateKey: [runtime, requested],
    importKey: [ABSENT, requested, runtime],
    getKeyLength: [],
  };
  const result = run(...(args[operation] ?? [{ runtime, key: ABSENT, lengthBits, ...bytes }]));
  // What a promise rejects with comes after the checks of parameters.
  if (result instanceof Promise) result.catch(() => undefined);
}
