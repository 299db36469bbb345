/** Authenticated encryption: one function for each algorithm. */
import type { Aead } from '../crypto/contracts.ts';
import { equal, fromHex } from '../crypto/bytes.ts';
import { checkBytes, checkOptions } from '../crypto/errors.ts';
import { AegisKey, loadAegis, WasmAegis128L, WasmAegis256 } from '../engine/wasm/aes/aegis.ts';
import { AesKey, AesModule } from '../engine/wasm/aes/aes.ts';
import { WasmCcm } from '../engine/wasm/aes/ccm.ts';
import { WasmGcm } from '../engine/wasm/aes/gcm.ts';
import { WasmGcmSiv } from '../engine/wasm/aes/gcm-siv.ts';
import { WasmOcb } from '../engine/wasm/aes/ocb.ts';
import { WasmChaCha20Poly1305, WasmXChaCha20Poly1305 } from '../engine/wasm/arx/aead.ts';
import { ArxModule } from '../engine/wasm/arx/arx.ts';
import { loadWasmAt, type ModuleScripts } from '../engine/wasm/library-loader.ts';
import { AES_MODULES, ARX_MODULES } from '../engine/wasm/module-scripts.ts';
import { assertRight, once, refuses, unwiped, withKey } from './load.ts';
import type { AlgorithmOptions, Folder } from './load.ts';

/** The parameters of one message of an AEAD. */
export interface AeadParams {
  /** The nonce. To encrypt: never used before under this key. Each function says how long it may be. */
  readonly iv: Uint8Array;
  /** Authenticated and not encrypted; any length, empty if absent. */
  readonly additionalData?: Uint8Array;
  /** In bits, 128 if absent. Each function says what else its standard has. */
  readonly tagLength?: number;
  /**
   * Receives the result, which is then a view of it. May overlap the data and the other parameters anywhere; where the
   * data begin at the same byte, they are not copied. What does not verify leaves no plaintext in it.
   */
  readonly into?: Uint8Array;
}

/** An AEAD under one key. Its methods are synchronous, on the calling thread. */
export interface AeadKey {
  /**
   * Encrypts and authenticates.
   *
   * @param data any length that the standard allows, 0 included
   * @returns ciphertext ‖ tag: data.length + tagLength / 8 bytes
   * @throws TypeError for wrong types and unknown parameters; RangeError for wrong lengths
   */
  encrypt(params: AeadParams, data: Uint8Array): Uint8Array<ArrayBuffer>;

  /**
   * Verifies and decrypts.
   *
   * @param data what `encrypt` returned
   * @returns the plaintext
   * @throws AuthenticationError if anything does not verify; TypeError and RangeError as `encrypt`
   */
  decrypt(params: AeadParams, data: Uint8Array): Uint8Array<ArrayBuffer>;

  /** Overwrites the key. The object must not be used afterwards: its methods throw. */
  wipe(): void;
}

/**
 * AES-GCM (SP 800-38D) in constant time. A repeated iv reveals the authentication key: with random ones of 12 bytes, a
 * key is for at most 2^32 messages.
 *
 *     const key = await aesGcm(keyBytes);
 *     const iv = crypto.getRandomValues(new Uint8Array(12));
 *     const sealed = key.encrypt({ iv }, data);
 *
 * `iv`: 1 byte and more, 12 as a rule. `tagLength`: 32, 64, 96, 104, 112, 120 or 128 bits. Messages: up to
 * 2^36 - 32 bytes.
 *
 * @param key 16, 24 or 32 bytes; copied
 * @throws TypeError, RangeError for the arguments; NotSupportedError (DOMException) with the reason where its
 *   WebAssembly does not load or gives a wrong answer
 */
export function aesGcm(key: Uint8Array, options: AlgorithmOptions = {}): Promise<AeadKey> {
  return withKey('AES-GCM', key, AES_KEY_BYTES, options, (folder) => {
    // SP 800-38D, section 5.2.1.2 and appendix C
    const tagBits = [32, 64, 96, 104, 112, 120, 128];
    // Wycheproof aes_gcm_test, tcId 11
    return aesMode(folder, WasmGcm, tagBits, [
      '28ff3def08179311e2734c6d1c4e2871',
      '32bcb9b569e3b852d37c766a',
      'c3',
      'dfc61a20df8505b53e3cd59f25770d5018add3d6',
      'f58d453212c2c8a436e9283672f579f1191229785901131d0760c8715901d881fdfd3bc0',
    ]);
  });
}

