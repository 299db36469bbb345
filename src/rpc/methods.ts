/*
 * THE table of methods. Who may call, what the broker must find first, how a call is repeated when
 * the line drops, and the shapes of parameters and results: all of it is here, once; every type of
 * client, server and service derives from it. A method that is not here does not exist.
 *
 * Text travels as UTF-8 bytes wherever it may be large, because bytes cross in pieces and strings
 * do not (pieces.ts). Times are ms since epoch.
 */
import {
  MAX_ARMORED_BYTES,
  MAX_CONTEXT_BYTES,
  MAX_ID_CHARACTERS,
  MAX_LABEL_CHARACTERS,
  MAX_PASSPHRASE_CHARACTERS,
  MAX_PLAINTEXT_BYTES,
  MAX_PURPOSE_CHARACTERS,
  MAX_RANDOM_BYTES,
  MAX_SEALED_BYTES,
} from './limits.ts';
import { hasOwn } from './primordials.ts';
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
  union,
} from './validate.ts';
import type { Infer, Validator } from './validate.ts';

/** Who may call: pages (through a content script), or the extension's own pages. */
export type Access = 'page' | 'surface';

/**
 * What must be there before any work begins: nothing; the user's consent, which the call itself
 * asks for; or a grant that covers the call (else NOT_GRANTED or LOCKED at once, never a prompt).
 */
export type Needs = 'nothing' | 'consent' | 'grant';

/**
 * What a repeated request means. `pure`: nothing, it may run again. `counted`: the use is charged
 * once under document and request id, then the work may run again. `effect`: the result is
 * journalled under that id in the same commit as the change, and a repetition gets that result.
 */
export type Replay = 'pure' | 'counted' | 'effect';

export interface Method<P = unknown, R = unknown> {
  readonly access: Access;
  readonly needs: Needs;
  readonly replay: Replay;
  readonly params: Validator<P>;
  readonly result: Validator<R>;
}

const id = string(MAX_ID_CHARACTERS, 1);
const label = string(MAX_LABEL_CHARACTERS, 1);
const time = integer(0);
const count = integer(0);
const duration = integer(1);
const text = string(4096);
const none = object({});

/* ---------- what pages send and get (contract/page-api.d.ts) ---------- */

export const capability = literal('seal', 'open', 'mac', 'blindIndex', 'sync', 'sign', 'publicKey');
const capabilities = array(capability, 7, 1);
const keyKind = literal('app', 'sealing', 'sync', 'signing', 'sharing');

const grant = object({
  id,
  keyId: id,
  capabilities,
  expiresAt: nullable(time),
  usesLeft: nullable(count),
});
const grants = array(grant, 1000);

const keyInfo = object({ id, kind: keyKind, label: text, created: time, generation: count });

const requestedKey = union(
  '"app" or { kind, label? }',
  literal('app'),
  object({ kind: literal('sealing', 'signing', 'sharing'), label: optional(label) }),
  object({
    kind: literal('sync'),
    label: optional(label),
    collections: array(string(64, 1), 100, 1),
  }),
);

const grantRequest = object({
  purpose: string(MAX_PURPOSE_CHARACTERS, 1),
  key: optional(requestedKey),
  capabilities,
  expiresInMs: optional(duration),
  maxUses: optional(integer(1)),
});

const context = optional(bytes(MAX_CONTEXT_BYTES));
const sealOptions = {
  key: optional(id),
  portable: optional(boolean),
  context,
  pad: optional(boolean),
};

const sealedInfo = object({
  version: count,
  suite: text,
  purpose: text,
  headerKeyId: nullable(id),
  recipients: count,
  plaintextBytes: nullable(count),
});

/* ---------- what the extension's own pages send and get ---------- */

const surfaceGrant = object({
  id,
  origin: text,
  keyLabel: text,
  keyKind: text,
  capabilities: array(text, 16),
  created: time,
  expiresAt: nullable(time),
  usesLeft: nullable(count),
  lastUsed: nullable(time),
});
const surfaceGrants = array(surfaceGrant, 10_000);

const surfaceKey = object({
  ref: id,
  kind: text,
  label: text,
  created: time,
  generation: count,
  grants: count,
});
const surfaceKeys = array(surfaceKey, 10_000);

const vaultState = literal('absent', 'lost', 'locked', 'unlocked');
const passphrase = string(MAX_PASSPHRASE_CHARACTERS, 1);
const pattern = string(2048, 1);
const entropy = object({
  pools: array(count, 32),
  reseeds: count,
  events: count,
  healthy: boolean,
});

/* ---------- the table ---------- */

/** Keeps the exact types of parameters and results while checking the shape of an entry. */
function page<P, R>(needs: Needs, replay: Replay, params: Validator<P>, result: Validator<R>) {
  return { access: 'page', needs, replay, params, result } as const;
}

function surface<P, R>(replay: Replay, params: Validator<P>, result: Validator<R>) {
  return { access: 'surface', needs: 'nothing', replay, params, result } as const;
}

