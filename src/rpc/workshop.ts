/*
 * The table of the workshop: operations that take long, or whose parameters a page or a file chooses. They run
 * in workers, beside the realm of the vault's key, which gives each the secrets of one call. What comes back
 * is validated, as every message is.
 */
import { SealwrightError } from './errors.ts';
import { MAX_SUBTLE_BYTES } from './limits.ts';
import { thresholds } from './thresholds.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  nullable,
  object,
  optional,
  string,
  tagged,
  union,
  type Infer,
  type Validator,
} from './validate.ts';
import type { ParamsIn } from './methods/method.ts';
import { SUBTLE_METHODS } from './methods/subtle.ts';
import {
  ALGORITHM_MEMBERS,
  handle,
  jwk,
  KEY_USAGES,
  number,
  SUBTLE_ERRORS,
} from './methods/subtle-values.ts';

/** What an operation takes and returns. */
interface Row<S, P, R, E> {
  /** Keys, passphrases and contents, for this call alone: the workshop wipes the bytes among them. */
  readonly secrets: Validator<S>;
  readonly params: Validator<P>;
  readonly result: Validator<R>;
  /** What is reported before the result. */
  readonly progress?: Validator<E>;
  /** Bytes of WebAssembly that a call fills, which are free only when the worker ends. Absent: few. */
  readonly fills?: (params: P) => number;
}

const none = object({});
const text = string(4096);
const count = integer(0);
/** Of backups and of files of other tools: far above what is accepted before. */
const file = bytes(256 * 2 ** 20);
const lines = array(string(16_384), 10_000);
const passphrase = string(16_384);

const absent = object({ type: literal('absent'), engine: text, reason: text });
const selfTestEvent = tagged('type', {
  absent,
  /** An engine's known answers for an algorithm; the reason of a failure, for bug reports. */
  answer: object({
    ...{ type: literal('answer'), engine: text, algorithm: text },
    ...{ passed: boolean, reason: optional(text) },
  }),
  /** Of one engine, for an algorithm and the size of the input of a call. */
  speed: object({
    ...{ type: literal('speed'), engine: text, algorithm: text },
    /** 'no' if its timing may depend on the key. */
    constantTime: literal('by-construction', 'platform', 'no'),
    ...{ bytes: count, bytesPerSecond: number },
  }),
  /** The time of one call of a fixed size; 0 bytes where it has no message. */
  call: object({
    ...{ type: literal('call'), engine: text, name: text, bytes: count, seconds: number },
    operation: literal('decrypt', 'encrypt', 'derive', 'power'),
  }),
  progress: object({ type: literal('progress'), done: count, total: count }),
});

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
    ...{ p: digits, g: digits, q: digits },
  }),
  usages: storedUsages,
  format: literal('bytes', 'pkcs8', 'spki'),
  content: string(Math.ceil((4 * MAX_SUBTLE_BYTES) / 3)),
});

/** Keys by the handles that the parameters have for them, and a seed for what the operation draws. */
const subtleSecrets = object({
  keys: array(object({ handle, key: storedKey }), 2 * ALGORITHM_MEMBERS.length + 2),
  seed: optional(bytes(32)),
});

const result = bytes(MAX_SUBTLE_BYTES + 2 ** 20);
const madeKeys = array(storedKey, 2, 1);

function row<S, P, R, E = never>(
  secrets: Validator<S>,
  params: Validator<P>,
  result: Validator<R>,
  more: Pick<Row<S, P, R, E>, 'progress' | 'fills'> = {},
): Row<S, P, R, E> {
  return { secrets, params, result, ...more };
}

type SubtleParamsOf<M extends keyof typeof SUBTLE_METHODS> = ParamsIn<typeof SUBTLE_METHODS, M>;

/** An operation of a page's `subtle`, with the parameters as the page sent them. */
function subtleRow<M extends keyof typeof SUBTLE_METHODS, R>(method: M, result: Validator<R>) {
  const params = SUBTLE_METHODS[method].params as unknown as Validator<SubtleParamsOf<M>>;
  return row(subtleSecrets, params, result, { fills: filledBySubtle });
}

/** What Argon2 (RFC 9106) and scrypt (RFC 7914, section 2) fill. */
function filledBySubtle(params: object): number {
  // A page may have passed anything: what is no number is refused before any work.
  const { memory, N, r } = (params as { algorithm?: Readonly<Record<string, unknown>> })
    .algorithm ?? { memory: 0 };
  return 1024 * Number(memory ?? 0) + 128 * Number(N ?? 0) * Number(r ?? 0);
}

