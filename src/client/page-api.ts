/**
 * The page contract of Sealwright: what a web page finds at `window.sealwright`
 * on a site that the user has enabled, and what the npm client re-exports as types.
 *
 * Fixed points (other parts, and tests written elsewhere, rely on them): names, parameter
 * shapes, error codes, the order "consent before work". Free: everything behind them, and
 * additions that keep what is here working.
 *
 * Bytes in are `BufferSource` (views respected, never mutated, resizable/detached refused);
 * bytes out are fresh `Uint8Array`s. Every method returns a Promise and never throws synchronously, but for
 * `sealStream`, `openStream` (they error asynchronously) and `sealedLength` (RangeError).
 *
 * Only `connect` (and `rotateKey` of a key the user picked) may show a prompt; everything else rejects at once with
 * NOT_GRANTED or LOCKED. No grant is needed for `status` (which says locked, no grants), `random`, `inspect`,
 * `sealedLength`, and `subtle` with session keys; rate limits apply to all. Windows only: workers are served by a port
 * bridge in the npm client.
 */

import type { OwnBytes, SealwrightSubtle } from './page-types.ts';

export type Bytes = BufferSource;

/* ---------- discovery (two events on window, after EIP-6963) ---------- */

/** Page dispatches `sealwright:request`; the provider answers, and also once on load, with
 *  `sealwright:announce`, a CustomEvent whose `detail` is frozen `{ info, provider }`. */
export interface ProviderInfo {
  readonly uuid: string; // fresh per page load: no identifier across sites
  readonly name: string;
  readonly rdns: string; // "org.sealwright"
  readonly icon: string; // data: URI
  readonly version: string; // of the extension, semver
  readonly api: string; // of this contract, semver
  readonly features: readonly string[];
}

/* ---------- errors ---------- */

/** Rejections are SealwrightError except aborts (DOMException "AbortError") and `subtle`,
 *  which rejects with the DOMExceptions of the Web Cryptography API. */
export interface SealwrightError extends Error {
  readonly name: 'SealwrightError';
  readonly code:
    | 'USER_REJECTED'
    | 'NOT_GRANTED'
    | 'LOCKED'
    | 'UNSUPPORTED'
    | 'DISCONNECTED'
    | 'NEEDS_KEY' // data: { headerKeyId }: a key unknown, or not granted to this origin: never told apart
    | 'QUOTA' // data: { retryAfterMs }
    | 'EXPIRED'
    | 'BAD_ENVELOPE'
    | 'AUTH_FAILED' // wrong key, wrong context or tampered: never told apart
    | 'TOO_LARGE'
    | 'INVALID_ARGUMENT'
    | 'INTERNAL';
  readonly retryable: boolean;
  readonly data?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  onProgress?(done: { bytes: number; total?: number }): void;
}

/* ---------- keys and grants ---------- */

export type Capability =
  | 'seal'
  | 'open'
  | 'mac'
  | 'blindIndex'
  | 'sync'
  | 'sign'
  | 'publicKey'
  | 'signToken' // JOSE: `subtle` signs with the key
  | 'openToken'; // JOSE: `subtle` agrees on secrets with it

export interface GrantRequest {
  /** One sentence shown to the user, as text, marked as the site's own words. */
  purpose: string;
  /** "app": the key that belongs to this origin (derived, made on first use). Otherwise the user picks. */
  key?:
    | 'app'
    | { kind: 'sealing' | 'signing' | 'sharing' | 'jose'; label?: string }
    | { kind: 'sync'; label?: string; collections: readonly string[] }; // the only collections it may touch
  capabilities: readonly Capability[];
  expiresInMs?: number;
  maxUses?: number;
}

export interface Grant {
  readonly id: string;
  readonly keyId: string; // KeyInfo.id: opaque, different on every origin, stable over generations
  readonly capabilities: readonly Capability[];
  readonly expiresAt: number | null; // ms since epoch
  readonly usesLeft: number | null;
}

export interface KeyInfo {
  readonly id: string; // opaque, per origin
  readonly kind: 'app' | 'sealing' | 'sync' | 'signing' | 'sharing' | 'jose';
  readonly label: string;
  readonly created: number;
  readonly generation: number; // grows with rotation; older generations still open
}

export interface Status {
  readonly locked: boolean;
  readonly grants: readonly Grant[];
  readonly engines: readonly string[]; // e.g. ["native", "wasm-simd", "js"]
}

/* ---------- sealing ---------- */

export interface SealOptions extends CallOptions {
  key?: string; // key id; default: this origin's app key
  to?: readonly string[]; // recipients' public keys: a shared message; its sender is not authenticated
  toSelf?: boolean; // with `to`: the own key is a recipient too
  portable?: boolean; // not bound to this origin (picked keys only; shown in the prompt)
  context?: Bytes | string; // associated data (string: UTF-8, lone surrogates refused): must be equal to open; never stored
  pad?: boolean; // hide the length (Padmé)
}
export interface OpenOptions extends CallOptions {
  context?: Bytes | string;
  /** Default 'own': a message sealed with a public key is refused (AUTH_FAILED), since anyone could have made it. */
  accept?: 'own' | 'shared';
}
export type BatchResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: SealwrightError };

export interface SealedInfo {
  readonly version: number;
  readonly suite: string;
  readonly purpose: string;
  readonly headerKeyId: string | null;
  readonly recipients: number;
  readonly plaintextBytes: number | null;
}

/* ---------- sync (Mozilla Weave / Firefox Sync storage formats) ---------- */

export interface SyncRecord {
  id: string;
  payload: unknown;
  [field: string]: unknown;
}
export interface EncryptedRecord {
  id: string;
  payload: string;
  [field: string]: unknown;
}

