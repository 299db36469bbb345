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

/** Bytes in: an ArrayBuffer or a view of one. A view's own bytes count; neither is changed. */
export type Bytes = BufferSource;

/* ---------- discovery (two events on window, after EIP-6963) ---------- */

/** Page dispatches `sealwright:request`; the provider answers, and also once on load, with
 *  `sealwright:announce`, a CustomEvent whose `detail` is frozen `{ info, provider }`. */
export interface ProviderInfo {
  /** RFC 9562 version 4, fresh for each page load: no identifier across sites. */
  readonly uuid: string;
  /** For people: "Sealwright". */
  readonly name: string;
  /** "org.sealwright": the name by which a page picks this provider among others. */
  readonly rdns: string;
  /** A `data:` URI of a picture. */
  readonly icon: string;
  /** Of the extension, by Semantic Versioning. */
  readonly version: string;
  /** Of this contract, by Semantic Versioning. */
  readonly api: string;
  /** The names of the methods that this version has: `info.features.includes('rewrapMany')`. */
  readonly features: readonly string[];
}

/* ---------- errors ---------- */

/** What may be reported of an error: no id of a key, no name of a collection or a record, nothing of an argument. */
export interface ReportedError {
  /** `error.code` */
  readonly code: string;
  /** `error.message`: for developers. Messages may change, codes do not. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Of `error.data` its `capability`, `retryAfterMs`, `needs` and `reason`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Rejections are SealwrightError except aborts (DOMException "AbortError") and `subtle`,
 * which rejects with the DOMExceptions of the Web Cryptography API. A union by `code`, which says what `data` is:
 *
 *     if (isSealwrightError(error, 'QUOTA')) await sleep(error.data.retryAfterMs);
 */
export type SealwrightError = Error & {
  /** 'SealwrightError', of whichever frame or worker the error is. */
  readonly name: 'SealwrightError';
  /** Whether the same call may succeed when simply tried again, once the cause is over. */
  readonly retryable: boolean;
  /** What JSON.stringify writes and an error report may have. */
  toJSON(): ReportedError;
} & (
    | {
        /**
         * USER_REJECTED: the user said no. LOCKED: the vault is locked. DISCONNECTED: the extension is gone. EXPIRED: the
         * grant's time or uses are over. FROZEN: a decoy was opened, and the user has not answered. BAD_ENVELOPE: this is no sealed message. AUTH_FAILED: wrong key, wrong context or
         * tampered, never told apart. TOO_LARGE, INVALID_ARGUMENT: the message names the argument. INTERNAL: a defect.
         */
        readonly code:
          | 'USER_REJECTED'
          | 'LOCKED'
          | 'DISCONNECTED'
          | 'EXPIRED'
          | 'FROZEN'
          | 'BAD_ENVELOPE'
          | 'AUTH_FAILED'
          | 'TOO_LARGE'
          | 'INVALID_ARGUMENT'
          | 'INTERNAL';
        /** None. */
        readonly data?: undefined;
      }
    | {
        /** No grant allows the call. */
        readonly code: 'NOT_GRANTED';
        /** What is missing; `keyId` only where this origin has, or had, a grant for that key. */
        readonly data: {
          /** What `connect` is to ask for. */
          readonly capability: Capability;
          /** Of a sync key. */
          readonly collection?: string;
          /** `KeyInfo.id` */
          readonly keyId?: string;
        };
      }
    | {
        /** A key unknown, sealed for another address, or not granted to this origin: never told apart. */
        readonly code: 'NEEDS_KEY';
        /** As `inspect` gives it. */
        readonly data: {
          /** Base64url. */
          readonly headerKeyId: string;
        };
      }
    | {
        /** Too many calls or bytes at once, as much opened as `maxPerHour` allows, or a `connect` too soon after a no. */
        readonly code: 'QUOTA';
        /** When to try again. */
        readonly data: {
          /** Milliseconds. */
          readonly retryAfterMs: number;
        };
      }
    | {
        /** Not in this version, browser, private window or frame. */
        readonly code: 'UNSUPPORTED';
        /** Why, where it is known. */
        readonly data?: {
          /** The browser could not start one. */
          readonly needs?: 'worker';
          /** The call came from a frame that is not served: open the app in a tab of its own. */
          readonly reason?: 'frame';
        };
      }
  );

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects with a DOMException, AbortError. */
  signal?: AbortSignal | undefined;
  /** Milliseconds, after which the call rejects with a DOMException, TimeoutError. */
  timeoutMs?: number | undefined;
  /** Is called while large data are worked on, with bytes done and, where it is known, of how many. */
  onProgress?: ((done: { bytes: number; total?: number }) => void) | undefined;
}