/**
 * AES-OCB (RFC 7253) in constant time. A repeated iv breaks confidentiality and authenticity.
 *
 * `iv`: 1 to 15 bytes. `tagLength`: 64, 96 or 128 bits.
 *
 * @param key 16, 24 or 32 bytes; copied
 * @throws as `aesGcm`
 */
export function aesOcb(key: Uint8Array, options: AlgorithmOptions = {}): Promise<AeadKey> {
  return withKey('AES-OCB', key, AES_KEY_BYTES, options, (folder) => {
    // RFC 7253, section 3.1
    const tagBits = [64, 96, 128];
    // RFC 7253, appendix A
    return aesMode(folder, WasmOcb, tagBits, [
      '000102030405060708090a0b0c0d0e0f',
      'bbaa9988776655443322110d',
      '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627',
      '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627',
      'd5ca91748410c1751ff8a2f618255b68a0a12e093ff454606e59f9c1d0ddc54b65e8628e568bad7aed07ba06a4a69483a7035490c5769e60',
    ]);
  });
}

/**
 * AES-CCM (SP 800-38C) in constant time. A repeated iv reveals the XOR of two messages and allows forgeries.
 *
 * `iv`: 7 to 13 bytes; n bytes allow messages shorter than 2^(8 (15 - n)) bytes. `tagLength`: 32, 48, 64, 80, 96, 112
 * or 128 bits.
 *
 * @param key 16, 24 or 32 bytes; copied
 * @throws as `aesGcm`
 */
export function aesCcm(key: Uint8Array, options: AlgorithmOptions = {}): Promise<AeadKey> {
  return withKey('AES-CCM', key, AES_KEY_BYTES, options, (folder) => {
    // SP 800-38C, section A.1
    const tagBits = [32, 48, 64, 80, 96, 112, 128];
    // Wycheproof aes_ccm_test, tcId 91
    return aesMode(folder, WasmCcm, tagBits, [
      'e258b117c2fdd75587f07b400ae4af3e673a51dcf761e4ca',
      '5ead03aa8c720d21b77075db',
      '27702950960b9c79',
      'afe96113a684bc52a6d962cf2724f6791d',
      '7830446f333057d996a1a79b21c68d8b4372ac478a66f5637563f1f12c1d0267ca',
    ]);
  });
}

/**
 * AES-GCM-SIV (RFC 8452) in constant time. A repeated iv reveals only whether two messages are equal.
 *
 * `iv`: 12 bytes. `tagLength`: 128 bits. Messages: up to 2^36 bytes.
 *
 * @param key 16 or 32 bytes; copied
 * @throws as `aesGcm`
 */
export function aesGcmSiv(key: Uint8Array, options: AlgorithmOptions = {}): Promise<AeadKey> {
  return withKey('AES-GCM-SIV', key, [16, 32], options, (folder) => {
    // Wycheproof aes_gcm_siv_test, tcId 13
    return withFullTag(aesModule(folder), WasmGcmSiv, [
      '01000000000000000000000000000000',
      '030000000000000000000000',
      '01',
      '02000000000000000000000000000000030000000000000000000000000000000400000000000000000000000000000005000000000000000000000000000000',
      '2f5c64059db55ee0fb847ed513003746aca4e61c711b5de2e7a77ffd02da42feec601910d3467bb8b36ebbaebce5fba30d36c95f48a3e7980f0e7ac299332a80cdc46ae475563de037001ef84ae21744',
    ]);
  });
}

/**
 * ChaCha20-Poly1305 (RFC 8439) in constant time. A repeated iv reveals the XOR of two messages and allows forgeries:
 * count, because 12 bytes are short for random ones.
 *
 * `iv`: 12 bytes. `tagLength`: 128 bits. Messages: up to 2^38 - 64 bytes.
 *
 * @param key 32 bytes; copied
 * @throws as `aesGcm`
 */
export function chacha20Poly1305(
  key: Uint8Array,
  options: AlgorithmOptions = {},
): Promise<AeadKey> {
  return withKey('ChaCha20-Poly1305', key, 32, options, (folder) => {
    // RFC 8439, 2.8.2
    return withFullTag(arxModule(folder), WasmChaCha20Poly1305, [
      '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
      '070000004041424344454647',
      '50515253c0c1c2c3c4c5c6c7',
      POLY_PLAINTEXT,
      'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691',
    ]);
  });
}