export interface SealwrightSync {
  /** The record format is the sync key's own (Firefox Sync storage version 5 for imported Weave keys, Kinto's, JWE, or the house
   *  format for keys made here). In version 5 `collection` picks its bundle from crypto/keys, else the default one. */
  encryptRecords(
    collection: string,
    records: readonly SyncRecord[],
    options?: CallOptions & { key?: string },
  ): Promise<BatchResult<EncryptedRecord>[]>;
  decryptRecords(
    collection: string,
    records: readonly EncryptedRecord[],
    options?: CallOptions & { key?: string },
  ): Promise<BatchResult<SyncRecord>[]>;
  /** Reads the server's crypto/keys record into the key store (by the sync key), or makes a new one to upload. */
  loadCollectionKeys(
    record: EncryptedRecord,
    options?: CallOptions & { key?: string },
  ): Promise<void>;
  createCollectionKeys(
    collections?: readonly string[],
    options?: CallOptions & { key?: string },
  ): Promise<EncryptedRecord>;
}

/* ---------- the provider ---------- */

/** Events: "lock", "unlock", "grantchange"; "disconnect" when the extension is gone or was reloaded (never for a worker that
 *  merely slept), "reconnect" when it is back. `window.sealwright` is defined configurable and not writable. */
export interface Sealwright extends EventTarget {
  readonly info: ProviderInfo;

  status(options?: CallOptions): Promise<Status>;

  /** Cryptographically strong bytes, 0 … 1 MiB per call. Also installed as `window.crypto.random` (own, configurable,
   *  not enumerable) where `'random' in crypto` is false. */
  random(length: number, options?: CallOptions): Promise<OwnBytes>;
  /** RFC 9562 version 4, lower case. */
  randomUUID(options?: CallOptions): Promise<string>;
  /** An integer of 0 … max - 1, every one equally likely; max: 1 … 2^48. */
  randomInt(max: number, options?: CallOptions): Promise<number>;

  connect(request: GrantRequest, options?: CallOptions): Promise<readonly Grant[]>;
  grants(options?: CallOptions): Promise<readonly Grant[]>;
  revoke(grantIds?: readonly string[], options?: CallOptions): Promise<void>;

  keys(options?: CallOptions): Promise<readonly KeyInfo[]>;
  rotateKey(keyId: string, options?: CallOptions): Promise<KeyInfo>;
  publicKey(keyId: string, options?: CallOptions): Promise<string>;

  seal(plaintext: Bytes | string, options?: SealOptions): Promise<OwnBytes>; // up to 64 MiB, else TOO_LARGE
  open(sealed: Bytes, options?: OpenOptions): Promise<OwnBytes>;
  sealBlob(plaintext: Blob, options?: SealOptions): Promise<Blob>; // any size up to 32 GiB
  openBlob(sealed: Blob, options?: OpenOptions): Promise<Blob>; // released after the last chunk verified
  sealText(text: string, options?: SealOptions): Promise<string>; // one line, "sw1." + base64url
  openText(armored: string, options?: OpenOptions): Promise<string>; // such a line, or "swt1" and base32
  /** Batches: up to 10,000 items; each item is one use. */
  sealMany(
    items: readonly (Bytes | string)[],
    options?: SealOptions,
  ): Promise<BatchResult<OwnBytes>[]>;
  openMany(items: readonly Bytes[], options?: OpenOptions): Promise<BatchResult<OwnBytes>[]>;
  sealStream(options?: SealOptions): TransformStream<Uint8Array, OwnBytes>;
  /** What comes out is authentic; a cut-off end shows only when the stream closes, as an error. */
  openStream(options?: OpenOptions): TransformStream<Uint8Array, OwnBytes>;
  sealedLength(plaintextBytes: number, options?: Pick<SealOptions, 'pad' | 'to'>): number;
  rewrap(sealed: Bytes, options?: SealOptions): Promise<OwnBytes>; // to the newest generation or another key
  inspect(sealed: Bytes | string): Promise<SealedInfo>; // needs no key and no grant

  sign(data: Bytes, options?: CallOptions & { key?: string }): Promise<OwnBytes>;
  verify(
    data: Bytes,
    signature: Bytes,
    options?: CallOptions & { key?: string; publicKey?: string },
  ): Promise<boolean>;

  mac(data: Bytes, options?: CallOptions & { key?: string }): Promise<OwnBytes>;
  verifyMac(data: Bytes, tag: Bytes, options?: CallOptions & { key?: string }): Promise<boolean>;
  /** Deterministic 32-byte index of a value in a named field, for equality search on the page's own server. Different on
   *  every origin. Stays with generation 1 of the key until the page asks for another, so that stored indexes keep working. */
  blindIndex(
    value: string,
    field: string,
    options?: CallOptions & { key?: string; generation?: number },
  ): Promise<OwnBytes>;

  readonly sync: SealwrightSync;

  /** The shape of SubtleCrypto (ArrayBuffers out, DOMExceptions), with keys that live in the extension and with the
   *  algorithms that browsers lack. See docs/library.md for names and parameters. Key handles are frozen objects of class
   *  SealwrightKey, valid in this document only; a session key lives as long as the document, or longer by `wrapKey` or, under a
   *  grant on the app key, by `exportKey('sealwright-ref', key)` and `importKey('sealwright', ref, …)`. Structured cloning throws. */
  readonly subtle: SealwrightSubtle;
}

declare global {
  interface Window {
    readonly sealwright?: Sealwright;
  }
  interface Crypto {
    random?(length: number): Promise<OwnBytes>;
  }
}