export const METHODS = Object.freeze({
  status: page(
    'nothing',
    'pure',
    none,
    object({ locked: boolean, grants, engines: array(text, 16) }),
  ),
  random: page(
    'nothing',
    'pure',
    object({ length: integer(0, MAX_RANDOM_BYTES) }),
    bytes(MAX_RANDOM_BYTES),
  ),
  connect: page('consent', 'effect', grantRequest, grants),
  grants: page('nothing', 'pure', none, grants),
  /** Without `grantIds`: all grants of the caller. */
  revoke: page('nothing', 'effect', object({ grantIds: optional(array(id, 1000)) }), none),
  keys: page('grant', 'pure', none, array(keyInfo, 1000)),
  seal: page(
    'grant',
    'counted',
    object({ plaintext: bytes(MAX_PLAINTEXT_BYTES), ...sealOptions }),
    bytes(MAX_SEALED_BYTES),
  ),
  open: page(
    'grant',
    'counted',
    object({ sealed: bytes(MAX_SEALED_BYTES), context }),
    bytes(MAX_PLAINTEXT_BYTES),
  ),
  /** `text` in UTF-8; the result is the armored line in ASCII. */
  sealText: page(
    'grant',
    'counted',
    object({ text: bytes(MAX_PLAINTEXT_BYTES), ...sealOptions }),
    bytes(MAX_ARMORED_BYTES),
  ),
  /** `armored` in ASCII; the result is text in UTF-8. */
  openText: page(
    'grant',
    'counted',
    object({ armored: bytes(MAX_ARMORED_BYTES), context }),
    bytes(MAX_PLAINTEXT_BYTES),
  ),
  /** Exactly one of the two: a message as bytes, or its armored line in ASCII. */
  inspect: page(
    'nothing',
    'pure',
    union(
      'either sealed or armored',
      object({ sealed: bytes(MAX_SEALED_BYTES) }),
      object({ armored: bytes(MAX_ARMORED_BYTES) }),
    ),
    sealedInfo,
  ),

  'ui.state': surface(
    'pure',
    none,
    object({
      vault: vaultState,
      created: nullable(time),
      autoLockMs: count,
      lockAt: nullable(time),
      version: text,
      engines: array(text, 16),
    }),
  ),
  'ui.createVault': surface('effect', object({ passphrase }), none),
  'ui.unlock': surface('effect', object({ passphrase }), none),
  'ui.lock': surface('effect', none, none),
  'ui.setAutoLock': surface('effect', object({ autoLockMs: count }), none),
  'ui.site': surface(
    'pure',
    object({ tabId: integer(0) }),
    object({
      origin: nullable(text),
      pattern: nullable(text),
      enabled: boolean,
      problem: literal(null, 'insecure', 'opaque', 'browser-page', 'file'),
      grants: surfaceGrants,
      lastUse: nullable(time),
    }),
  ),
  'ui.sites': surface(
    'pure',
    none,
    array(object({ origin: text, pattern: text, grants: surfaceGrants }), 10_000),
  ),
  'ui.enableSite': surface('effect', object({ pattern }), none),
  'ui.disableSite': surface('effect', object({ pattern }), none),
  'ui.revoke': surface('effect', object({ grantIds: array(id, 10_000) }), none),
  'ui.keys': surface('pure', none, surfaceKeys),
  'ui.createKey': surface('effect', object({ label }), surfaceKey),
  'ui.relabelKey': surface('effect', object({ ref: id, label }), none),
  'ui.prompt': surface(
    'pure',
    object({ promptId: id }),
    object({
      promptId: id,
      origin: text,
      topOrigin: text,
      purpose: text,
      capabilities: array(text, 16),
      key: union(
        '"app" or { kind, label? }',
        literal('app'),
        object({ kind: text, label: optional(text) }),
      ),
      keys: surfaceKeys,
      expiresInMs: nullable(count),
      maxUses: nullable(count),
      vault: vaultState,
      waiting: count,
    }),
  ),
  'ui.answerPrompt': surface(
    'effect',
    object({
      promptId: id,
      allow: boolean,
      ref: optional(id),
      newKeyLabel: optional(label),
      expiresInMs: optional(nullable(duration)),
    }),
    none,
  ),
  'ui.entropy': surface('pure', none, entropy),
  'ui.addEntropy': surface(
    'effect',
    object({ source: literal('pointer', 'keyboard'), samples: bytes(64 * 1024) }),
    entropy,
  ),
});

export type Methods = typeof METHODS;
export type MethodName = keyof Methods;
export type ParamsOf<M extends MethodName> = Infer<Methods[M]['params']>;
export type ResultOf<M extends MethodName> = Infer<Methods[M]['result']>;
type WithAccess<A extends Access> = {
  [M in MethodName]: Methods[M]['access'] extends A ? M : never;
}[MethodName];
export type PageMethod = WithAccess<'page'>;
export type SurfaceMethod = WithAccess<'surface'>;

export type Capability = Infer<typeof capability>;
export type Grant = Infer<typeof grant>;
export type GrantRequest = Infer<typeof grantRequest>;
export type KeyInfo = Infer<typeof keyInfo>;
export type SealedInfo = Infer<typeof sealedInfo>;
export type SurfaceGrant = Infer<typeof surfaceGrant>;
export type SurfaceKey = Infer<typeof surfaceKey>;

export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && hasOwn(METHODS, name);
}
