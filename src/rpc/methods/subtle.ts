/*
 * The rows of `subtle`. Session keys need no grant; a key that the user owns takes one use of its
 * grant each time, which is why the methods that may meet one are `counted`.
 *
 * Methods that make keys are `effect`: the key is kept under the id of the call that made it, so a
 * repetition finds it and makes no other (src/service/subtle/session-keys.ts).
 */
import type { Policy, Replay } from './method.ts';
import {
  algorithm,
  bitLength,
  format,
  handle,
  handles,
  jwk,
  keyInfo,
  outcome,
  payload,
  requested,
} from './subtle-values.ts';
import { boolean, bytes, object, string, union } from '../validate.ts';
import type { Validator } from '../validate.ts';

/** AEAD tags and padding beside the longest payload; JSON of a wrapped key. */
const MAX_RESULT_BYTES = 17 * 1024 * 1024;
/** ML-KEM-1024 has the longest. */
const MAX_CIPHERTEXT_BYTES = 1_568;
const SHARED_KEY_BYTES = 32;
/** References have 32 bytes; the error of other lengths is that of an unknown one. */
const MAX_REFERENCE_BYTES = 64;
const result = outcome(bytes(MAX_RESULT_BYTES));
const madeKey = outcome(keyInfo);

/** Serves a method of `subtle` that has another row of its name, or none. */
const INTERNAL = { api: null } as const;

/** How long the work takes is for the page to choose, so it is not repeated again and again. */
function row<P, R>(
  replay: Replay,
  params: Validator<P>,
  result: Validator<R>,
  policy: Policy = {},
) {
  const rules = { access: 'page', needs: 'nothing', resent: 'once' } as const;
  return { ...rules, replay, params, result, ...policy } as const;
}

/** The rows behind `sealwright.subtle`. */
export const SUBTLE_METHODS = Object.freeze({
  'subtle.encrypt': row('counted', object({ algorithm, key: handle, data: payload }), result),
  'subtle.decrypt': row('counted', object({ algorithm, key: handle, data: payload }), result),
  'subtle.sign': row('counted', object({ algorithm, key: handle, data: payload }), result),
  'subtle.verify': row(
    'counted',
    object({ algorithm, key: handle, signature: payload, data: payload }),
    outcome(boolean),
  ),
  'subtle.digest': row('pure', object({ algorithm, data: payload }), result),
  'subtle.generateKey': row(
    'effect',
    object({ algorithm, ...requested }),
    outcome(union('a key or a pair', keyInfo, object({ publicKey: keyInfo, privateKey: keyInfo }))),
  ),
  'subtle.importKey': row(
    'effect',
    object({
      format,
      keyData: union('bytes or a JWK', payload, object({ jwk })),
      algorithm,
      ...requested,
    }),
    madeKey,
  ),
  /** The name of a key that the user owns (KeyInfo.id) in place of key data. */
  'subtle.importNamedKey': row(
    'effect',
    object({ keyId: string(256, 1), algorithm, ...requested }),
    madeKey,
    INTERNAL,
  ),
  /** `exportKey('sealwright-ref', key)`: stores the key in the vault. */
  'subtle.exportReference': row(
    'effect',
    object({ key: handle }),
    outcome(bytes(MAX_REFERENCE_BYTES)),
    INTERNAL,
  ),
  /** Such a reference in place of key data. */
  'subtle.importReference': row(
    'effect',
    object({ reference: bytes(MAX_REFERENCE_BYTES), algorithm, ...requested }),
    madeKey,
    INTERNAL,
  ),
  /** Takes a key out of the vault, by its reference. */
  'subtle.deleteKey': row(
    'pure', // once more finds nothing to remove
    object({ reference: bytes(MAX_REFERENCE_BYTES) }),
    outcome(object({})),
  ),
  'subtle.exportKey': row(
    'pure',
    object({ format, key: handle }),
    outcome(union('bytes or a JWK', bytes(MAX_RESULT_BYTES), object({ jwk }))),
  ),
  'subtle.deriveBits': row(
    'counted',
    object({ algorithm, baseKey: handle, length: bitLength }),
    result,
    { bytesOut: 'length' },
  ),
  'subtle.deriveKey': row(
    'effect',
    object({ algorithm, baseKey: handle, derivedKeyType: algorithm, ...requested }),
    madeKey,
  ),
  'subtle.wrapKey': row(
    'counted',
    object({ format, key: handle, wrappingKey: handle, wrapAlgorithm: algorithm }),
    result,
  ),
  'subtle.unwrapKey': row(
    'effect',
    object({
      format,
      wrappedKey: payload,
      unwrappingKey: handle,
      unwrapAlgorithm: algorithm,
      unwrappedKeyAlgorithm: algorithm,
      ...requested,
    }),
    madeKey,
  ),
  'subtle.encapsulateKey': row(
    'effect',
    object({ algorithm, key: handle, sharedKeyAlgorithm: algorithm, ...requested }),
    outcome(object({ sharedKey: keyInfo, ciphertext: bytes(MAX_CIPHERTEXT_BYTES) })),
  ),
  'subtle.encapsulateBits': row(
    'pure',
    object({ algorithm, key: handle }),
    outcome(
      object({ sharedKey: bytes(SHARED_KEY_BYTES), ciphertext: bytes(MAX_CIPHERTEXT_BYTES) }),
    ),
  ),
  'subtle.decapsulateKey': row(
    'effect',
    object({
      algorithm,
      key: handle,
      ciphertext: payload,
      sharedKeyAlgorithm: algorithm,
      ...requested,
    }),
    madeKey,
  ),
  'subtle.decapsulateBits': row(
    'pure',
    object({ algorithm, key: handle, ciphertext: payload }),
    result,
  ),
  'subtle.getPublicKey': row('effect', object({ key: handle, usages: requested.usages }), madeKey),
  /** Keys that were garbage collected in the page. */
  'subtle.dropKeys': row('pure', object({ keys: handles }), object({}), INTERNAL),
});
