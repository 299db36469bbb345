import type { RandomSource } from '../../random/contract.ts';
import type { Outcome } from '../../rpc/methods/subtle-values.ts';
import type { SubtleKey, SubtleKeyPair, Usage } from '../../subtle/key.ts';
import type { SubtleAlgorithm, SubtleParams } from '../../subtle/params.ts';
import { Runtime } from '../../subtle/runtime.ts';
import { restoredKey, storedKey, type StoredKey } from '../../subtle/stored-key.ts';
import { Subtle } from '../../subtle/subtle.ts';
import { outcomeOf } from './errors.ts';

/*
 * One operation of `subtle` as a message to a worker. Keys cross as they are stored, so an order is
 * as secret as they are.
 */

/** The algorithm; the other's public key of an agreement stands beside it. */
interface OrderedAlgorithm {
  readonly algorithm: SubtleParams;
  readonly publicKey?: StoredKey | undefined;
}

interface OrderedKey {
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

/** What a worker may be asked for. */
export type SubtleOrder =
  | (OrderedAlgorithm & {
      readonly operation: 'deriveBits';
      readonly key: StoredKey;
      readonly length: number | null;
    })
  | (OrderedAlgorithm &
      OrderedKey & {
        readonly operation: 'deriveKey';
        readonly key: StoredKey;
        readonly derivedKeyType: SubtleParams;
      })
  | (OrderedAlgorithm &
      OrderedKey & {
        readonly operation: 'generateKey';
        /** From the generator of the background, which a worker does not have. */
        readonly random: Uint8Array;
      })
  | (OrderedAlgorithm & {
      readonly operation: 'digest';
      readonly data: Uint8Array;
    })
  | (OrderedAlgorithm & {
      readonly operation: 'sign';
      readonly key: StoredKey;
      readonly data: Uint8Array;
      /** As above: signatures are hedged. */
      readonly random: Uint8Array;
    })
  | (OrderedAlgorithm & {
      readonly operation: 'getPublicKey';
      readonly key: StoredKey;
      readonly usages: readonly Usage[];
    })
  | (OrderedAlgorithm & {
      readonly operation: 'verify';
      readonly key: StoredKey;
      readonly signature: Uint8Array;
      readonly data: Uint8Array;
    });

/** Bytes, keys, or whether a signature is right; or the error that the page gets. */
export type SubtleAnswer = Outcome<Uint8Array | readonly StoredKey[] | boolean>;

/**
 * Has an order done where it blocks no other call.
 *
 * @param signal ends the work at once
 * @throws the signal's reason; any error where the work could not be done
 */
export type SubtleWorker = (order: SubtleOrder, signal: AbortSignal) => Promise<SubtleAnswer>;

/** Random bytes for one new pair of DH or DSA: as many draws as will do, of the longest order. */
export const ORDERED_RANDOM_BYTES = 64 * 1024;

/** Does an order. For the worker; errors that are not of the Web Cryptography API are thrown. */
export function answerTo(order: SubtleOrder, registry: Runtime['registry']): Promise<SubtleAnswer> {
  const random = given('random' in order ? order.random : new Uint8Array(0));
  return outcomeOf(() => done(order, new Runtime(registry, 'auto', random, { keepsKeys: true })));
}

async function done(
  order: SubtleOrder,
  runtime: Runtime,
): Promise<Uint8Array | readonly StoredKey[] | boolean> {
  const subtle = new Subtle(runtime);
  const algorithm = await orderedAlgorithm(order, runtime);
  const key = 'key' in order ? await restoredKey(order.key, runtime) : undefined;
  switch (order.operation) {
    case 'deriveBits':
      return new Uint8Array(await subtle.deriveBits(algorithm, key!, order.length));
    case 'digest':
      return new Uint8Array(await subtle.digest(algorithm, source(order.data)));
    case 'getPublicKey':
      return storedKeys(await subtle.getPublicKey(key!, order.usages), runtime);
    case 'sign':
      return new Uint8Array(await subtle.sign(algorithm, key!, source(order.data)));
    case 'verify':
      return subtle.verify(algorithm, key!, source(order.signature), source(order.data));
    case 'generateKey': {
      const { extractable, usages } = order;
      return storedKeys(await subtle.generateKey(algorithm, extractable, usages), runtime);
    }
    case 'deriveKey': {
      const { derivedKeyType, extractable, usages } = order;
      const wanted = [derivedKeyType, extractable, usages] as const;
      return storedKeys(await subtle.deriveKey(algorithm, key!, ...wanted), runtime);
    }
  }
}

/** A key or a pair as it is kept. */
export function storedKeys(
  made: SubtleKey | SubtleKeyPair,
  runtime: Runtime,
): Promise<readonly StoredKey[]> {
  const keys = 'privateKey' in made ? [made.publicKey, made.privateKey] : [made];
  return Promise.all(keys.map((key) => storedKey(key, runtime)));
}

async function orderedAlgorithm(
  { algorithm, publicKey }: OrderedAlgorithm,
  runtime: Runtime,
): Promise<SubtleAlgorithm> {
  if (publicKey === undefined) return algorithm;
  return { ...algorithm, public: await restoredKey(publicKey, runtime) };
}

/** Hands out the bytes that came with an order. */
function given(bytes: Uint8Array): RandomSource {
  let at = 0;
  return {
    bytes(lengthBytes) {
      const drawn = bytes.slice(at, at + lengthBytes);
      if (drawn.length < lengthBytes) throw new Error('The order has too few random bytes');
      at += lengthBytes;
      return drawn;
    },
  };
}

function source(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
