import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import { beginOpen, beginOpenStream } from '../../format/plans/open-plan.ts';
import type { BeginOpenOptions, StreamOpenPlan } from '../../format/plans/open-plan.ts';
import { beginSeal, beginSealStream, type StreamSealPlan } from '../../format/plans/seal-plan.ts';
import { wipeChunkKeys, type ChunkKeys } from '../../format/keys/chunk-keys.ts';
import type { ChunkSuite } from '../../format/wire/suites.ts';
import { parseEnvelope, parsePrefix, type Prefix } from '../../format/wire/envelope.ts';
import { STREAM_SUITE, suiteFor } from '../../format/wire/header.ts';
import { paddedLength } from '../../format/wire/sealed-length.ts';
import type { MessageOpener } from '../../format/short/opener.ts';
import type { MessageSealer } from '../../format/short/sealer.ts';
import { ONE_SHOT_BYTES_MAX } from '../../format/wire/limits.ts';
import { STREAM_ID_BYTES } from '../../format/keys/hedged-salt.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { AnswersOf, Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Methods, ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { Scope } from '../calls/frame-policy.ts';
import {
  authorizeOpen,
  authorizeSeal,
  withOpenTerms,
  withSealTerms,
  type GrantedOpen,
  type GrantedSeal,
  type ReadMessage,
} from './authorize-message.ts';
import type { CipherCache } from './cipher-cache.ts';
import { withOpener } from './open.ts';
import { withSealer, type SealDeps } from './seal.ts';

interface Deps extends SealDeps {
  readonly sealers: CipherCache<MessageSealer>;
  readonly openers: CipherCache<MessageOpener>;
  readonly messageKeyQuota: MessageKeyQuota;
  readonly random: RandomSource;
}

type BulkMethod = 'releaseSeal' | 'releaseOpen' | 'holdsGrant';

/**
 * The keys of single messages, given to the content script that seals or opens them in place. It
 * may be as hostile as its page: it gets what its page's grant lets it seal or open anyway.
 */
export function messageKeyMethods(deps: Deps): Pick<AnswersOf<Methods>, BulkMethod> {
  return {
    releaseSeal: (params, call) => releaseSeal(params, call, deps),
    releaseOpen: (params, call) => releaseOpen(params, call, deps),
    holdsGrant: async ({ keyId, capability }, call) => {
      const { scope, origin } = pageCall(call);
      const ref = (await deps.keyRing.refOf(keyId, origin)) ?? '';
      await deps.grants.requireInTime({ scope, ref, capability, keyId });
      return {};
    },
  };
}

function releaseSeal(
  params: ParamsOf<'releaseSeal'>,
  call: Call,
  deps: Deps,
): Awaitable<ResultOf<'releaseSeal'>> {
  requireOneShotLength(params);
  const page = pageCall(call);
  deps.messageKeyQuota.admit(page.scope, 'seals');
  return authorizeSeal(params, call, deps, (granted) => {
    // Its parameters hold no message, so each run would give the key of another one.
    const firstRun = granted.isCounted ? deps.grants.requireFirstRun(page) : undefined;
    return then(firstRun, () =>
      then(deps.keyRing.pairwiseId(granted.ref, granted.origin), (keyId) =>
        then(sealPlan(granted, params, deps), (plan) => {
          const { prefix, padded } = plan;
          const release = { prefix, padded, keyId, ...messageKeys(plan) };
          if (!params.decoy) return release;
          return deps.decoys.add({ origin: granted.origin, head: prefix }).then(() => release);
        }),
      ),
    );
  });
}

