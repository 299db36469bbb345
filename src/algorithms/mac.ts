/** Message authentication codes: one function for each algorithm. */
import { copyOf, equal, fromHex, utf8, wipe } from '../crypto/bytes.ts';
import type { HashAlgorithm } from '../crypto/contracts.ts';
import { checkBytes } from '../crypto/errors.ts';
import { Hmac } from '../crypto/mac/hmac.ts';
import type { MacHashName } from '../engine/contract.ts';
import { WasmAesKey } from '../engine/wasm/aes/block-cipher.ts';
import { WasmCmac } from '../engine/wasm/aes/cmac.ts';
import { aesModule, AES_KEY_BYTES } from './aead.ts';
import { hashForMac } from './hash.ts';
import type { LoadHash } from './hash.ts';
import { assertRight, unwiped, withKey } from './load.ts';
import type { AlgorithmOptions } from './load.ts';

/** A MAC under one key. Its methods are synchronous, on the calling thread. */
export interface MacKey {
  /** The length of the tag in bytes. */
  readonly tagBytes: number;
  /** @param data any length @returns the whole tag @throws TypeError for other types */
  sign(data: Uint8Array): Uint8Array<ArrayBuffer>;
  /**
   * Compares without early exit.
   *
   * @returns whether `tag` is the whole tag of `data`
   * @throws TypeError for other types
   */
  verify(tag: Uint8Array, data: Uint8Array): boolean;
  /** Overwrites the key. The object must not be used afterwards: its methods throw. */
  wipe(): void;
}

/**
 * AES-CMAC (RFC 4493, SP 800-38B) in constant time. Tags have 16 bytes.
 *
 * @param key 16, 24 or 32 bytes; copied
 * @throws TypeError, RangeError for the arguments; NotSupportedError (DOMException) with the reason where its
 *   WebAssembly does not load or gives a wrong answer
 */
export function aesCmac(key: Uint8Array, options: AlgorithmOptions = {}): Promise<MacKey> {
  return withKey('AES-CMAC', key, AES_KEY_BYTES, options, async (folder) => {
    const module = await aesModule(folder);
    const make = (bytes: Uint8Array) => {
      const mac = new WasmCmac(new WasmAesKey(module, bytes));
      return new LoadedMac(
        16,
        (data) => mac.tag(data),
        () => mac.wipe(),
      );
    };
    // SP 800-38B, D.1, 320 bits
    testMac(
      make(fromHex('2b7e151628aed2a6abf7158809cf4f3c')),
      fromHex('6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411'),
      fromHex('dfa66747de9ae63030ca32611497c827'),
    );
    return make;
  });
}

/** RFC 2202 and RFC 4231, test case 2. The digests of SHA-3 are tested without HMAC. */
const TAGS: Readonly<Partial<Record<MacHashName, string>>> = {
  'SHA-1': 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
  'SHA-256': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  'SHA-384':
    'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
  'SHA-512':
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
};

/**
 * HMAC (RFC 2104, FIPS 198-1). Tags are as long as the digest.
 *
 *     const key = await hmac(sha256, keyBytes);
 *     const tag = key.sign(data);
 *
 * @param hash `sha1`, `sha256`, `sha384`, `sha512`, `sha3_256`, `sha3_384` or `sha3_512`
 * @param key any length, 0 included; copied. A key longer than the hash's block is hashed first
 * @throws TypeError for the arguments; NotSupportedError (DOMException) as the hash
 */
export async function hmac(
  hash: LoadHash<MacHashName>,
  key: Uint8Array,
  options: AlgorithmOptions = {},
): Promise<MacKey> {
  checkBytes('key', key);
  const own = copyOf(key);
  try {
    const over = await hashForMac(hash, options);
    return await withKey(`HMAC with ${over.name}`, own, { min: 0 }, options, () => {
      const make = (bytes: Uint8Array) => hmacKey(over, bytes);
      const tag = TAGS[over.name];
      const question = utf8('what do ya want for nothing?');
      if (tag !== undefined) testMac(make(utf8('Jefe')), question, fromHex(tag));
      return Promise.resolve(make);
    });
  } finally {
    wipe(own);
  }
}

function hmacKey(over: HashAlgorithm<MacHashName>, key: Uint8Array): MacKey {
  const mac = new Hmac(over, key);
  return new LoadedMac(
    over.digestBytes,
    (data) => mac.reset().update(data).digest(),
    () => mac.wipe(),
  );
}

/** It must also refuse the tag with one bit changed. */
function testMac(keyed: MacKey, message: Uint8Array, tag: Uint8Array): void {
  assertRight(equal(keyed.sign(message), tag));
  assertRight(keyed.verify(tag, message));
  tag[0]! ^= 1;
  assertRight(!keyed.verify(tag, message));
  keyed.wipe();
}

class LoadedMac implements MacKey {
  readonly tagBytes: number;
  #sign: ((data: Uint8Array) => Uint8Array) | undefined;
  readonly #wipe: () => void;

  constructor(tagBytes: number, sign: (data: Uint8Array) => Uint8Array, wipeKey: () => void) {
    this.tagBytes = tagBytes;
    this.#sign = sign;
    this.#wipe = wipeKey;
  }

  sign(data: Uint8Array): Uint8Array<ArrayBuffer> {
    checkBytes('data', data);
    return unwiped(this.#sign)(data) as Uint8Array<ArrayBuffer>;
  }

  verify(tag: Uint8Array, data: Uint8Array): boolean {
    checkBytes('tag', tag);
    const expected = this.sign(data);
    const isRight = equal(expected, tag);
    wipe(expected);
    return isRight;
  }

  wipe(): void {
    this.#sign = undefined;
    this.#wipe();
  }
}
