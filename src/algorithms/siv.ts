/** AES-SIV, which needs no nonce. */
import type { Siv } from '../crypto/aead/siv.ts';
import { equal, fromHex } from '../crypto/bytes.ts';
import { checkBytes, checkOptions } from '../crypto/errors.ts';
import { wasmSiv } from '../engine/wasm/aes/cmac.ts';
import { aesModule } from './aead.ts';
import { assertRight, refuses, unwiped, withKey } from './load.ts';
import type { AlgorithmOptions } from './load.ts';

/** The parameters of one message of AES-SIV. */
export interface SivParams {
  /**
   * Authenticated and not encrypted: one array, or up to 126 of them, whose number and boundaries are authenticated
   * too. None if absent. A nonce, where one is used, is the last of them (RFC 5297, section 3).
   */
  readonly additionalData?: Uint8Array | readonly Uint8Array[];
  /**
   * Receives the result, which is then a view of it. May overlap the data and the other parameters anywhere; where the
   * data begin at the same byte, they are not copied. What does not verify leaves no plaintext in it.
   */
  readonly into?: Uint8Array;
}

/** AES-SIV under one key. Its methods are synchronous, on the calling thread. */
export interface SivKey {
  /**
   * Encrypts and authenticates. Equal inputs give equal results.
   *
   * @param data any length, 0 included
   * @returns synthetic IV ‖ ciphertext: data.length + 16 bytes
   * @throws TypeError for wrong types and unknown parameters; RangeError for wrong lengths
   */
  encrypt(params: SivParams, data: Uint8Array): Uint8Array<ArrayBuffer>;

  /**
   * Verifies and decrypts.
   *
   * @param data what `encrypt` returned
   * @returns the plaintext
   * @throws AuthenticationError if anything does not verify; TypeError and RangeError as `encrypt`
   */
  decrypt(params: SivParams, data: Uint8Array): Uint8Array<ArrayBuffer>;

  /** Overwrites the key. The object must not be used afterwards: its methods throw. */
  wipe(): void;
}

/**
 * AES-SIV (RFC 5297) in constant time. Without a nonce among the additional data, it reveals which messages are equal,
 * and nothing else.
 *
 * @param key 32, 48 or 64 bytes; copied
 * @throws TypeError, RangeError for the arguments; NotSupportedError (DOMException) with the reason where its
 *   WebAssembly does not load or gives a wrong answer
 */
export function aesSiv(key: Uint8Array, options: AlgorithmOptions = {}): Promise<SivKey> {
  return withKey('AES-SIV', key, [32, 48, 64], options, async (folder) => {
    const module = await aesModule(folder);
    const make = (bytes: Uint8Array) => new LoadedSiv(wasmSiv(module, bytes));
    testSiv(make);
    return make;
  });
}

/** RFC 5297, A.1. It must also refuse the answer with one bit changed. */
function testSiv(make: (key: Uint8Array) => SivKey): void {
  const keyed = make(fromHex('fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'));
  const params = { additionalData: fromHex('101112131415161718191a1b1c1d1e1f2021222324252627') };
  const plaintext = fromHex('112233445566778899aabbccddee');
  const sealed = fromHex('85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c');
  assertRight(equal(keyed.encrypt(params, plaintext), sealed));
  assertRight(equal(keyed.decrypt(params, sealed), plaintext));
  sealed[0]! ^= 1;
  assertRight(refuses(() => keyed.decrypt(params, sealed)));
  keyed.wipe();
}

const PARAMS = { additionalData: true, into: true } as const;

class LoadedSiv implements SivKey {
  #siv: Siv | undefined;

  constructor(siv: Siv) {
    this.#siv = siv;
  }

  encrypt(params: SivParams, data: Uint8Array): Uint8Array<ArrayBuffer> {
    const strings = stringsOf(params, data);
    return unwiped(this.#siv).seal(data, strings, params.into) as Uint8Array<ArrayBuffer>;
  }

  decrypt(params: SivParams, data: Uint8Array): Uint8Array<ArrayBuffer> {
    const strings = stringsOf(params, data);
    return unwiped(this.#siv).open(data, strings, params.into) as Uint8Array<ArrayBuffer>;
  }

  wipe(): void {
    this.#siv?.wipe();
    this.#siv = undefined;
  }
}

/** Checks the arguments by the names that they have here. */
function stringsOf(params: SivParams, data: Uint8Array): readonly Uint8Array[] {
  checkOptions('params', params, PARAMS);
  const { additionalData = [] } = params;
  checkBytes('data', data);
  if (Array.isArray(additionalData)) {
    additionalData.forEach((each, i) => checkBytes(`additionalData[${i}]`, each));
    return additionalData as readonly Uint8Array[];
  }
  checkBytes('additionalData', additionalData);
  return [additionalData];
}