/** By a sealer of the cache, in this turn; for recipients, and without WebAssembly, step by step. */
function sealPlan(
  granted: GrantedSeal,
  { purpose, totalBytes, context: associatedData, pad }: ParamsOf<'releaseSeal'>,
  deps: Deps,
): Awaitable<StreamSealPlan> {
  return then(deps.messageCrypto.forBytes(0), (crypto) => {
    if (crypto.onThread && !granted.recipients) {
      const suite = purpose === 'page' ? suiteFor(bodyLengthOf(totalBytes!, pad)) : STREAM_SUITE;
      const form = { purpose, suite, associatedData, pad };
      return withSealer(granted, form, crypto.onThread, deps, (sealer) =>
        sealer.begin(deps.random.bytes(STREAM_ID_BYTES)),
      );
    }
    return withSealTerms(granted, deps, async (terms) => {
      const saltFor = await saltOfMessage(deps);
      const options = { ...terms, purpose, origin: granted.boundTo, associatedData, pad, crypto };
      return purpose === 'page'
        ? beginSeal(options, totalBytes!, saltFor)
        : beginSealStream(options, saltFor);
    });
  });
}

const bodyLengthOf = (messageBytes: number, pad: boolean | undefined): number =>
  pad ? paddedLength(messageBytes) : messageBytes;

/** What a page seals in one call has a length from the start: it decides the suite. */
function requireOneShotLength({ purpose, totalBytes }: ParamsOf<'releaseSeal'>): void {
  if (purpose !== 'page') return;
  if (totalBytes === undefined) {
    throw new SealwrightError('INVALID_ARGUMENT', 'totalBytes: expected an integer');
  }
  if (totalBytes > ONE_SHOT_BYTES_MAX) {
    throw new SealwrightError('TOO_LARGE', `totalBytes: at most ${ONE_SHOT_BYTES_MAX}`);
  }
}

function releaseOpen(
  { head, totalBytes, context: associatedData, ...options }: ParamsOf<'releaseOpen'>,
  call: Call,
  deps: Deps,
): Awaitable<ResultOf<'releaseOpen'>> {
  const page = pageCall(call);
  const { origin, scope } = page;
  const read = (): Awaitable<ReadMessage> => {
    const prefix = prefixOf(head, totalBytes);
    return then(mayReplace(prefix, page, deps), (mayReplace) => {
      const power = mayReplace ? 'replaces' : 'opens';
      deps.messageKeyQuota.admit(scope, power);
      return { ...prefix, head };
    });
  };
  return authorizeOpen(read, options, call, deps, (granted) =>
    then(deps.keyRing.pairwiseId(granted.ref, origin), (keyId) =>
      then(openPlan(granted, { head, totalBytes, associatedData }, deps), (plan) => {
        const { chunksOffset, padded } = plan;
        return { chunksOffset, padded, keyId, ...messageKeys(plan) };
      }),
    ),
  );
}

interface Head {
  readonly head: Uint8Array;
  readonly totalBytes: number | undefined;
  readonly associatedData: Uint8Array | undefined;
}

/** As `sealPlan`. */
function openPlan(
  granted: GrantedOpen,
  { head, totalBytes, associatedData }: Head,
  deps: Deps,
): Awaitable<StreamOpenPlan> {
  return then(deps.messageCrypto.forBytes(0), (crypto) =>
    crypto.onThread && !granted.dataKey
      ? withOpener(granted, associatedData, crypto.onThread, deps, (opener) =>
          opener.begin(head, totalBytes),
        )
      : withOpenTerms(granted, deps, (terms) =>
          begun({ ...terms, associatedData, crypto }, head, totalBytes),
        ),
  );
}

/**
 * Whether this page may seal as often as it likes under the very key of this message: then it can
 * put another message in the place of this one without ever having its key. Messages with
 * recipients are excluded, because their sender may be someone else.
 */
function mayReplace(
  { header }: Prefix,
  { scope, origin }: PageCall,
  { grants, keyRing }: Deps,
): Awaitable<boolean> {
  if (header.flags.recipients) return false;
  return then(keyRing.keyOfMessage(header.headerKeyId, origin), (key) => {
    // What the user moved here from another origin, this one opens and cannot seal.
    if (key?.origin !== origin) return false;
    return then(grants.live(scope), (live) =>
      live.some(
        (grant) =>
          grant.ref === key.ref && grant.capabilities.includes('seal') && grant.usesLeft === null,
      ),
    );
  });
}

