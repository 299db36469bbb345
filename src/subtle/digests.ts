/** SHA-1 and SHA-2 (Web Cryptography API, 34; FIPS 180-4). */
import type { DigestName } from '../engine/contract.ts';
import type { Definition } from './definition.ts';

export const DIGESTS: readonly Definition[] = (
  ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] satisfies DigestName[]
).map((name) => ({ name, digest: () => (runtime, data) => runtime.digest(name, data) }));
