/**
 * The engine `native`: WebCrypto (W3C Web Cryptography API), as the platform implements it.
 *
 * Platforms leave things out: Chromium has no AES-192, Node takes only some nonce lengths of GCM,
 * insecure contexts have no `crypto.subtle` at all. The engine does not look at the platform's name:
 * it tries what it needs once and keeps the results.
 */
import type { Algorithms, Engine, Probe } from '../contract.ts';
import { probeCiphers } from './ciphers.ts';
import { probeDigests } from './digests.ts';
import { probeHmac } from './hmac.ts';
import { probeKdfs } from './kdfs.ts';
import { probePairs } from './key-pairs.ts';

/** @param crypto the platform's Crypto; `globalThis.crypto` if absent */
export function nativeEngine(crypto: Crypto | undefined = globalCrypto()): Engine {
  return {
    name: 'native',
    probe: () => probe(crypto?.subtle),
    close: () => undefined, // the platform collects its keys as garbage
  };
}

async function probe(subtle: SubtleCrypto | undefined): Promise<Probe> {
  if (subtle === undefined) {
    return { available: false, reason: 'no crypto.subtle here (is this a secure context?)' };
  }
  const [ciphers, digests, hmac, kdfs, pairs] = await Promise.all([
    probeCiphers(subtle),
    probeDigests(subtle),
    probeHmac(subtle),
    probeKdfs(subtle),
    probePairs(subtle),
  ]);
  const algorithms: Algorithms = { ...ciphers, ...digests, ...hmac, ...kdfs, ...pairs };
  return Object.keys(algorithms).length === 0
    ? { available: false, reason: 'crypto.subtle refused every algorithm' }
    : { available: true, algorithms };
}

/** The type says that it is always there; in insecure contexts and old runtimes it is not. */
function globalCrypto(): Crypto | undefined {
  return (globalThis as { crypto?: Crypto }).crypto;
}