/** The salt of one message whose bytes are not all here: an id drawn for it stands in for them. */
export async function saltOfMessage({ hedge, random }: Pick<Deps, 'hedge' | 'random'>) {
  const salts = await hedge.salts();
  const messageId = random.bytes(STREAM_ID_BYTES);
  return (context: Uint8Array) => salts.saltForStream(context, messageId);
}

/**
 * @param totalBytes of the message, which then has to be one of that length; undefined where its end
 *   is not known
 */
export function prefixOf(head: Uint8Array, totalBytes: number | undefined): Prefix {
  return totalBytes === undefined ? parsePrefix(head) : parseEnvelope(head, totalBytes);
}

/** Both check the commitment: no key leaves for a message, or a context, that was never sealed. */
export function begun(options: BeginOpenOptions, head: Uint8Array, totalBytes: number | undefined) {
  return totalBytes === undefined
    ? beginOpenStream(options, head)
    : beginOpen(options, head, totalBytes);
}

/** Copies with buffers of their own: a line that carries views would carry what lies beside them. */
export function messageKeys({ keys, suite }: { keys: ChunkKeys; suite: ChunkSuite }) {
  const [key, baseNonce] = [keys.key.slice(), keys.baseNonce.slice()];
  wipeChunkKeys(keys);
  return { key, baseNonce, chunkBytes: suite.chunkBytes as 16_384 | 1_048_576 };
}

/*
 * How many keys of messages one scope may be given in a minute, in all its tabs and frames. Beyond the
 * plaintext, which the grant to open gives anyway, the key of a message lets its holder alter that message,
 * also after the grant has ended. To a page that may seal under the same key without a limit this adds only
 * the time after the grant, so that it gets many: as many as a page full of pictures opens. The same holds
 * for keys to seal with. Any other page that has been taken over should not be able to collect them by the
 * thousand. What is refused here is not lost: messages of the one-shot calls are then sealed and opened in
 * the background. Like the limits, this holds in one worker's life.
 */
export const MESSAGE_KEY_QUOTA = {
  perScope: { opens: 100, replaces: 1_000, seals: 1_000 },
  withinMs: 60_000,
} as const;

/** What the key of a message is for: to open it alone, to open it or put another in its place, to seal it. */
export type MessagePower = keyof typeof MESSAGE_KEY_QUOTA.perScope;

/** Counts the keys that each scope was given. */
export class MessageKeyQuota {
  readonly #now: () => number;
  /** In ms, ascending. */
  readonly #times = new Map<string, number[]>();

  /** @param now a clock in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Keys of existing messages count together, so that the smaller quota cannot be taken beside the larger.
   *
   * @throws SealwrightError QUOTA with `retryAfterMs`
   */
  admit({ origin, topOrigin, container }: Scope, power: MessagePower): void {
    const now = this.#now();
    this.#forget(now);
    const isNew = power === 'seals';
    const name = JSON.stringify([origin, topOrigin, container, isNew]);
    const times = this.#times.get(name) ?? [];
    const most = MESSAGE_KEY_QUOTA.perScope[power];
    if (times.length >= most) {
      // The one whose minute has to end before there are fewer than the quota.
      const last = times[times.length - most]!;
      const retryAfterMs = Math.ceil(last + MESSAGE_KEY_QUOTA.withinMs - now);
      const message = `Too many messages ${isNew ? 'sealed' : 'opened'} at once`;
      throw new SealwrightError('QUOTA', message, { retryAfterMs });
    }
    times.push(now);
    this.#times.set(name, times);
  }

  /** A clock that was set back makes times of the future: they are forgotten too. */
  #forget(now: number): void {
    for (const [name, times] of this.#times) {
      const [first = now] = times;
      if (now - first < MESSAGE_KEY_QUOTA.withinMs && times.at(-1)! <= now) continue;
      const fresh = times.filter((time) => time <= now && now - time < MESSAGE_KEY_QUOTA.withinMs);
      if (fresh.length === 0) this.#times.delete(name);
      else this.#times.set(name, fresh);
    }
  }
}
