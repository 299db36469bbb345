import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { ThreadCrypto } from '../../format/format-crypto.ts';
import { sealMessage } from '../../format/message.ts';
import { MessageSealer } from '../../format/short/sealer.ts';
import type { AnswersOf, Call } from '../../rpc/call.ts';
import type { Methods, ParamsOf } from '../../rpc/methods/methods.ts';
import {
  authorizeSeal,
  withSealTerms,
  type AuthorizeMessageDeps,
  type GrantedSeal,
} from './authorize-message.ts';
import type { InFlightCall } from '../calls/in-flight.ts';
import type { CipherCache } from './cipher-cache.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import type { ThreadShare } from '../calls/thread-share.ts';
import type { Hedge } from './salts.ts';

/** What sealing needs, of one message or many. */
export interface SealDeps extends AuthorizeMessageDeps {
  readonly hedge: Hedge;
  readonly messageCrypto: MessageCrypto;
  readonly threadShare: ThreadShare;
}

interface Deps extends SealDeps {
  readonly sealers: CipherCache<MessageSealer>;
}

type Options = Omit<ParamsOf<'seal'>, 'plaintext'>;

/**
 * The methods that seal one message: consent, then one use, then work. A short message under a key
 * that is cached is sealed in the turn in which the call came, because a step between promises costs
 * more than the cipher.
 */
export function sealMethods(deps: Deps): Pick<AnswersOf<Methods>, 'seal' | 'sealText'> {
  return {
    seal: ({ plaintext, ...options }, call) => seal(plaintext, options, call, deps),
    sealText: ({ text, ...options }, call) => seal(text, options, call, deps),
  };
}

function seal(
  plaintext: Uint8Array,
  options: Options,
  call: Call,
  deps: Deps,
): Awaitable<Uint8Array> {
  return authorizeSeal(options, call, deps, (granted, inFlight) => {
    const sealed = sealUnder(granted, inFlight, { plaintext, options, call }, deps);
    if (!options.decoy) return sealed;
    return then(sealed, async (head) => {
      await deps.decoys.add({ origin: granted.origin, head });
      return head;
    });
  });
}

interface ToSeal {
  readonly plaintext: Uint8Array;
  readonly options: Options;
  readonly call: Call;
}

function sealUnder(
  granted: GrantedSeal,
  inFlight: InFlightCall,
  { plaintext, options, call }: ToSeal,
  deps: Deps,
): Awaitable<Uint8Array> {
  const { context: associatedData, pad } = options;
  const inTurn = deps.threadShare.turnsOf(call, inFlight);
  return then(deps.messageCrypto.forBytes(plaintext.length, inTurn), (crypto) => {
    // Only sealMessage knows recipients and reports progress.
    if (crypto.onThread && !granted.recipients && !call.isFollowed) {
      const form = { associatedData, pad, purpose: 'page', suite: 1 } as const;
      return withSealer(granted, form, crypto.onThread, deps, (sealer) => sealer.seal(plaintext));
    }
    const { boundTo: origin } = granted;
    const { signal } = inFlight;
    const onProgress = (done: number, total: number) => call.progress(done, total);
    return withSealTerms(granted, deps, async (terms) => {
      const salt = await deps.hedge.salts();
      const bound = { ...terms, purpose: 'page', origin, associatedData, pad } as const;
      return sealMessage({ ...bound, salt, crypto, signal, onProgress }, plaintext);
    });
  });
}

/** What a sealer of the cache is for, beside the key. */
export interface SealerForm {
  readonly purpose: 'page' | 'stream';
  readonly suite: 1 | 2;
  readonly associatedData: Uint8Array | undefined;
  readonly pad: boolean | undefined;
}

/**
 * Does the work with a sealer of the cache, in this turn where the key is cached. Contexts are many, so a sealer
 * for one is not cached.
 */
export function withSealer<T>(
  granted: GrantedSeal,
  { purpose, suite, associatedData, pad = false }: SealerForm,
  crypto: ThreadCrypto,
  deps: Pick<Deps, 'keyRing' | 'sharing' | 'hedge' | 'sealers'>,
  work: (sealer: MessageSealer) => T,
): Awaitable<T> {
  const { ref, origin, boundTo } = granted;
  const make = (): Awaitable<MessageSealer> =>
    withSealTerms(granted, deps, (terms) =>
      then(deps.hedge.salts(), (salts) => {
        const bound = { ...terms, purpose, suite, origin: boundTo, associatedData, pad };
        return new MessageSealer(bound, crypto, salts);
      }),
    );
  const isPortable = boundTo === undefined;
  const name = associatedData
    ? undefined
    : `${ref} ${origin} ${isPortable} ${pad} ${purpose} ${suite}`;
  return deps.sealers.use(name, make, work);
}
