import type * as NodeCrypto from 'node:crypto';

/**
 * OpenSSL through Node, or undefined in browsers: what the hardware's own instructions can do.
 * Asked for at run time, so that the same rows are bundled for both.
 */
export const openssl: typeof NodeCrypto | undefined = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:crypto') as typeof NodeCrypto | undefined;