/**
 * XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) in constant time: ChaCha20-Poly1305 whose iv may be random.
 *
 * `iv`: 24 bytes. `tagLength`: 128 bits. Messages: up to 2^38 - 64 bytes.
 *
 * @param key 32 bytes; copied
 * @throws as `aesGcm`
 */
export function xchacha20Poly1305(
  key: Uint8Array,
  options: AlgorithmOptions = {},
): Promise<AeadKey> {
  return withKey('XChaCha20-Poly1305', key, 32, options, (folder) => {
    // draft-irtf-cfrg-xchacha-03, A.3.1
    return withFullTag(arxModule(folder), WasmXChaCha20Poly1305, [
      '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
      '404142434445464748494a4b4c4d4e4f5051525354555657',
      '50515253c0c1c2c3c4c5c6c7',
      POLY_PLAINTEXT,
      'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49',
    ]);
  });
}

/**
 * AEGIS-128L (draft-irtf-cfrg-aegis-aead) in constant time. A repeated iv breaks confidentiality and authenticity.
 *
 * `iv`: 16 bytes, which may be random for 2^48 messages. `tagLength`: 128 or 256 bits.
 *
 * @param key 16 bytes; copied
 * @throws as `aesGcm`
 */
export function aegis128l(key: Uint8Array, options: AlgorithmOptions = {}): Promise<AeadKey> {
  return withKey('AEGIS-128L', key, 16, options, (folder) => {
    // draft-irtf-cfrg-aegis-aead, "AEGIS-128L Test Vector 1"
    return aegis(folder, WasmAegis128L, [
      '10010000000000000000000000000000',
      '10000200000000000000000000000000',
      '',
      '00000000000000000000000000000000',
      'c1c0e58bd913006feba00f4b3cc3594eabe0ece80c24868a226a35d16bdae37a',
    ]);
  });
}

/**
 * AEGIS-256 (draft-irtf-cfrg-aegis-aead) in constant time. A repeated iv breaks confidentiality and authenticity.
 *
 * `iv`: 32 bytes, which may be random for any number of messages. `tagLength`: 128 or 256 bits.
 *
 * @param key 32 bytes; copied
 * @throws as `aesGcm`
 */
export function aegis256(key: Uint8Array, options: AlgorithmOptions = {}): Promise<AeadKey> {
  return withKey('AEGIS-256', key, 32, options, (folder) => {
    // draft-irtf-cfrg-aegis-aead, "AEGIS-256 Test Vector 1"
    return aegis(folder, WasmAegis256, [
      '1001000000000000000000000000000000000000000000000000000000000000',
      '1000020000000000000000000000000000000000000000000000000000000000',
      '',
      '00000000000000000000000000000000',
      '754fc3d8c973246dcc6d741412a4b2363fe91994768b332ed7f570a19ec5896e',
    ]);
  });
}

/** Not in src/engine/wasm/module-scripts.ts, so that no other entry leads to them. */
export const AEGIS_MODULES: ModuleScripts = {
  'aegis.relaxed': () => import('wasm:aegis.relaxed'),
  'aegis.simd': () => import('wasm:aegis.simd'),
};

function aegis(
  folder: Folder,
  Mode: new (key: AegisKey, options: { readonly tagBytes: number }) => Aead,
  answer: AeadAnswer,
): Promise<MakeKey> {
  const load = () => loadAegis(loadWasmAt(AEGIS_MODULES, folder));
  return severalTags(once('aegis.wasm', folder, load), AegisKey, Mode, [128, 256], answer);
}

/** Of both answers: "Ladies and Gentlemen of the class of '99: …" */
const POLY_PLAINTEXT =
  '4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636f756c64206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73637265656e20776f756c642062652069742e';

/** AES has keys of 128, 192 and 256 bits (FIPS 197, section 5). */
export const AES_KEY_BYTES = [16, 24, 32];

/** The AES module, which all modes of AES share. */
export function aesModule(folder: Folder): Promise<AesModule> {
  return once('aes.wasm', folder, () => AesModule.load(loadWasmAt(AES_MODULES, folder)));
}

