/**
 * The six ciphers of this folder in the modes of src/crypto, by name: ECB, CBC (SP 800-38A, PKCS #7), CTR (SP
 * 800-38A), OCB (RFC 7253, draft-krovetz-ocb-wideblock-00) and CBC-MAC (ISO/IEC 9797-1, MAC algorithm 1). For
 * reading old data and for measurement: nothing here is offered to pages or used for sealing.
 */
import { Ocb } from '../aead/ocb.ts';
import { wipe } from '../bytes.ts';
import type { BlockBytes, BlockCipher } from '../contracts.ts';
import { AuthenticationError, checkBytes, checkOptions, inPromise } from '../errors.ts';
import { cbcMac } from '../mac/cbc-mac.ts';
import { cbcDecryptRaw, cbcEncryptRaw, pkcs7, unpadded } from '../mode/cbc.ts';
import { ctr } from '../mode/ctr.ts';
import { ecbDecrypt, ecbEncrypt } from '../mode/ecb.ts';
import { Idea } from './idea.ts';
import { Mars } from './mars.ts';
import { Rc6 } from './rc6.ts';
import { Sc2000 } from './sc2000.ts';
import { Serpent } from './serpent.ts';
import { Twofish } from './twofish.ts';

/** How to make a cipher, and what its keys and blocks are. */
export interface CipherDefinition {
  /** The length of a block in bytes. */
  readonly blockBytes: BlockBytes;
  /** The allowed lengths of keys in bytes. */
  readonly keyBytes: readonly number[];
  /** @param key of one of the allowed lengths; copied */
  readonly withKey: (key: Uint8Array) => BlockCipher<BlockBytes>;
}

const AES_SIZES = { blockBytes: 16, keyBytes: [16, 24, 32] } as const;

/** The six ciphers, in portable code. */
export const BLOCK_CIPHERS = {
  IDEA: { blockBytes: 8, keyBytes: [16], withKey: (key) => new Idea(key) },
  Twofish: { ...AES_SIZES, withKey: (key) => new Twofish(key) },
  RC6: { ...AES_SIZES, withKey: (key) => new Rc6(key) },
  MARS: { ...AES_SIZES, withKey: (key) => new Mars(key) },
  Serpent: { ...AES_SIZES, withKey: (key) => new Serpent(key) },
  SC2000: { ...AES_SIZES, withKey: (key) => new Sc2000(key) },
} as const satisfies Record<string, CipherDefinition>;

/** The names of the six ciphers. RC6 is RC6-32/20, MARS has the key schedule of August 1999. */
export type BlockCipherName = keyof typeof BLOCK_CIPHERS;

/** `pkcs7`: PKCS #7 (RFC 5652, section 6.3). `none`: messages are whole blocks. */
export type Padding = 'none' | 'pkcs7';

/** The parameters of one message, by mode. All lengths are in bytes, except `tagLength`. */
export interface ModeParams {
  /** Equal blocks give equal blocks. */
  ECB: {
    /** `pkcs7` if absent. */
    readonly padding?: Padding;
  };
  /** Not authenticated: verify a MAC before decryption. */
  CBC: {
    /** One unpredictable block. */
    readonly iv: Uint8Array;
    /** `pkcs7` if absent. */
    readonly padding?: Padding;
  };
  /** Not authenticated. */
  CTR: {
    /** The whole first counter block: a big-endian integer that wraps at 2^(8 · blockBytes). */
    readonly iv: Uint8Array;
  };
  /** RFC 7253; with blocks of 8 bytes (IDEA) draft-krovetz-ocb-wideblock-00, an expired draft. */
  OCB: {
    /** The nonce, never used before under this key: 1 to 15 bytes, IDEA 1 to 7. */
    readonly iv: Uint8Array;
    /** Authenticated with the message; empty if absent. */
    readonly additionalData?: Uint8Array;
    /** In bits: 64, 96 or 128, IDEA 32, 48 or 64; the longest if absent. */
    readonly tagLength?: number;
  };
}

/** The modes that encrypt. */
export type ModeName = keyof ModeParams;