/** The rows of the workshop. */
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
  'age.open': row(
    object({ identities: lines, passphrase: optional(passphrase) }),
    object({ file }),
    nullable(file),
  ),
  'age.recipientsOf': row(object({ identities: lines }), none, lines),
  'sjcl.open': row(
    object({ password: passphrase }),
    object({ text: string(256 * 2 ** 20) }),
    object({ plaintext: file, authenticated: boolean, iterations: count }),
  ),
  /** An account of Weave's storage 1 to 3, opened: JSON, to be read. */
  'weave.open': row(
    object({ passphrase, seed: bytes(32) }),
    object({ text: string(256 * 2 ** 20) }),
    file,
  ),
  'selfTest.run': row(none, object({ cards: boolean }), object({ thresholds }), {
    progress: selfTestEvent,
  }),
  /** What each engine could do, in the order of preference; nothing is tested for it. */
  'selfTest.engines': row(
    none,
    object({ cards: boolean }),
    object({
      absent: array(absent, 100),
      engines: array(text, 100),
      rows: array(object({ algorithm: text, engines: array(text, 100) }), 1000),
    }),
  ),
  'subtle.decrypt': subtleRow('subtle.decrypt', result),
  'subtle.deriveBits': subtleRow('subtle.deriveBits', result),
  'subtle.deriveKey': subtleRow('subtle.deriveKey', madeKeys),
  'subtle.digest': subtleRow('subtle.digest', result),
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
});

type Rows = typeof WORKSHOP_METHODS;
/** The name of an operation of the workshop. */
export type Operation = keyof Rows;
/** What an operation is given. */
export interface InputOf<M extends Operation> {
  readonly secrets: Infer<Rows[M]['secrets']>;
  readonly params: Infer<Rows[M]['params']>;
}
/** What an operation returns. */
export type OutputOf<M extends Operation> = Infer<Rows[M]['result']>;
/** What an operation reports before. */
export type ProgressOf<M extends Operation> = Infer<NonNullable<Rows[M]['progress']>>;

/** What the self-test reports. */
export type SelfTestEvent = ProgressOf<'selfTest.run'>;
/** An engine that is not available in this browser or this build. */
export type AbsentEngine = Infer<typeof absent>;

/**
 * For whom an operation is done: the vault, the user's own files, the self-test, or pages of one origin. No
 * worker serves two of them.
 */
export type Owner = 'vault' | 'files' | 'self-test' | `origin ${string}`;

/** What a call of the workshop may have besides. */
export interface WorkshopOptions<M extends Operation> {
  /** Ends the work at once, by ending its worker. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (event: ProgressOf<M>) => void;
}

/** Has operations done in the workshop. */
export interface Workshop {
  /**
   * A worker may end at any moment: the call is sent once more then, and its secrets are read again, so they
   * are not to be wiped before it ends.
   *
   * @throws the signal's reason; the error of the operation, by the names of `WORKSHOP_ERRORS`; NoWorker;
   *   WorkshopFailed
   */
  call<M extends Operation>(
    owner: Owner,
    operation: M,
    input: InputOf<M>,
    options?: WorkshopOptions<M>,
  ): Promise<OutputOf<M>>;
}

/** Names of the errors that an operation rejects with: for its caller they are the errors themselves. */
export const WORKSHOP_ERRORS = Object.freeze([
  ...SUBTLE_ERRORS,
  'RangeError',
  'AuthenticationError',
  'Failed',
] as const);
/** The name of an error of an operation; 'Failed': any other. */
export type WorkshopErrorName = (typeof WORKSHOP_ERRORS)[number];

/** To a worker: one call, after the answer to the one before. */
export interface WorkshopRequest {
  readonly operation: string;
  readonly secrets: unknown;
  readonly params: unknown;
}

/** From a worker: that it has started; then for each request any number of reports, and one answer. */
export type WorkshopMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly event: unknown }
  | { readonly type: 'value'; readonly value: unknown }
  | {
      readonly type: 'error';
      readonly name: WorkshopErrorName;
      readonly message: string;
    };

/** A worker failed, or an operation did in a way that its caller cannot mend. */
export class WorkshopFailed extends Error {
  override readonly name = 'WorkshopFailed';
}

/** No worker could be started: the operation is done nowhere else. */
export class NoWorker extends SealwrightError {
  constructor() {
    super('UNSUPPORTED', 'This needs a worker, and the browser could not start one');
  }
}
