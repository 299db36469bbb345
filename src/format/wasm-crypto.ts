/*
 * FormatCrypto over the WebAssembly engine. No call leaves the thread, so a short message costs
 * microseconds; seven WebCrypto calls cost hundreds. It is constant-time as far as the modules are
 * (src/engine/wasm/README.md).
 */
import { equal, utf8, wipe } from '../crypto/bytes.ts';
import { sha256 } from '../crypto/hash/sha256.ts';
import { SHA512 } from '../crypto/hash/sha512.ts';
import { hkdfExpand } from '../crypto/kdf/hkdf.ts';
import { testKnownAnswers } from '../engine/known-answers/run.ts';
import { AesModule } from '../engine/wasm/aes/aes.ts';
import { aesAlgorithms } from '../engine/wasm/aes/aes-engine.ts';
import { WasmAesKey } from '../engine/wasm/aes/aes.ts';
import { WasmGcm } from '../engine/wasm/aes/gcm.ts';
import { expandSha512 } from '../engine/wasm/hash/hkdf-sha512.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import { loadSha } from '../engine/wasm/hash/sha.ts';
import type { ShaModule } from '../engine/wasm/hash/sha.ts';
import type { ChunkAead, FormatCrypto, ThreadAead, ThreadCrypto } from './format-crypto.ts';

/** For shorter inputs src/crypto is faster than setting up the module's hash. */
const MODULE_HASHES_FROM_BYTES = 128;

/**
 * Loads the modules and tests their known answers.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts makes
 * @throws Error where a module does not load or gives a wrong answer; the loader's error
 */
export async function wasmCrypto(loadWasm: LoadWasm): Promise<FormatCrypto> {
  const [aes, sha] = await Promise.all([AesModule.load(loadWasm), loadSha(loadWasm)]);
  await requireRightAnswers(aes, sha);
  const onThread: ThreadCrypto = {
    expand: (key, info, lengthBytes) => expandSha512(sha, key, info, lengthBytes),
    aesGcm: (key) => new WasmGcm(new WasmAesKey(aes, key)),
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

/** Runs `work` at once; what it throws becomes a rejection. */
function inPromise<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

/**
 * Published answers for AES-GCM; for the derivation those of src/crypto, around the length of a
 * block.
 */
async function requireRightAnswers(aes: AesModule, sha: ShaModule): Promise<void> {
  const fault = await testKnownAnswers('AES-GCM', aesAlgorithms(aes)['AES-GCM']!);
  if (fault !== undefined) throw new Error(`wasm-simd: AES-GCM failed its known answer (${fault})`);
  const info = utf8('known answer '.repeat(20));
  for (const length of [0, 46, 47, 48, 111, 260]) {
    const part = info.subarray(0, length);
    const [ours, expected] = [
      expandSha512(sha, info.subarray(0, 32), part, 76),
      hkdfExpand(SHA512, info.subarray(0, 32), part, 76),
    ];
    if (!equal(ours, expected)) throw new Error('wasm-simd: HKDF-Expand differs from src/crypto');
    wipe(ours, expected);
  }
}
