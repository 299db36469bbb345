/*
 * The table of the workshop: operations that take long, or whose parameters a page or a file chooses. They run
 * in workers, beside the realm of the vault's key, which gives each the secrets of one call. What comes back
 * is validated, as every message is.
 */
import { MAX_AGE_HEAD_BYTES, MAX_SUBTLE_BYTES } from './limits.ts';
import {
  array,
  boolean,
  bytes,
  literal,
  nullable,
  object,
  optional,
  string,
  union,
  type Validator,
} from './validate.ts';
import type { ParamsIn } from './methods/method.ts';
import { SUBTLE_METHODS } from './methods/subtle.ts';
import { ALGORITHM_MEMBERS, handle, jwk, KEY_USAGES } from './methods/subtle-values.ts';
import { thresholds } from './thresholds.ts';
import { count, GROUP_ROWS, none, row, SYNC_ROWS, text } from './workshop-rows.ts';

/** Of backups and of files of other tools: far above what is accepted before. */
const file = bytes(256 * 2 ** 20);
const lines = array(string(16_384), 10_000);
const passphrase = string(16_384);
const seeds = array(bytes(32), 10_000);
const ageSecrets = object({ identities: lines, seeds, passphrase: optional(passphrase) });
/** Before the payload of an age file. */
const head = bytes(MAX_AGE_HEAD_BYTES);

const digits = optional(string(5000));
const storedUsages: Validator<readonly (typeof KEY_USAGES)[number][]> = array(
  literal(...KEY_USAGES),
  KEY_USAGES.length,
);
/** A key of `subtle` as it is kept (src/subtle/stored-key.ts). */
const storedKey = object({
  type: literal('secret', 'private', 'public'),
  extractable: boolean,
  algorithm: object({
    name: text,
    length: optional(count),
    hash: optional(object({ name: text })),
    namedCurve: optional(text),
    modulusLength: optional(count),
    publicExponent: optional(text),
    p: digits,
    g: digits,
    q: digits,
  }),
  usages: storedUsages,
  format: literal('bytes', 'pkcs8', 'spki'),
  content: string(Math.ceil((4 * MAX_SUBTLE_BYTES) / 3)),
});

/**
 * Keys by the handles that the parameters have for them; a seed for what the operation draws; and the measured
 * thresholds, where the message is so long that the user's graphics card may be faster.
 */
const subtleSecrets = object({
  keys: array(object({ handle, key: storedKey }), 2 * ALGORITHM_MEMBERS.length + 2),
  seed: optional(bytes(32)),
  card: optional(thresholds),
});

const result = bytes(MAX_SUBTLE_BYTES + 2 ** 20);
const madeKeys = array(storedKey, 2, 1);
/** ML-KEM-1024 has the longest. */
const ciphertext = bytes(1_568);

/** The signing keys that were made elsewhere, and how a key of RSA is to sign. */
const classicalSigning = literal('DSA', 'RSA-PSS', 'RSASSA-PKCS1-v1_5');
const signing = union('an algorithm', classicalSigning, literal('Ed25519'));
/** Of keys of 8,192 bits, in PKCS #8, SubjectPublicKeyInfo or text. */
const keyBytes = bytes(16_384);

type SubtleParamsOf<M extends keyof typeof SUBTLE_METHODS> = ParamsIn<typeof SUBTLE_METHODS, M>;

/** An operation of a page's `subtle`, with the parameters as the page sent them. */
function subtleRow<M extends keyof typeof SUBTLE_METHODS, R>(method: M, result: Validator<R>) {
  const params = SUBTLE_METHODS[method].params as unknown as Validator<SubtleParamsOf<M>>;
  return row(subtleSecrets, params, result, { fills: filledBySubtle });
}

/** What Argon2 (RFC 9106) and scrypt (RFC 7914, section 2) fill. */
function filledBySubtle(params: object): number {
  // A page may have passed anything: what is not a number is refused before any work.
  const { memory, N, r } = (params as { algorithm?: Readonly<Record<string, unknown>> })
    .algorithm ?? { memory: 0 };
  return 1024 * Number(memory ?? 0) + 128 * Number(N ?? 0) * Number(r ?? 0);
}

