import type { BrowserName } from '../drivers/driver.ts';

/** Where the tests run: over the façade in a browser, or over the library in Node.js. */
export type Place = BrowserName | 'node';

/** Subtests that fail, and have to. */
export interface ExpectedFailure {
  readonly file: RegExp;
  readonly name: RegExp;
  readonly because: string;
  /** Where it fails; everywhere if undefined. */
  readonly places?: readonly Place[];
  /** Whether the browser's own `crypto.subtle` fails the same subtest, which the test looks after. */
  readonly inBrowserToo: boolean;
}

export const EXPECTED_FAILURES: readonly ExpectedFailure[] = [
  {
    file: /^generateKey\/failures_/,
    name: /^Bad algorithm: generateKey\(\{length: 128, name: AES-CMAC\}/,
    because: 'AES-CMAC was taken out of the standard, and is one of our algorithms',
    inBrowserToo: false,
  },
  {
    file: /^serialization\//,
    name: /^serialization test /,
    because: 'only the platform can give an object [Serializable]: our keys do not clone',
    inBrowserToo: false,
  },
  {
    file: /^digest\/(kangarootwelve|turboshake)\./,
    name: /, 24137569 byte input\)(?!.*transferred buffer during call)/,
    because: 'the extension takes 16 MiB for an argument at most',
    places: ['chromium', 'firefox'],
    inBrowserToo: false,
  },
  {
    file: /^supports(-modern)?\.tentative\./,
    name: /^(supports returns false for algorithm objects with invalid parameters|deriveKey promise tests)$/,
    because:
      'in a page, supports answers at once: by names, types of parameters and lengths of what is derived, not by other values',
    places: ['chromium', 'firefox'],
    inBrowserToo: false,
  },
  {
    file: /^import_export\/ec_importKey\./,
    name: /^PKCS8 private-only: /,
    because: 'Firefox does not export a private key that was imported without its public key',
    places: ['firefox'],
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/cfrg_curves_(bits|keys)_curve25519\./,
    name: /^X25519 .* all-zero value result with a key of order (0|1|8|p)/,
    because: 'Firefox refuses these public keys when they are imported, not when they are used',
    places: ['firefox'],
    inBrowserToo: true,
  },
];
