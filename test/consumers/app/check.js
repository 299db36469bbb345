/*
 * The app of every toolchain: imports the subpaths, asks each of those with WebAssembly for its engine, and compares
 * answers with published ones.
 */
import { findSealwright } from 'sealwright';
import { aesGcm } from 'sealwright/algorithms';
import { modExp, ready } from 'sealwright/bigint';
import { blockCipher } from 'sealwright/classical';
import { isSealwrightError } from 'sealwright/errors';
import { openMessage, sealMessage } from 'sealwright/format';
import { ocb2Open } from 'sealwright/legacy';
import { FortunaGenerator } from 'sealwright/random';
import { generateIdentity } from 'sealwright/sharing';
import { createSubtle, engines } from 'sealwright/subtle';
import { keyBundleFromKB } from 'sealwright/sync';

const hex = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * @param {{ wasmBase?: string | URL }} [options] of every subpath with WebAssembly
 * @returns {Promise<{ engines: Record<string, string>, wrong: string[], reason?: string }>} the engine of each
 *   subpath, the answers that are not right and the warnings, and why wasm-simd is not there if it is not
 */
export async function check(options) {
  const wrong = [];
  const { warn } = console;
  console.warn = (...words) => {
    if (/^sealwright/.test(words[0])) wrong.push(words[0]);
    warn(...words);
  };
  const expectEqual = (what, found, expected) => {
    if (found !== expected) wrong.push(`${what}: ${String(found)}`);
  };

  const subtle = await createSubtle(options);
  const name = 'AES-OCB';
  // RFC 7253, appendix A: the first sample.
  const ocbKey = Uint8Array.from({ length: 16 }, (_, i) => i);
  const key = await subtle.importKey('raw-secret', ocbKey, name, false, ['encrypt']);
  const iv = Uint8Array.from([0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0]);
  const tag = await subtle.encrypt({ name, iv, tagLength: 128 }, key, new Uint8Array(0));
  expectEqual('AES-OCB', hex(tag), '785407bfffc8ad9edcc5520ac9111ee6');

  // A script of its own, which is loaded at the first use.
  const pair = await subtle.generateKey('ML-KEM-768', false, [
    'encapsulateBits',
    'decapsulateBits',
  ]);
  const { sharedKey, ciphertext } = await subtle.encapsulateBits('ML-KEM-768', pair.publicKey);
  const same = await subtle.decapsulateBits('ML-KEM-768', pair.privateKey, ciphertext);
  expectEqual('ML-KEM-768', hex(same), hex(sharedKey));

  const bigint = await ready(options);
  expectEqual('modExp', modExp(4n, 13n, 497n), 445n);

  const serpent = await blockCipher('Serpent', options);
  const block = await serpent.encrypt('ECB', new Uint8Array(16), {}, new Uint8Array(16));
  // Serpent's submission, ecb_vk.txt with a key of zeros (NESSIE has the same).
  expectEqual('Serpent', hex(block).slice(0, 32), '3620b17ae6a993d09618b8768266bae9');

  // McGrew and Viega, test case 1
  const single = await aesGcm(new Uint8Array(16), options).then(
    (gcm) => hex(gcm.encrypt({ iv: new Uint8Array(12) }, new Uint8Array(0))),
    (error) => `${error.name}: ${error.message}`,
  );
  const isSingle = single === '58e2fccefa7e3061367f1d57a4e7455a';
  if (!isSingle && !single.startsWith('NotSupportedError')) wrong.push(`AES-GCM: ${single}`);

  const message = { key: new Uint8Array(32), purpose: 'page' };
  const sealing = { keyId: new Uint8Array(16), ...message };
  const opened = await openMessage(message, await sealMessage(sealing, iv));
  expectEqual('sealMessage', hex(opened), hex(iv));
  const refused = await openMessage(message, iv).catch((error) => error);
  expectEqual('an error', isSealwrightError(refused, 'BAD_ENVELOPE'), true);

  const generator = new FortunaGenerator();
  generator.reseed(ocbKey);
  expectEqual('FortunaGenerator', generator.generate(8).length, 8);
  expectEqual('sharing', typeof (await generateIdentity()), 'object');
  expectEqual('sync', typeof keyBundleFromKB(new Uint8Array(32)), 'object');
  expectEqual('legacy', typeof ocb2Open, 'function');
  const absent = await findSealwright({ waitMs: 1 }).catch((error) => error.code);
  expectEqual('findSealwright', absent, 'ABSENT');

  console.warn = warn;
  const { reason } = (await engines(options)).find((one) => one.name === 'wasm-simd');
  return {
    engines: {
      subtle: subtle.engineFor(name, 65_536),
      bigint,
      classical: serpent.engine,
      algorithms: isSingle ? 'wasm-simd' : 'none',
    },
    wrong,
    ...(reason !== undefined && { reason }),
  };
}
