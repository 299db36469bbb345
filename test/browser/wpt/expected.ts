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
    file: /^derive_bits_keys\/argon2\./,
    name: /^Argon2(d|i) /,
    because: 'the extension computes Argon2 in WebAssembly alone, whose module has Argon2id only',
    places: ['chromium', 'firefox'],
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
    file: /^sign_verify\/eddsa_small_order_points\./,
    name: / - Test (0|1|2|12|13)$/,
    because: 'the platforms accept some signatures under public keys of small order',
    inBrowserToo: true,
  },
  {
    file: /^sign_verify\/eddsa_small_order_points\./,
    name: / - Test 11$/,
    because: 'Chromium and Node.js accept one more of them',
    places: ['chromium', 'node'],
    inBrowserToo: true,
  },
  {
    file: /^import_export\/okp_importKey_failures_Ed25519\./,
    name: /^Invalid '(use|crv)' field: importKey\(jwk/,
    because: 'Firefox does not read these fields of a key of Ed25519',
    places: ['firefox'],
    inBrowserToo: true,
  },
  {
    file: /^supports(-modern)?\.tentative\./,
    name: /^(supports returns false for algorithm objects with invalid parameters|deriveKey promise tests)$/,
    because:
      'in a page, supports answers at once: by names and types of parameters, not by their values',
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
    file: /^import_export\/ec_importKey_failures_/,
    name: /^Invalid 'use' field: importKey\(jwk\(private\)/,
    because: 'Firefox does not read this field of a private key of a curve of NIST',
    places: ['firefox'],
    inBrowserToo: true,
  },
  {
    file: /^import_export\/okp_importKey_failures_X25519\./,
    name: /^Invalid ('use' field: importKey\(jwk\(private\)|'crv' field: importKey\(jwk)/,
    because: 'Firefox does not read these fields of a key of X25519',
    places: ['firefox'],
    inBrowserToo: true,
  },
  {
    file: /^derive_bits_keys\/derived_bits_length\./,
    name: /^X25519 derivation with 230 as 'length' parameter$/,
    because: 'Firefox derives whole bytes',
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
  {
    file: /^derive_bits_keys\/cfrg_curves_bits_curve25519\./,
    name: /^X25519 non-multiple of 8 bits$/,
    because: 'Firefox derives whole bytes',
    places: ['firefox'],
    inBrowserToo: true,
  },
];
