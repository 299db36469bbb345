import type { Subtle } from '../../../src/library/subtle.ts';

/* What the lists of wrong calls are made of. */

/** The methods as both sides have them; keys are each side's own. */
export type Api = Pick<
  Subtle,
  | 'encrypt'
  | 'decrypt'
  | 'sign'
  | 'verify'
  | 'digest'
  | 'generateKey'
  | 'importKey'
  | 'exportKey'
  | 'deriveBits'
  | 'deriveKey'
  | 'wrapKey'
  | 'unwrapKey'
>;

export interface Mistake {
  readonly title: string;
  readonly call: (subtle: Api) => Promise<unknown>;
  /** Name of our error; 'none' where the call is right. */
  readonly name: string;
  readonly node?: string;
  readonly why?: string;
}

export const bytes = (length: number) => new Uint8Array(length);
export const any = (value: unknown) => value as never;
export const gcm = { name: 'AES-GCM', iv: bytes(12) };
export const sha256 = { name: 'HMAC', hash: 'SHA-256' };
export const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: bytes(0), info: bytes(0) };
export const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(0), iterations: 1 };

type Usages = Parameters<Api['importKey']>[4];

export const aes = (s: Api, name: string, usages: Usages, extractable = true) =>
  s.importKey('raw', bytes(16), name, extractable, usages);
export const hmacKey = (s: Api, usages: Usages, length = 32) =>
  s.importKey('raw', bytes(length), sha256, true, usages);
export const secret = (s: Api, name: string, usages: Usages) =>
  s.importKey('raw', bytes(9), name, false, usages);
export const jwk = (over: object): JsonWebKey => ({
  kty: 'oct',
  k: 'AAAAAAAAAAAAAAAAAAAAAA',
  ...over,
});
export const fromJwk =
  (over: object, usages: Usages = ['encrypt'], extractable = true) =>
  (s: Api) =>
    s.importKey('jwk', jwk(over), 'AES-GCM', extractable, usages);
