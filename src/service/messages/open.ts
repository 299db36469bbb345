import { toBase64url } from '../../crypto/bytes.ts';
import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { ThreadCrypto } from '../../format/format-crypto.ts';
import { openMessage } from '../../format/message.ts';
import { MessageOpener } from '../../format/short/opener.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import type { AnswersOf, Call } from '../../rpc/call.ts';
import type { Methods, ParamsOf } from '../../rpc/methods/methods.ts';
import {
  authorizeOpen,
  withOpenTerms,
  type AuthorizeMessageDeps,
  type GrantedOpen,
} from './authorize-message.ts';
import type { CipherCache } from './cipher-cache.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import type { ThreadShare } from '../calls/thread-share.ts';

/** What opening needs, of one message or many. */
export interface OpenDeps extends AuthorizeMessageDeps {
  readonly messageCrypto: MessageCrypto;
  readonly threadShare: ThreadShare;
}

interface Deps extends OpenDeps {
  readonly openers: CipherCache<MessageOpener>;
}

/** The methods that open one message; a short one under a cached key in the turn of the call, as `seal` does. */
export function openMethods(deps: Deps): Pick<AnswersOf<Methods>, 'open' | 'openText'> {
  const open = (params: ParamsOf<'open'>, call: Call) => opened(params, call, deps);
  return { open, openText: open };
}

function opened(
  { sealed, ...options }: ParamsOf<'open'>,
  call: Call,
  deps: Deps,
): Awaitable<Uint8Array> {
  const { context: associatedData } = options;
  const read = () => ({ ...parseEnvelope(sealed, sealed.length), head: sealed });
  return authorizeOpen(read, options, call, deps, (granted, inFlight) => {
    const inTurn = deps.threadShare.turnsOf(call, inFlight);
    return then(deps.messageCrypto.forBytes(sealed.length, inTurn), (crypto) => {
      // Only openMessage knows recipients and reports progress.
      if (crypto.onThread && !granted.dataKey && !call.isFollowed) {
        return withOpener(granted, associatedData, crypto.onThread, deps, (opener) =>
          opener.open(sealed),
        );
      }
      const { signal } = inFlight;
      const onProgress = (done: number, total: number) => call.progress(done, total);
      return withOpenTerms(granted, deps, (terms) =>
        openMessage({ ...terms, associatedData, crypto, signal, onProgress }, sealed),
      );
    });
  });
}

/**
 * Does the work with an opener of the cache, in this turn where the key is cached. Contexts are many, so an opener
 * for one is not cached.
 */
export function withOpener<T>(
  granted: GrantedOpen,
  associatedData: Uint8Array | undefined,
  crypto: ThreadCrypto,
  deps: Pick<Deps, 'keyRing' | 'openers'>,
  work: (opener: MessageOpener) => T,
): Awaitable<T> {
  const { header, origin } = granted;
  const make = (): Awaitable<MessageOpener> =>
    withOpenTerms(granted, deps, (terms) => {
      const { key, keyId, purpose } = terms;
      return new MessageOpener({ key: key!, keyId, purpose, origin, associatedData }, crypto);
    });
  const name = associatedData
    ? undefined
    : `${toBase64url(header.headerKeyId)} ${header.purpose} ${origin}`;
  return deps.openers.use(name, make, work);
}
