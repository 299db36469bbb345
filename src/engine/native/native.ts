/**
 * The engine `native`: WebCrypto (W3C Web Cryptography API), as the platform implements it.
 *
 * Platforms are incomplete: Chromium has no AES-192, Node supports only some nonce lengths of GCM, insecure
 * contexts have no `crypto.subtle`. The engine does not depend on the platform's name: it tries each
 * operation once and keeps the results.
 */
import type { Algorithms, Engine, Probe } from '../contract.ts';
import { probeCiphers } from './ciphers.ts';
import { curve448 } from './curve448.ts';
import { probeDigests, probeHmac, probeKdfs } from './hashes.ts';
import { probePairs } from './key-pairs.ts';
import { probePostQuantum } from './post-quantum.ts';

/** @param crypto the platform's Crypto; default `globalThis.crypto` */
export function nativeEngine(crypto: Crypto | undefined = globalCrypto()): Engine {
  return {
    name: 'native',
    probe: () => probe(crypto?.subtle),
    close: () => undefined, // the platform garbage-collects its keys
  };
}

async function probe(subtle: SubtleCrypto | undefined): Promise<Probe> {
  if (subtle === undefined) {
    return { available: false, reason: 'no crypto.subtle here (is this a secure context?)' };
  }
  const [ciphers, digests, hmac, kdfs, pairs, postQuantum] = await Promise.all([
    probeCiphers(subtle),
    probeDigests(subtle),
    probeHmac(subtle),
    probeKdfs(subtle),
    probePairs(subtle),
    probePostQuantum(subtle),
  ]);
  const symmetric = { ...ciphers, ...digests, ...hmac, ...kdfs };
  const algorithms: Algorithms = { ...symmetric, ...pairs, ...postQuantum };
  return Object.keys(algorithms).length === 0
    ? { available: false, reason: 'crypto.subtle refused every algorithm' }
    : { available: true, algorithms: { ...algorithms, ...curve448(subtle) } };
}

/** TypeScript's type is never undefined. In insecure contexts and old runtimes the value is. */
function globalCrypto(): Crypto | undefined {
  return (globalThis as { crypto?: Crypto }).crypto;
}
