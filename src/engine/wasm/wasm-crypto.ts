/**
 * The operations of sealed messages on the engine `wasm-simd`. No call leaves the thread: a short message
 * takes microseconds; seven calls to WebCrypto take hundreds. As constant in time as the modules are
 * (src/engine/wasm/README.md).
 */
import { copyOf, equal, utf8, wipe } from '../../crypto/bytes.ts';
import { inPromise, isAuthenticationError } from '../../crypto/errors.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { GCM_ANSWERS } from '../known-answers/gcm.ts';
import type {
  ChunkAead,
  MessagePrimitives,
  ThreadAead,
  ThreadPrimitives,
} from '../message-primitives.ts';
import { AesKey } from './aes/aes.ts';
import type { AesModule } from './aes/aes.ts';
import { WasmGcm } from './aes/gcm.ts';
import { expandSha512 } from './hash/hkdf-sha512.ts';
import type { ShaModule } from './hash/sha.ts';
import type { SharedModules } from './shared-modules.ts';

/** The portable hash is faster up to two blocks, because the module's has a set-up cost. */
const MODULE_HASHES_FROM_BYTES = 128;

/** @throws Error if a module does not load or gives a wrong answer; errors of the loader */
export async function wasmCrypto(modules: SharedModules): Promise<MessagePrimitives> {
  const [aes, sha] = await Promise.all([modules.aes(), modules.sha()]);
  requireRightGcm(aes);
  requireRightDerivation(sha);
  const onThread: ThreadPrimitives = {
    expand: (key, info, lengthBytes) => expandSha512(sha, key, info, lengthBytes),
    aesGcm: (key) => new WasmGcm(new AesKey(aes, key)),
    sha256: (data) =>
      data.length < MODULE_HASHES_FROM_BYTES
        ? sha256(data)
        : sha.hashes['SHA-256'].create().update(data).digest(),
  };
  return {
    expand: (key, info, lengthBytes) => inPromise(() => onThread.expand(key, info, lengthBytes)),
    aesGcm: (key) => inPromise(() => chunkAead(onThread.aesGcm(key))),
    onThread,
  };
}

function chunkAead(gcm: ThreadAead): ChunkAead {
  return {
    seal: (nonce, data) => inPromise(() => gcm.seal(nonce, data)),
    open: (nonce, data) => inPromise(() => gcm.open(nonce, data)),
  };
}

/** Tests AES-GCM with published answers. */
function requireRightGcm(aes: AesModule): void {
  for (const { source, key, params, plaintext, ciphertext } of GCM_ANSWERS) {
    const { nonce, associatedData } = params;
    const gcm = new WasmGcm(new AesKey(aes, key), params);
    const forged = copyOf(ciphertext);
    forged[forged.length - 1]! ^= 1;
    const isRight =
      equal(gcm.seal(nonce, plaintext, associatedData), ciphertext) &&
      equal(gcm.open(nonce, ciphertext, associatedData), plaintext) &&
      isRefused(() => gcm.open(nonce, forged, associatedData));
    gcm.wipe();
    if (!isRight) throw new Error(`wasm-simd: AES-GCM failed its known answer (${source})`);
  }
}

function isRefused(open: () => unknown): boolean {
  try {
    open();
    return false;
  } catch (error) {
    return isAuthenticationError(error);
  }
}

/**
 * Tests the derivation against the portable implementation, with inputs that end before, at and after a hash block's
 * boundary.
 */
function requireRightDerivation(sha: ShaModule): void {
  const info = utf8('known answer '.repeat(20));
  for (const length of [0, 46, 47, 48, 111, 260]) {
    const part = info.subarray(0, length);
    const [actual, expected] = [
      expandSha512(sha, info.subarray(0, 32), part, 76),
      hkdfExpand(SHA512, info.subarray(0, 32), part, 76),
    ];
    if (!equal(actual, expected)) throw new Error('wasm-simd: HKDF-Expand gave a wrong answer');
    wipe(actual, expected);
  }
}