/** The parameters of `cbcMac`. */
export interface CbcMacParams {
  /**
   * ISO/IEC 9797-1, padding method 1 (`zeros`: up to whole blocks; the empty message is one block of zeros) or
   * 2 (`bit`: a 1 bit first).
   */
  readonly padding: 'zeros' | 'bit';
}

/** One of the six ciphers. Its methods set up the key, process one message and wipe the key's schedule. */
export interface ModesOfCipher {
  /** The length of a block in bytes: 16, IDEA 8. */
  readonly blockBytes: BlockBytes;
  /** The allowed lengths of keys in bytes: 16, 24 and 32, IDEA 16. */
  readonly keyBytes: readonly number[];

  /**
   * Encrypts one message.
   *
   * @param key one of `keyBytes` long; not changed
   * @param params see `ModeParams`
   * @param data any length; whole blocks with padding `none`
   * @returns a new array: as long as `data`; padded to the next whole block, at least one byte longer, with
   * `pkcs7`; with the tag appended in OCB
   * @throws TypeError for a wrong type, an unknown mode, padding or option; RangeError for a wrong length of
   * key, iv or data or an unknown tagLength
   */
  encrypt<M extends ModeName>(
    mode: M,
    key: Uint8Array,
    params: ModeParams[M],
    data: Uint8Array,
  ): Promise<Uint8Array>;

  /**
   * The inverse of `encrypt`, under the same conditions.
   *
   * @returns a new array, or a view of one
   * @throws AuthenticationError if the length of `data`, the padding or the tag is wrong; the same error for
   * all of them
   */
  decrypt<M extends ModeName>(
    mode: M,
    key: Uint8Array,
    params: ModeParams[M],
    data: Uint8Array,
  ): Promise<Uint8Array>;

  /**
   * CBC-MAC without output transformation and truncation. It can be forged unless all messages under a key
   * have one length. Compare tags in constant time.
   *
   * @param key one of `keyBytes` long; not changed
   * @param data any length
   * @returns one block
   * @throws TypeError for a wrong type, an unknown padding or option; RangeError for a wrong length of key
   */
  cbcMac(key: Uint8Array, data: Uint8Array, params: CbcMacParams): Promise<Uint8Array>;
}

/** One mode: checks its parameters, before there is a key, and returns what to do with a message. */
type Mode<P> = (params: P, blockBytes: BlockBytes) => ModeOperations;

interface ModeOperations {
  encrypt(cipher: BlockCipher<BlockBytes>, data: Uint8Array): Uint8Array;
  decrypt(cipher: BlockCipher<BlockBytes>, data: Uint8Array): Uint8Array;
}

const MODES: { readonly [M in ModeName]: Mode<ModeParams[M]> } = {
  ECB: (params) => {
    checkOptions('params', params, { padding: true });
    return padded(params.padding, ecbEncrypt, ecbDecrypt);
  },
  CBC: (params, blockBytes) => {
    checkOptions('params', params, { iv: true, padding: true });
    const { iv, padding } = params;
    checkBytes('iv', iv, blockBytes);
    return padded(
      padding,
      (cipher, data, target) => cbcEncryptRaw(cipher, iv, data, target),
      (cipher, data, target) => cbcDecryptRaw(cipher, iv, data, target),
    );
  },
  CTR: (params, blockBytes) => {
    checkOptions('params', params, { iv: true });
    const { iv } = params;
    checkBytes('iv', iv, blockBytes);
    const crypt = (cipher: BlockCipher<BlockBytes>, data: Uint8Array): Uint8Array =>
      ctr(cipher, iv, 8 * blockBytes, data);
    return { encrypt: crypt, decrypt: crypt };
  },
  OCB: (params, blockBytes) => {
    checkOptions('params', params, { iv: true, additionalData: true, tagLength: true });
    const { iv, additionalData, tagLength = 8 * blockBytes } = params;
    checkBytes('iv', iv, { min: 1, max: blockBytes - 1 });
    if (additionalData !== undefined) checkBytes('additionalData', additionalData);
    const tags = blockBytes === 8 ? [32, 48, 64] : [64, 96, 128];
    if (typeof tagLength !== 'number') throw new TypeError('tagLength must be a number');
    if (!tags.includes(tagLength)) {
      throw new RangeError(`tagLength must be one of ${tags.join(', ')}, got ${tagLength}`);
    }
    const over = (
      cipher: BlockCipher<BlockBytes>,
      operation: (ocb: Ocb) => Uint8Array,
    ): Uint8Array => {
      const ocb = new Ocb(cipher, { tagBytes: tagLength / 8 });
      try {
        return operation(ocb);
      } finally {
        ocb.wipe();
      }
    };
    return {
      encrypt: (cipher, data) => over(cipher, (ocb) => ocb.seal(iv, data, additionalData)),
      decrypt: (cipher, data) => over(cipher, (ocb) => ocb.open(iv, data, additionalData)),
    };
  },
};

