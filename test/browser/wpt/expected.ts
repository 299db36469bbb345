import type { BrowserName } from '../drivers/driver.ts';

/** Subtests that fail, and have to. */
export interface ExpectedFailure {
  readonly file: RegExp;
  readonly name: RegExp;
  readonly because: string;
  /** Where it fails; in both if undefined. */
  readonly browser?: BrowserName;
  /** Whether the browser's own `crypto.subtle` fails the same subtest, which the test looks after. */
  readonly inBrowserToo: boolean;
}

/** Subtests about algorithms that we lack: neither passed nor failed, they are counted apart. */
export const LACKING = /X448|Ed448/;

export const EXPECTED_FAILURES: readonly ExpectedFailure[] = [
  {
    file: /^generateKey\/failures_/,
    name: /^Bad algorithm: generateKey\(\{length: 128, name: AES-CMAC\}/,
    because: 'AES-CMAC was taken out of the standard, and is one of our algorithms',
    inBrowserToo: false,
  },
  {
    file: /^derive_bits_keys\/pbkdf2\./,
    name: / with 0 length$/,
    because: 'no bits at all are no longer an error: the standard has changed since these tests',
    inBrowserToo: true,
  },
  {
    file: /^import_export\/okp_importKey\./,
    name: /^Good parameters with ignored JWK alg: Ed25519 /,
    because: 'alg must now be Ed25519 or EdDSA: the standard has changed since these tests',
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/cfrg_curves_(bits|keys)\./,
    name: /^X25519 mismatched algorithms$/,
    because: 'the other algorithm is X448, and there is no such key',
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/cfrg_curves_(bits|keys)\./,
    name: /^X25519 .* all-zero value result with a key of order (0|1|8|p)/,
    because: 'Firefox refuses these public keys when they are imported, not when they are used',
    browser: 'firefox',
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/cfrg_curves_bits\./,
    name: /^X25519 non-multiple of 8 bits$/,
    because: 'Firefox derives whole bytes',
    browser: 'firefox',
    inBrowserToo: true,
  },
];
