/** The single algorithms against the published vectors, by the suites of the engines. */
import type {
  AeadParams,
  AlgorithmName,
  Argon2Params,
  HkdfParams,
  MacHashName,
  Pbkdf2Params,
  ScryptParams,
  SivParams,
} from '../../src/engine/contract.ts';
import type { HashName } from '../../src/crypto/contracts.ts';
import * as algorithms from '../../src/library/algorithms.ts';
import type { LoadHash } from '../../src/library/algorithms.ts';
import { describeAead } from '../conformance/aead.ts';
import { describeBuffers } from '../conformance/buffers.ts';
import { describeHashes } from '../conformance/hash.ts';
import { describeKdfs } from '../conformance/kdf.ts';
import { describeMacs } from '../conformance/mac.ts';
import { describeSiv } from '../conformance/siv.ts';
import type { Subject } from '../conformance/subject.ts';
import { AEADS, HASHES } from './names.ts';
import { wasmFolder } from './wasm-folder.ts';

const folder = await wasmFolder();
const options = { wasmBase: folder.url };

const MACS: readonly AlgorithmName[] = ['HMAC', 'AES-CMAC'];
const KDFS: readonly AlgorithmName[] = ['HKDF', 'PBKDF2', 'scrypt', 'Argon2id'];
const HAS: ReadonlySet<string> = new Set([
  ...Object.keys(AEADS),
  'AES-SIV',
  ...Object.keys(HASHES),
  ...MACS,
  ...KDFS,
]);

const hashOf = (name: MacHashName) => HASHES[name] as LoadHash<MacHashName>;

function crypt(operation: 'encrypt' | 'decrypt'): Subject['encrypt'] {
  return async (name, key, params, data, into) => {
    const room = into && { into };
    if (name === 'AES-SIV') {
      const siv = await algorithms.aesSiv(key, options);
      const { associatedData } = params as SivParams;
      return siv[operation]({ additionalData: associatedData, ...room }, data);
    }
    const aead = await AEADS[name as keyof typeof AEADS](key, options);
    const { nonce, associatedData, tagBytes } = params as AeadParams;
    const own = { iv: nonce, additionalData: associatedData, tagLength: 8 * tagBytes };
    try {
      return aead[operation]({ ...own, ...room }, data);
    } finally {
      aead.wipe();
    }
  };
}

const macKey = (name: string, key: Uint8Array, hash: MacHashName = 'SHA-256') =>
  name === 'HMAC' ? algorithms.hmac(hashOf(hash), key, options) : algorithms.aesCmac(key, options);

const derive: Subject['derive'] = async (name, secret, params, lengthBytes) => {
  if (name === 'HKDF') {
    const { hash, salt, info } = params as HkdfParams;
    return (await algorithms.hkdf(hashOf(hash), options)).derive(
      secret,
      { salt, info },
      lengthBytes,
    );
  }
  if (name === 'PBKDF2') {
    const { hash, salt, iterations } = params as Pbkdf2Params;
    const kdf = await algorithms.pbkdf2(hashOf(hash), options);
    return kdf.derive(secret, { salt, iterations }, lengthBytes);
  }
  if (name === 'scrypt') {
    const { salt, N, r, p } = params as ScryptParams;
    return (await algorithms.scrypt(options)).derive(secret, { salt, N, r, p }, lengthBytes);
  }
  const { nonce, memoryKiB, passes, parallelism, ...rest } = params as Argon2Params;
  const kdf = await algorithms.argon2id(options);
  const own = { nonce, memory: memoryKiB, passes, parallelism };
  const secrets = { secretValue: rest.secret, associatedData: rest.associatedData };
  return kdf.derive(secret, { ...own, ...secrets }, lengthBytes);
};

/** Not among the single algorithms. */
const absent = (): never => {
  throw new Error('not here');
};

const subject: Subject = {
  title: 'single algorithms',
  has: (name) => HAS.has(name),
  encrypt: crypt('encrypt'),
  decrypt: crypt('decrypt'),
  sign: async (name, key, data, hash) => (await macKey(name, key, hash)).sign(data),
  verify: async (name, key, tag, data, hash) => (await macKey(name, key, hash)).verify(tag, data),
  digest: async (name: HashName, data) => (await HASHES[name](options)).digest(data),
  derive,
  xof: absent,
  kmac: absent,
  verifyKmac: absent,
};

describe(subject.title, () => {
  after(() => folder.remove());
  describeAead(subject);
  describeSiv(subject);
  describeMacs(subject);
  describeHashes(subject);
  describeKdfs(subject);
  describeBuffers(subject);
});
