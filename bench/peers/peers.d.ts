/* What we use of the peers that have no types of their own, and of modules that are made. */
declare module 'aes-js' {
  interface Mode {
    encrypt(data: Uint8Array): Uint8Array;
  }
  type Counter = object;
  const aesJs: {
    AES: new (key: Uint8Array) => unknown;
    Counter: new (block: Uint8Array) => Counter;
    ModeOfOperation: {
      ecb: new (key: Uint8Array) => Mode;
      cbc: new (key: Uint8Array, iv: Uint8Array) => Mode;
      ctr: new (key: Uint8Array, counter: Counter) => Mode;
    };
  };
  export default aesJs;
}

declare module 'browserify-aes/browser.js' {
  interface Cipher {
    setAutoPadding(pad: boolean): void;
    update(data: Uint8Array): Buffer;
    final(): Buffer;
    getAuthTag(): Buffer;
  }
  const browserifyAes: { createCipheriv(name: string, key: Buffer, iv: Buffer): Cipher };
  export default browserifyAes;
}

declare module 'asmcrypto.js/asmcrypto.all.es8.js' {
  export * from 'asmcrypto.js/dist_es8/entry-export_all';
}

/** crypto-browserify's hash functions and PBKDF2, which are packages of their own. */
declare module 'create-hash/browser.js' {
  const createHash: (name: string) => { update(data: Buffer): { digest(): Buffer } };
  export default createHash;
}
declare module 'pbkdf2/browser.js' {
  export function pbkdf2Sync(
    password: Buffer,
    salt: Buffer,
    iterations: number,
    length: number,
    hash: string,
  ): Buffer;
}

/** Made by sjcl-source.ts. */
declare module 'sjcl-joined' {
  const sjcl: unknown;
  export default sjcl;
}

/** Made by openpgp-source.ts. */
declare module 'openpgp-ocb' {
  export const enums: { symmetric: { aes128: number; aes256: number } };
  export const Twofish: new (key: Uint8Array) => { encrypt(block: Uint8Array): number[] };
  export function ocbMode(
    cipher: number,
    key: Uint8Array,
  ): Promise<{
    encrypt(plaintext: Uint8Array, nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  }>;
}

/** Made by aes/unrolled-source.ts: AES-128 over whole blocks, its loop unrolled so many times. */
declare module 'unrolled-rounds' {
  export const variants: readonly {
    readonly roundsPerTurn: number;
    readonly encrypt: (
      tables: Int32Array,
      keys: Int32Array,
      source: Int32Array,
      target: Int32Array,
    ) => void;
  }[];
}