/* ---------- keys and grants ---------- */

/** What a grant allows: a method of that name, or for `sync` those of `sealwright.sync`. */
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

/** What a page asks the user for. */
export interface GrantRequest {
  /** One sentence of at most 500 characters, shown to the user, as text, marked as the site's own words. */
  purpose: string;
  /**
   * "app": the key that belongs to this origin (derived, made on first use). What it seals opens at no other address. Otherwise
   * the user picks or makes one; `label` has at most 100 characters, and `collections` are the only ones it may touch.
   */
  key?:
    | 'app'
    | { kind: 'sealing' | 'signing' | 'sharing' | 'jose'; label?: string | undefined }
    | { kind: 'sync'; label?: string | undefined; collections: readonly string[] }
    | undefined;
  /** What the key is to be used for: `['seal', 'open']`. */
  capabilities: readonly Capability[];
  /** Milliseconds, after which the grant ends at the latest. Default: no end, but 90 days without a use */
  expiresInMs?: number | undefined;
  /** How many uses the grant has at most. Default: no limit */
  maxUses?: number | undefined;
  /**
   * How many messages the grant opens at most within any hour, each item of a batch for itself; then QUOTA, with the time
   * until the next. For apps that open on demand: it bounds what code takes that gets into the page. Default: no limit
   */
  maxPerHour?: number | undefined;
  /**
   * Asks for openings beside those of `maxPerHour`, once: for an export or a first sync. The user is asked each time, and
   * the openings are taken first, within an hour after the answer.
   */
  bulk?: { readonly records: number } | undefined;
}

/** What the user has allowed this origin. */
export interface Grant {
  /** Opaque. */
  readonly id: string;
  /** `KeyInfo.id`: opaque, different on every origin, stable over generations. */
  readonly keyId: string;
  /** What it allows. */
  readonly capabilities: readonly Capability[];
  /** Milliseconds since the epoch; null: no end. */
  readonly expiresAt: number | null;
  /** Null: without limit. */
  readonly usesLeft: number | null;
  /** How many messages it opens within any hour, as the user decided; null: without limit. */
  readonly maxPerHour: number | null;
}

/** A key that is granted to this origin. */
export interface KeyInfo {
  /** Opaque, different on every origin, stable over generations. */
  readonly id: string;
  /** What it is made for. */
  readonly kind: 'app' | 'sealing' | 'sync' | 'signing' | 'sharing' | 'jose';
  /** The user's name for it. */
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** Grows with rotation; older generations still open. */
  readonly generation: number;
  /**
   * Of what is sealed for this origin now, as `inspect` gives it: a message with another one was sealed under an older
   * generation, or by another key. Null for keys that seal no messages, and where only a call with `portable` tells.
   */
  readonly headerKeyId: string | null;
}

/** What `status` resolves with. */
export interface Status {
  /** Whether the vault is locked, or not there. */
  readonly locked: boolean;
  /** Of this origin; none while locked. */
  readonly grants: readonly Grant[];
  /** For example `["native", "wasm-simd", "js"]`. */
  readonly engines: readonly string[];
}

/* ---------- sealing ---------- */

/** Options of what seals. */
export interface SealOptions extends CallOptions {
  /** `KeyInfo.id`. Default: this origin's app key */
  key?: string | undefined;
  /** Public keys of at most 16 recipients, and groups, "swg1.…": a shared message; its sender is not authenticated. */
  to?: readonly string[] | undefined;
  /** With `to`: the own key is a recipient too. */
  toSelf?: boolean | undefined;
  /** Not bound to this origin (picked keys only; shown in the prompt): another address of the app can open it. */
  portable?: boolean | undefined;
  /**
   * Associated data of at most 64 KiB (text: UTF-8, lone surrogates refused): must be equal to open; never stored. Name the
   * record, so that a server cannot exchange messages: `note ${id}`.
   */
  context?: Bytes | string | undefined;
  /** Hides the length (Padmé), by at most 12 % more. */
  pad?: boolean | undefined;
  /**
   * All epochs of the groups among the recipients, "swge1.…", in any order. The newest is used, never one older than before;
   * the page needs a grant to open with the sharing key that is a member.
   */
  epochs?: readonly string[] | undefined;
}

/** Options of what seals one message. */
export interface SealOneOptions extends SealOptions {
  /**
   * A message like any other that the app's own code never opens: to open it is FROZEN, and so is all that the grant opens from
   * then on, until the user answers. Not with `to` or `portable`; at most 64 for a site (TOO_LARGE).
   */
  decoy?: boolean | undefined;
}

