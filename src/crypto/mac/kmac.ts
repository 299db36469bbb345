import { utf8, wipe } from '../bytes.ts';
import type { Hash, Mac } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { bytepad, cshake, encodeString, rightEncode } from '../hash/cshake.ts';
import { rateOf, type CreateSponge } from '../hash/keccak.ts';

/** The parameters of KMAC beside the key. */
export interface KmacParams {
  /** L / 8: any length; a tag of 0 bytes authenticates nothing */
  readonly outputBytes: number;
  /** S, any length: separates the uses of an application */
  readonly customization: Uint8Array;
}

/** N of KMAC: cSHAKE's function name (SP 800-185, section 4.3) */
const FUNCTION_NAME = 'KMAC';

/**
 * KMAC128 or KMAC256 of one message (SP 800-185, section 4). The length of the tag is authenticated: a shorter tag is
 * no prefix of a longer one. KMACXOF, which has no such length, is not here.
 */
export class Kmac implements Mac {
  readonly tagBytes: number;
  readonly #hash: Hash;

  /**
   * @param strength 128 for KMAC128, 256 for KMAC256
   * @param key K, any length; it should have at least `strength` bits (section 8.4.1)
   * @param create the sponge to use; src/crypto's own by default
   */
  constructor(
    strength: 128 | 256,
    key: Uint8Array,
    { outputBytes, customization }: KmacParams,
    create?: CreateSponge,
  ) {
    checkBytes('key', key);
    this.tagBytes = outputBytes;
    const functionName = utf8(FUNCTION_NAME);
    this.#hash = cshake(strength, { outputBytes, functionName, customization }, create);
    // newX = bytepad(encode_string(K), r) || X || right_encode(L)
    const encoded = encodeString(key);
    const prefix = bytepad(rateOf(strength), encoded);
    this.#hash.update(prefix);
    wipe(encoded, prefix);
  }

  update(data: Uint8Array): this {
    this.#hash.update(data);
    return this;
  }

  digest(): Uint8Array {
    return this.#hash.update(rightEncode(8 * this.tagBytes)).digest();
  }

  wipe(): void {
    this.#hash.wipe();
  }
}
