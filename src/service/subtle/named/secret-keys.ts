import { encryptingDecrypts } from '../../../crypto/subtle/table.ts';
import { wipe } from '../../../crypto/bytes.ts';
import { deriveSubtleKey } from '../../../keys/ring/key-derivation.ts';
import type { Capability } from '../../../rpc/key-kinds.ts';
import type { Usage } from '../../../subtle/key.ts';
import type { StoredAlgorithm } from '../../../subtle/stored-key.ts';
import { subtleError } from '../errors.ts';
import type { NamedSecretKey } from '../key-record.ts';
import { noSuchGeneration } from './named-algorithms.ts';
import type { NamedAlgorithms, NamedImport } from './named-algorithms.ts';

/** The usages of symmetric keys: the check of a request refuses the others. */
type NamedUsage = Exclude<Usage, `${'en' | 'de'}capsulate${'Key' | 'Bits'}`>;

/** What of a grant a usage of a symmetric key asks for; to derive gives the page bytes, as a MAC does. */
const CAPABILITY: Readonly<Record<NamedUsage, Capability>> = {
  encrypt: 'seal',
  wrapKey: 'seal',
  decrypt: 'open',
  unwrapKey: 'open',
  sign: 'mac',
  verify: 'mac',
  deriveKey: 'mac',
  deriveBits: 'mac',
};

const FIRST_GENERATION = 1;
const DEFAULT_BITS = 256;
/** HKDF-Expand gives more; no algorithm of ours has longer keys than AES-SIV. */
const MAX_BITS = 512;

/** Symmetric algorithms, with keys derived from a key that seals. */
export const SECRET_KEYS: NamedAlgorithms<NamedSecretKey> = {
  format: 'bytes',
  nameOf: (name) => name,

  /** The page chooses the IV, so in some modes a page that may encrypt can decrypt, too: that takes both capabilities. */
  capabilities(algorithm, usage) {
    const capability = CAPABILITY[usage as NamedUsage];
    const isMore = capability === 'seal' && encryptingDecrypts(algorithm);
    return isMore ? [capability, 'open'] : [capability];
  },

  example: (request) => ({
    format: 'raw-secret',
    keyData: new Uint8Array(bitsOf(request) / 8),
  }),

  /** Stays with generation 1, unless the request names another: what was encrypted can be read after a rotation. */
  imported: (request, _, generation = FIRST_GENERATION) => ({
    type: 'secret',
    generation,
    bits: bitsOf(request),
  }),

  async derived({ algorithm, generation, bits }, { ref, origin }, { keyRing }) {
    const named = await keyRing.keyOfGeneration(ref, origin, generation);
    if (!named) throw noSuchGeneration();
    const key = deriveSubtleKey(named, { origin, algorithm: labelOf(algorithm), bits });
    wipe(named);
    return key;
  },
};

/** A key of HMAC is for one hash. */
function labelOf({ name, hash }: StoredAlgorithm): string {
  return hash ? `${name} ${hash.name}` : name;
}

function bitsOf({ algorithm: { length = DEFAULT_BITS } }: Pick<NamedImport, 'algorithm'>): number {
  const bits = Number(length);
  if (Number.isInteger(bits / 8) && bits > 0 && bits <= MAX_BITS) return bits;
  throw subtleError('OperationError', 'length must be one of the algorithm’s');
}