/** Options of what opens. */
export interface OpenOptions extends CallOptions {
  /** As when it was sealed. */
  context?: Bytes | string | undefined;
  /** Default 'own': a message sealed with a public key is refused (AUTH_FAILED), since anyone could have made it. */
  accept?: 'own' | 'shared' | undefined;
  /** All epochs of the group that the message was sealed to; without its own the call is NEEDS_KEY. */
  epochs?: readonly string[] | undefined;
}

/** Options of a batch: those of a single call for all items, and a context for each. */
export type BatchOptions<O> = O & {
  /** One for each item, in order, in place of `context` (both: INVALID_ARGUMENT): `rows.map(({ id }) => `note ${id}`)`. */
  contexts?: readonly (Bytes | string)[] | undefined;
};

/** What became of one item of a batch. */
export type BatchResult<T> =
  | {
      /** It succeeded. */
      readonly ok: true;
      /** The result of the single call. */
      readonly value: T;
    }
  | {
      /** It failed, and the others did not for that. */
      readonly ok: false;
      /** What the single call would have rejected with. */
      readonly error: SealwrightError;
    };

/** What a message says without a key: none of it is authenticated. */
export interface SealedInfo {
  /** Of the format, docs/format.md. */
  readonly version: number;
  /** The algorithms, by name. */
  readonly suite: string;
  /** Which kind of key sealed it. */
  readonly purpose: string;
  /** Base64url; equal for all that one key, generation and origin sealed. Null for a shared message that names none. */
  readonly headerKeyId: string | null;
  /** How many public keys it is sealed to; 0 for one that is not shared. */
  readonly recipients: number;
  /** Bytes of its plaintext, with its padding; null where only the end would tell. */
  readonly plaintextBytes: number | null;
}

/* ---------- sync (Mozilla Weave / Firefox Sync storage formats) ---------- */

/** A record as the app has it. Further fields are passed through, unsealed. */
export interface SyncRecord {
  /** At most 512 characters; the sealed record is bound to it. */
  id: string;
  /** A value of JSON, which is sealed. */
  payload: unknown;
  /** Passed through. */
  [field: string]: unknown;
}

/** A record as the server has it. */
export interface EncryptedRecord {
  /** As in the clear record. */
  id: string;
  /** The sealed value, as text. */
  payload: string;
  /** Passed through. */
  [field: string]: unknown;
}

/** What a device's list of a collection has become, to be stored with the records: all `chunks`, and then `head`. */
export interface SyncCheckpoint {
  /** In the place of the head before, which had the same id. */
  head: EncryptedRecord;
  /** Those that have changed, each in the place of the one with its id. */
  chunks: EncryptedRecord[];
}

/** How what a server has compares with what all heads list. */
export interface SyncReport {
  /** Nothing is missing, rolled back or forked. */
  ok: boolean;
  /** Ids of records, heads and chunks that are not there; of records those that this device wrote or that were passed. */
  missing: string[];
  /** Of all that are not there. */
  missingCount: number;
  /** Ids of records and heads that are there in an older version. */
  rolledBack: string[];
  /** A device has two heads of which neither follows the other: its profile was copied, or put back. Reported once. */
  forked: boolean;
  /** Records that no head lists in this version, such as those of apps and devices without heads. */
  unconfirmed: number;
}