/** The rows that the background calls. */
export const WORKSHOP_METHODS = Object.freeze({
  /** Of the vault's and of backups' passphrases: 32 bytes. */
  argon2id: row(
    object({ passphrase: bytes(16_384) }),
    object({
      salt: bytes(64),
      cost: object({ memoryKiB: count, passes: count, parallelism: count }),
    }),
    bytes(32),
  ),
  'age.seal': row(object({ contents: file }), object({ recipients: lines }), file),
  /** null: none of the secrets opens the file. */
  'age.open': row(ageSecrets, object({ file }), nullable(file)),
  /** The key of a payload that is sealed and opened elsewhere; null as above. */
  'age.sealHead': row(none, object({ recipients: lines }), object({ head, key: bytes(32) })),
  'age.openHead': row(ageSecrets, object({ head }), nullable(bytes(32))),
  'age.recipientsOf': row(object({ identities: lines }), none, lines),
  /**
   * JSON of SJCL, or an account of Weave's storage 1 to 3, whose contents are JSON to be read. TypeError for any other
   * text, RangeError for parameters that are not allowed, AuthenticationError for another passphrase.
   */
  'json.open': row(
    object({ passphrase, seed: bytes(32) }),
    object({ text: string(256 * 2 ** 20) }),
    object({
      format: literal('sjcl', 'weave'),
      contents: file,
      trust: literal('whole', 'weak', 'forgeable'),
    }),
  ),
  ...GROUP_ROWS,
  /** A private key for signatures, of PKCS #8 in PEM or a JSON Web Key; RangeError for anything else. */
  'signature.readKey': row(
    object({ text: string(65_536) }),
    object({ scheme: literal('RSA-PSS', 'RSASSA-PKCS1-v1_5') }),
    object({ algorithm: classicalSigning, privateKey: keyBytes, publicKey: keyBytes }),
  ),
  'signature.sign': row(
    object({ privateKey: keyBytes, seed: bytes(32) }),
    object({ algorithm: signing, data: file }),
    keyBytes,
  ),
  /** DataError for a key that is not for signatures, RangeError for a modulus that is too short or too long. */
  'signature.verify': row(
    none,
    object({
      algorithm: signing,
      publicKey: keyBytes,
      signature: file,
      data: file,
    }),
    boolean,
  ),
  /** HMAC-SHA-256 of data that are too long for the background. */
  'signature.mac': row(object({ key: bytes(32) }), object({ data: file }), bytes(32)),
  /** The public point of a private key of P-256, 04 ‖ x ‖ y. */
  'signature.p256Point': row(object({ privateKey: bytes(32) }), none, bytes(65)),
  'subtle.decapsulateBits': subtleRow('subtle.decapsulateBits', bytes(32)),
  'subtle.decapsulateKey': subtleRow('subtle.decapsulateKey', madeKeys),
  'subtle.decrypt': subtleRow('subtle.decrypt', result),
  'subtle.deriveBits': subtleRow('subtle.deriveBits', result),
  'subtle.deriveKey': subtleRow('subtle.deriveKey', madeKeys),
  'subtle.digest': subtleRow('subtle.digest', result),
  'subtle.encapsulateBits': subtleRow(
    'subtle.encapsulateBits',
    object({ sharedKey: bytes(32), ciphertext }),
  ),
  'subtle.encapsulateKey': subtleRow(
    'subtle.encapsulateKey',
    object({ sharedKey: storedKey, ciphertext }),
  ),
  'subtle.encrypt': subtleRow('subtle.encrypt', result),
  'subtle.exportKey': subtleRow(
    'subtle.exportKey',
    union('bytes or a JWK', result, object({ jwk })),
  ),
  'subtle.generateKey': subtleRow('subtle.generateKey', madeKeys),
  'subtle.getPublicKey': subtleRow('subtle.getPublicKey', madeKeys),
  'subtle.importKey': subtleRow('subtle.importKey', madeKeys),
  'subtle.sign': subtleRow('subtle.sign', result),
  'subtle.unwrapKey': subtleRow('subtle.unwrapKey', madeKeys),
  'subtle.verify': subtleRow('subtle.verify', boolean),
  'subtle.wrapKey': subtleRow('subtle.wrapKey', result),
  ...SYNC_ROWS,
});