/** The module of ChaCha20 and Poly1305. */
function arxModule(folder: Folder): Promise<ArxModule> {
  return once('arx.wasm', folder, () => ArxModule.load(loadWasmAt(ARX_MODULES, folder)));
}

/** Key, iv, additional data, plaintext and ciphertext ‖ tag of a published answer, in hexadecimal. */
type AeadAnswer = readonly [string, string, string, string, string];
/** Keys for an AEAD that gave its known answer. */
type MakeKey = (key: Uint8Array) => AeadKey;

/** A mode of AES. */
function aesMode(
  folder: Folder,
  Mode: new (key: AesKey, options: { readonly tagBytes: number }) => Aead,
  tagBits: readonly number[],
  answer: AeadAnswer,
): Promise<MakeKey> {
  return severalTags(aesModule(folder), AesKey, Mode, tagBits, answer);
}

/** An AEAD with several lengths of tags, each an object of its own over the same key. */
async function severalTags<M, K>(
  loading: Promise<M>,
  Key: new (module: M, key: Uint8Array) => K,
  Mode: new (key: K, options: { readonly tagBytes: number }) => Aead,
  tagBits: readonly number[],
  answer: AeadAnswer,
): Promise<MakeKey> {
  const module = await loading;
  return tested((key) => {
    const own = new Key(module, key);
    return new LoadedAead((tagBytes) => new Mode(own, { tagBytes }), tagBits);
  }, answer);
}

/** An AEAD whose tags always have 128 bits. */
async function withFullTag<M>(
  loading: Promise<M>,
  Cipher: new (module: M, key: Uint8Array) => Aead,
  answer: AeadAnswer,
): Promise<MakeKey> {
  const module = await loading;
  return tested((key) => {
    const own = new Cipher(module, key);
    return new LoadedAead(() => own, [128]);
  }, answer);
}

/** @returns `make`, whose AEAD gives the answer and refuses it with one bit changed */
function tested(make: MakeKey, answer: AeadAnswer): MakeKey {
  const [key, iv, additionalData, plaintext, sealed] = answer.map(fromHex) as Five;
  const params = { iv, additionalData };
  const keyed = make(key);
  assertRight(equal(keyed.encrypt(params, plaintext), sealed));
  assertRight(equal(keyed.decrypt(params, sealed), plaintext));
  sealed[15]! ^= 1;
  assertRight(refuses(() => keyed.decrypt(params, sealed)));
  keyed.wipe();
  return make;
}

type Five = [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

const PARAMS = { iv: true, additionalData: true, tagLength: true, into: true } as const;

class LoadedAead implements AeadKey {
  #withTag: ((tagBytes: number) => Aead) | undefined;
  readonly #tagBits: readonly number[];
  readonly #aeads = new Map<number, Aead>();

  constructor(withTag: (tagBytes: number) => Aead, tagBits: readonly number[]) {
    this.#withTag = withTag;
    this.#tagBits = tagBits;
    this.#aeads.set(128, withTag(16));
  }

  encrypt(params: AeadParams, data: Uint8Array): Uint8Array<ArrayBuffer> {
    const aead = this.#aead(params, data);
    const { iv, additionalData, into } = params;
    return aead.seal(iv, data, additionalData, into) as Uint8Array<ArrayBuffer>;
  }

  decrypt(params: AeadParams, data: Uint8Array): Uint8Array<ArrayBuffer> {
    const aead = this.#aead(params, data);
    const { iv, additionalData, into } = params;
    return aead.open(iv, data, additionalData, into) as Uint8Array<ArrayBuffer>;
  }

  wipe(): void {
    for (const aead of this.#aeads.values()) aead.wipe();
    this.#withTag = undefined;
  }

  /** Checks the arguments by the names that they have here. */
  #aead(params: AeadParams, data: Uint8Array): Aead {
    checkOptions('params', params, PARAMS);
    const { iv, additionalData, tagLength = 128 } = params;
    if (!this.#tagBits.includes(tagLength)) {
      throw new RangeError(`tagLength must be one of ${this.#tagBits.join(', ')} (bits)`);
    }
    const withTag = unwiped(this.#withTag);
    const aead = this.#aeads.get(tagLength) ?? withTag(tagLength / 8);
    this.#aeads.set(tagLength, aead);
    checkBytes('iv', iv, aead.nonceBytes);
    if (additionalData !== undefined) checkBytes('additionalData', additionalData);
    checkBytes('data', data);
    return aead;
  }
}