/** Records of sync services, under a sync key. `key`: `KeyInfo.id`, needed where several sync keys are granted. */
export interface SealwrightSync {
  /** The record format is the sync key's own (Firefox Sync storage version 5 for imported Weave keys, Kinto's, JWE, or the house
   *  format for keys made here). In version 5 `collection` picks its bundle from crypto/keys, else the default one.
   *
   *     const [result] = await sealwright.sync.encryptRecords('notes', [{ id: 'n1', payload: { text: 'Hello' } }]); */
  encryptRecords(
    collection: string,
    records: readonly SyncRecord[],
    options?: CallOptions & { key?: string | undefined },
  ): Promise<BatchResult<EncryptedRecord>[]>;
  /** The reverse. A record of another collection or id is AUTH_FAILED.
   *
   *     const results = await sealwright.sync.decryptRecords('notes', records); */
  decryptRecords(
    collection: string,
    records: readonly EncryptedRecord[],
    options?: CallOptions & { key?: string | undefined },
  ): Promise<BatchResult<SyncRecord>[]>;
  /** Lists records that this device has stored on a server, so that `verify` tells, here and on other devices, if the
   *  server leaves them out later. Of a record that was deleted pass its id, `deleted: true` and, where the app has
   *  generations, one above its last. Only for keys that were made in Sealwright. Each record is a use of the grant.
   *
   *     const { head, chunks } = await sealwright.sync.checkpoint('notes', [stored, { id: 'n2', deleted: true }]); */
  checkpoint(
    collection: string,
    records: readonly (EncryptedRecord | { id: string; deleted: true; generation?: number })[],
    options?: CallOptions & { key?: string | undefined },
  ): Promise<SyncCheckpoint>;
  /** Compares all records of a collection, as a server has them, with the heads and chunks that all devices stored there.
   *  Of a record that the app expects and the server lacks, pass `{ id, payload: '' }` to have it named.
   *
   *     const { ok, missing } = await sealwright.sync.verify('notes', records, heads); */
  verify(
    collection: string,
    records: readonly EncryptedRecord[],
    heads: readonly EncryptedRecord[],
    options?: CallOptions & { key?: string | undefined },
  ): Promise<SyncReport>;
  /** Reads the server's crypto/keys record into the key store (by the sync key). */
  loadCollectionKeys(
    record: EncryptedRecord,
    options?: CallOptions & { key?: string | undefined },
  ): Promise<void>;
  /** Makes a new crypto/keys record to upload, with keys of their own for the named collections. */
  createCollectionKeys(
    collections?: readonly string[],
    options?: CallOptions & { key?: string | undefined },
  ): Promise<EncryptedRecord>;
}

/* ---------- the provider ---------- */

/** Events: "lock", "unlock", "grantchange"; "disconnect" when the extension is gone or was reloaded (never for a worker that
 *  merely slept), "reconnect" when it is back. `window.sealwright` is defined configurable and not writable. */
export interface Sealwright extends EventTarget {
  /** What is announced of the provider. */
  readonly info: ProviderInfo;

  /** Never rejects with LOCKED; needs no grant.
   *
   *     const { locked, grants } = await sealwright.status(); */
  status(options?: CallOptions): Promise<Status>;

  /** Cryptographically strong bytes, 0 … 1 MiB per call. Also installed as `window.crypto.random` (own, configurable,
   *  not enumerable) where `'random' in crypto` is false. */
  random(length: number, options?: CallOptions): Promise<OwnBytes>;
  /** RFC 9562 version 4, lower case. */
  randomUUID(options?: CallOptions): Promise<string>;
  /** An integer of 0 … max - 1, every one equally likely; max: 1 … 2^48. */
  randomInt(max: number, options?: CallOptions): Promise<number>;

  /** Asks the user, in a window of the extension, and unlocks the vault first. Not where a grant covers the request already. Call
   *  it in answer to a click. Rejects with USER_REJECTED, and QUOTA for a while after that.
   *
   *     const [{ keyId }] = await sealwright.connect({ purpose: 'Keep your notes private.', capabilities: ['seal', 'open'] }); */
  connect(request: GrantRequest, options?: CallOptions): Promise<readonly Grant[]>;
  /** The grants of this origin that have not ended. Needs no grant. */
  grants(options?: CallOptions): Promise<readonly Grant[]>;
  /** Gives grants back, by `Grant.id`; without ids all of this origin. Work under them ends with NOT_GRANTED. */
  revoke(grantIds?: readonly string[], options?: CallOptions): Promise<void>;

  /** The keys that are granted here. */
  keys(options?: CallOptions): Promise<readonly KeyInfo[]>;
  /** Makes a new generation of a key, which seals from then on; older ones still open. The user is asked for keys that they
   *  picked. UNSUPPORTED for imported keys.
   *
   *     const { headerKeyId } = await sealwright.rotateKey(keyId); // rows with another one are to be rewrapped */
  rotateKey(keyId: string, options?: CallOptions): Promise<KeyInfo>;
  /** The public key of a signing or sharing key as text, `swp1.…`. Takes no use. */
  publicKey(keyId: string, options?: CallOptions): Promise<string>;