/** @returns the modes over a cipher of `BLOCK_CIPHERS`, or of an engine that has it */
export function modesOfCipher({ blockBytes, keyBytes, withKey }: CipherDefinition): ModesOfCipher {
  const operate = <M extends ModeName>(
    operation: 'encrypt' | 'decrypt',
    mode: M,
    key: Uint8Array,
    params: ModeParams[M],
    data: Uint8Array,
  ): Uint8Array => {
    if (!Object.hasOwn(MODES, mode)) throw new TypeError(`no mode ${mode}`);
    const operations = MODES[mode](params, blockBytes);
    checkBytes('key', key, keyBytes);
    checkBytes('data', data);
    const cipher = withKey(key);
    try {
      return operations[operation](cipher, data);
    } finally {
      cipher.wipe();
    }
  };
  const mac = (key: Uint8Array, data: Uint8Array, params: CbcMacParams): Uint8Array => {
    checkOptions('params', params, { padding: true });
    const { padding } = params;
    checkName('padding', padding, ['zeros', 'bit']);
    checkBytes('key', key, keyBytes);
    checkBytes('data', data);
    const message = wholeBlocks(data, padding, blockBytes);
    const cipher = withKey(key);
    try {
      return cbcMac(cipher, message);
    } finally {
      cipher.wipe();
      wipe(message);
    }
  };
  return {
    blockBytes,
    keyBytes: [...keyBytes],
    encrypt: (...args) => inPromise(() => operate('encrypt', ...args)),
    decrypt: (...args) => inPromise(() => operate('decrypt', ...args)),
    cbcMac: (...args) => inPromise(() => mac(...args)),
  };
}

type Blockwise = (
  cipher: BlockCipher<BlockBytes>,
  data: Uint8Array,
  target?: Uint8Array,
) => Uint8Array;

/** A mode over whole blocks, with padding. */
function padded(
  padding: Padding = 'pkcs7',
  encrypt: Blockwise,
  decrypt: Blockwise,
): ModeOperations {
  checkName('padding', padding, ['none', 'pkcs7']);
  return {
    encrypt: (cipher, data) => {
      if (padding === 'none') return encrypt(cipher, data);
      const message = pkcs7(data, undefined, cipher.blockBytes);
      return encrypt(cipher, message, message);
    },
    decrypt: (cipher, data) => {
      if (data.length % cipher.blockBytes !== 0) throw new AuthenticationError();
      if (padding === 'none') return decrypt(cipher, data);
      if (data.length === 0) throw new AuthenticationError();
      const message = unpadded(decrypt(cipher, data), cipher.blockBytes);
      if (message === undefined) throw new AuthenticationError();
      return message;
    },
  };
}

/** ISO/IEC 9797-1, section 6.1: padding methods 1 and 2, at least one block */
function wholeBlocks(
  data: Uint8Array,
  padding: CbcMacParams['padding'],
  blockBytes: BlockBytes,
): Uint8Array {
  const needed = padding === 'bit' ? data.length + 1 : Math.max(data.length, 1);
  const message = new Uint8Array(Math.ceil(needed / blockBytes) * blockBytes);
  message.set(data);
  if (padding === 'bit') message[data.length] = 0x80;
  return message;
}

/** @throws TypeError if `value` is not one of `names` */
export function checkName(option: string, value: unknown, names: readonly string[]): void {
  if (!(names as readonly unknown[]).includes(value)) {
    throw new TypeError(`${option} must be one of ${names.join(', ')}`);
  }
}
