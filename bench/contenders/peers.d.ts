/* What we use of the peers that have no types of their own. */
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

/** Made by bench/sjcl-source.ts. */
declare module 'sjcl-joined' {
  const sjcl: unknown;
  export default sjcl;
}