  /** Seals bytes or text of up to 64 MiB, else TOO_LARGE. One use of a grant with `seal`.
   *
   *     const sealed = await sealwright.seal('Meet me at nine', { context: `note ${id}` }); */
  seal(plaintext: Bytes | string, options?: SealOneOptions): Promise<OwnBytes>;
  /** Opens what `seal` made. One use of a grant with `open`.
   *
   *     const text = new TextDecoder().decode(await sealwright.open(sealed, { context: `note ${id}` })); */
  open(sealed: Bytes, options?: OpenOptions): Promise<OwnBytes>;
  /** Seals a Blob or File of up to 32 GiB. */
  sealBlob(plaintext: Blob, options?: SealOneOptions): Promise<Blob>;
  /** Opens one; resolves after the last chunk was verified. */
  openBlob(sealed: Blob, options?: OpenOptions): Promise<Blob>;
  /** Seals text; resolves with one line, "sw1." and base64url. */
  sealText(text: string, options?: SealOneOptions): Promise<string>;
  /** Opens such a line, or "swt1" and base32, the form of fields. */
  openText(armored: string, options?: OpenOptions): Promise<string>;
  /** Seals up to 10,000 items of 64 MiB together. A result for each item, in order; each is one use.
   *
   *     const results = await sealwright.sealMany(rows.map(({ text }) => text), {
   *       contexts: rows.map(({ id }) => `note ${id}`),
   *     }); */
  sealMany(
    items: readonly (Bytes | string)[],
    options?: BatchOptions<SealOptions>,
  ): Promise<BatchResult<OwnBytes>[]>;
  /** Opens up to 10,000 items, likewise.
   *
   *     const results = await sealwright.openMany(sealed, { contexts: ids.map((id) => `note ${id}`) }); */
  openMany(
    items: readonly Bytes[],
    options?: BatchOptions<OpenOptions>,
  ): Promise<BatchResult<OwnBytes>[]>;
  /** Opens and seals again up to 10,000 items, as `rewrap` does one. Each is a use of `open` and one of `seal`. */
  rewrapMany(
    items: readonly Bytes[],
    options?: BatchOptions<SealOptions>,
  ): Promise<BatchResult<OwnBytes>[]>;
  /** Seals a stream of up to 32 GiB. Errors come when it is read and written. */
  sealStream(options?: SealOneOptions): TransformStream<Uint8Array, OwnBytes>;
  /** What comes out is authentic; a cut-off end shows only when the stream closes, as an error. */
  openStream(options?: OpenOptions): TransformStream<Uint8Array, OwnBytes>;
  /** Bytes of the sealed message of that many bytes, at once. Throws RangeError. */
  sealedLength(plaintextBytes: number, options?: Pick<SealOptions, 'pad' | 'to'>): number;
  /** Opens a message and seals it again, under the newest generation of its key or under `key`; the page does not see the
   *  plaintext. */
  rewrap(sealed: Bytes, options?: SealOptions): Promise<OwnBytes>;
  /** What a message says without a key, from bytes or armored text. Needs no grant. */
  inspect(sealed: Bytes | string): Promise<SealedInfo>;

  /** A signature for this origin over at most 64 MiB. `key`: default the one signing key that is granted. */
  sign(data: Bytes, options?: CallOptions & { key?: string | undefined }): Promise<OwnBytes>;
  /** Whether a signature is valid for this origin, by a granted key or by `publicKey` (text), which needs no grant. */
  verify(
    data: Bytes,
    signature: Bytes,
    options?: CallOptions & { key?: string | undefined; publicKey?: string | undefined },
  ): Promise<boolean>;

  /** A tag of 32 bytes over at most 64 MiB. `key`: default the app key. */
  mac(data: Bytes, options?: CallOptions & { key?: string | undefined }): Promise<OwnBytes>;
  /** Whether a tag is one of any generation of the key. */
  verifyMac(
    data: Bytes,
    tag: Bytes,
    options?: CallOptions & { key?: string | undefined },
  ): Promise<boolean>;
  /** Deterministic 32-byte index of a value (at most 64 KiB) in a named field (at most 256 characters), for equality search on
   *  the page's own server. Different on every origin. Stays with generation 1 of the key until the page asks for another, so
   *  that stored indexes keep working.
   *
   *     const column = await sealwright.blindIndex('ada@example.org', 'email'); */
  blindIndex(
    value: string,
    field: string,
    options?: CallOptions & { key?: string | undefined; generation?: number | undefined },
  ): Promise<OwnBytes>;

  /** Records of sync services. */
  readonly sync: SealwrightSync;

  /** The shape of SubtleCrypto (ArrayBuffers out, DOMExceptions), with keys that live in the extension and with the
   *  algorithms that browsers lack. See docs/library.md for names and parameters. Key handles are frozen objects of class
   *  SealwrightKey, valid in this document only; a session key lives as long as the document, or longer by `wrapKey` or, under a
   *  grant on the app key, by `exportKey('sealwright-ref', key)` and `importKey('sealwright', ref, …)`. Structured cloning throws. */
  readonly subtle: SealwrightSubtle;
}

declare global {
  interface Window {
    /** The provider, where the extension serves the page and the page has no such name itself. */
    readonly sealwright?: Sealwright;
  }
  interface Crypto {
    /** `Sealwright.random` */
    random?(length: number): Promise<OwnBytes>;
  }
}
