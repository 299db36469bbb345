/*
 * The rows of the table that only the extension's own pages may call. They are no part of the
 * scripts that run in pages.
 */
import { MAX_ID_CHARACTERS, MAX_LABEL_CHARACTERS } from './limits.ts';
import type { Replay } from './method.ts';
import { array, boolean, bytes, integer, literal, nullable } from './validate.ts';
import { object, optional, string, union } from './validate.ts';
import type { Infer, Validator } from './validate.ts';

/** NIST SP 800-63B section 5.1.1.2 asks for at least 64; we hash whatever fits. */
const MAX_PASSPHRASE_CHARACTERS = 1024;

const id = string(MAX_ID_CHARACTERS, 1);
const label = string(MAX_LABEL_CHARACTERS, 1);
const time = integer(0);
const count = integer(0);
const duration = integer(1);
const text = string(4096);
const none = object({});

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

function surface<P, R>(replay: Replay, params: Validator<P>, result: Validator<R>) {
  return { access: 'surface', needs: 'nothing', replay, params, result } as const;
}

export const SURFACE_METHODS = Object.freeze({
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
      maxUses: optional(integer(1)),
    }),
    none,
  ),
  'ui.entropy': surface('pure', none, entropy),
  'ui.addEntropy': surface(
    'effect',
    object({ source: literal('pointer', 'keyboard'), samples: bytes(64 * 1024) }),
    entropy,
  ),
  'ui.keepThresholds': surface(
    'effect',
    object({
      thresholds: array(object({ algorithm: text, engine: text, fromBytes: count }), 1000),
    }),
    none,
  ),
});

export type SurfaceGrant = Infer<typeof surfaceGrant>;
export type SurfaceKey = Infer<typeof surfaceKey>;
