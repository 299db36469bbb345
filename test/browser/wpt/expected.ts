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
    file: /^sign_verify\/eddsa_small_order_points\./,
    name: / - Test (0|1|2|11|12|13)$/,
    because: 'Chromium accepts some signatures under public keys of small order',
    browser: 'chromium',
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/cfrg_curves_(bits|keys)_curve25519\./,
    name: /^X25519 .* all-zero value result with a key of order (0|1|8|p)/,
    because: 'Firefox refuses these public keys when they are imported, not when they are used',
    browser: 'firefox',
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/cfrg_curves_bits_curve25519\./,
    name: /^X25519 non-multiple of 8 bits$/,
    because: 'Firefox derives whole bytes',
    browser: 'firefox',
    inBrowserToo: true,
  },
];
