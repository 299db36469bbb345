import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { lastly, rescue, then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { BeginOpenOptions } from '../../format/plans/open-plan.ts';
import type { BeginSealOptions } from '../../format/plans/seal-plan.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { hasPassphrase } from '../../format/recipients/passphrase.ts';
import type { Header, Purpose } from '../../format/wire/header.ts';
import { RECIPIENTS_MAX } from '../../format/wire/limits.ts';
import type { Call } from '../../rpc/call.ts';
import { needsKey, SealwrightError } from '../../rpc/errors.ts';
import type { ByteList } from '../../rpc/transport/byte-list.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { InFlightCall } from '../calls/in-flight.ts';
import { argumentChecked } from '../errors.ts';
import { authorizePage, namedRef, type AuthorizeDeps } from '../grants/authorize.ts';
import type { Decoys } from '../grants/decoys.ts';
import { mustCharge, type Grant } from '../grants/grant-rules.ts';
import type { Grants } from '../grants/grants.ts';
import { SharedOpening } from '../sharing/shared-opening.ts';
import { namedIn, type Groups } from '../sharing/groups.ts';
import type { OwnedIdentity, Sharing, UsersAttributes } from '../sharing/sharing.ts';

/* How a method gets to seal or open messages under a grant (grants/authorize.ts): which key, and the recipients. */

/** What sealing and opening need beside a grant: messages may have recipients. */
export interface AuthorizeMessageDeps extends AuthorizeDeps {
  readonly sharing: Sharing;
  readonly groups: Groups;
  readonly decoys: Decoys;
}

/** What of a call's options decides on the key to seal with. */
interface SealRequest extends RecipientsRequest {
  /** The id that the page has for the key; the app key if absent. */
  readonly key?: string;
  readonly portable?: boolean;
  readonly decoy?: boolean;
  /** Uses of the grant to take; 1 if absent. */
  readonly uses?: number;
}

/** Public keys and groups, with what was given to seal to these, and whether the sealer's own key is a recipient too. */
export interface RecipientsRequest {
  readonly to?: readonly string[];
  readonly toSelf?: boolean;
  readonly epochs?: ByteList;
}

/** The recipients of a message; undefined for one that is sealed under the named key. */
export interface SealRecipients {
  readonly recipients: readonly Recipient[] | undefined;
  /** Groups that are recipients too, by the digests of their first epochs; absent for none. */
  readonly groups?: readonly Uint8Array[] | undefined;
  readonly toSelf: boolean;
}

/** A key that may be used to seal, for an origin. */
export interface SealTarget extends SealRecipients {
  readonly ref: string;
  readonly origin: string;
  /** Of a message that the user seals, without a page. */
  readonly attributes?: UsersAttributes | undefined;
}

/** What the grant to seal allows. */
export interface GrantedSeal extends SealTarget {
  /** The origin that the message is bound to; undefined for a portable one. */
  readonly boundTo: string | undefined;
  /** Uses of the grant that were taken: fewer than asked for where it had no more. */
  readonly uses: number;
  /** Whether the grant has a limited number of them. */
  readonly isCounted: boolean;
}

/**
 * Consent is always the grant to seal with the key that is named. Sealing to others takes it too: a
 * site that may not seal must not make messages in this user's name.
 *
 * @throws SealwrightError INVALID_ARGUMENT, TOO_LARGE, NOT_GRANTED, EXPIRED
 */
export function authorizeSeal<T>(
  { key: keyId, portable = false, decoy = false, uses = 1, ...to }: SealRequest,
  call: Call,
  deps: AuthorizeMessageDeps,
  work: (granted: GrantedSeal, inFlight: InFlightCall) => Awaitable<T>,
): Awaitable<T> {
  const page = pageCall(call);
  const { origin } = page;
  const recipients = recipientsIn(to);
  if (decoy) requireOwnMessage(recipients, portable);
  return then(namedRef(keyId, origin, deps.keyRing), (ref) => {
    if (portable && ref === 'app') {
      throw new SealwrightError('INVALID_ARGUMENT', 'portable: needs a key that the user picked');
    }
    const target = { ref, origin, ...recipients, boundTo: portable ? undefined : origin };
    const request = { ref, capability: 'seal', uses, keyId } as const;
    return authorizePage(request, page, call, deps, ({ uses: given, grant }, inFlight) =>
      withGroups(recipients, to.epochs, call, deps, (all) =>
        work({ ...target, ...all, uses: given, isCounted: mustCharge(grant) }, inFlight),
      ),
    );
  });
}

/**
 * Does the work with the recipients that groups are for a message now, at once where there are none. Only a page that may
 * open what comes to a member seals to a group: it takes the same key.
 *
 * @throws EnvelopeError BAD_ENVELOPE, TOO_LARGE, NEEDS_KEY for epochs that do not do
 */
export function withGroups<T>(
  { recipients = [], groups = [], toSelf }: SealRecipients,
  epochs: ByteList | undefined,
  call: Call,
  deps: AuthorizeMessageDeps,
  work: (all: Partial<SealRecipients>) => Awaitable<T>,
): Awaitable<T> {
  if (groups.length === 0) return work({});
  return withKeysOfMember(pageCall(call), deps, async (own) => {
    const ofGroups = await deps.groups.recipients(groups, epochs, own, call);
    try {
      return await work({ recipients: [...recipients, ...ofGroups], toSelf });
    } finally {
      wipe(...ofGroups.map(({ key }) => key));
    }
  });
}

/** The sharing keys with which a page may open messages. */
async function withKeysOfMember<T>(
  { scope }: PageCall,
  { grants, sharing }: AuthorizeMessageDeps,
  work: (own: readonly OwnedIdentity[]) => Promise<T>,
): Promise<T> {
  const refs = await grants.refsFor(scope, 'open');
  const own = await sharing.identities(({ ref }) => refs.has(ref));
  try {
    return await work(own);
  } finally {
    wipe(...own.map(({ key }) => key));
  }
}

/** @throws SealwrightError INVALID_ARGUMENT, TOO_LARGE; before a use is taken */
export function recipientsIn({ to, toSelf = false }: RecipientsRequest): SealRecipients {
  if (toSelf && to === undefined) {
    throw new SealwrightError('INVALID_ARGUMENT', 'toSelf: belongs to `to`');
  }
  const named = to && namedIn(to);
  if (toSelf && to!.length === RECIPIENTS_MAX) {
    throw new SealwrightError('TOO_LARGE', `to: at most ${RECIPIENTS_MAX - 1} beside oneself`);
  }
  return { recipients: named?.recipients, groups: named?.groups, toSelf };
}

/** Another person's vault, and that of another site, would open a decoy: neither knows its salt. */
function requireOwnMessage({ recipients }: SealRecipients, portable: boolean): void {
  if (recipients === undefined && !portable) return;
  throw new SealwrightError('INVALID_ARGUMENT', 'decoy: without `to` and `portable`');
}

/** For beginSeal: the key, or the recipients. What the message is bound to is for the caller to add. */
export type SealTerms = Pick<
  BeginSealOptions,
  'key' | 'keyId' | 'recipients' | 'recipientTypes' | 'random' | 'attributes'
>;

/**
 * Does the work with the key to seal with, or the recipients. Secrets are wiped when it has ended.
 *
 * @throws SealwrightError INVALID_ARGUMENT
 */
export function withSealTerms<T>(
  { ref, origin, recipients, toSelf, attributes }: SealTarget,
  { keyRing, sharing }: Pick<AuthorizeMessageDeps, 'keyRing' | 'sharing'>,
  work: (terms: SealTerms) => Awaitable<T>,
): Awaitable<T> {
  if (recipients) {
    const own = toSelf ? { ref, origin } : undefined;
    return then(sharing.sealing(recipients, own, attributes), (shared) =>
      lastly(
        () => work(shared.seal),
        () => shared.wipe(),
      ),
    );
  }
  return then(argumentChecked(keyRing.sealingMaterial(ref, origin)), ({ key, keyId }) =>
    lastly(
      () => work({ key, keyId }),
      () => wipe(key),
    ),
  );
}

/** Pages open what pages sealed. Form fields, sync, vault and backup have methods of their own. */
const PAGE_PURPOSES: readonly Purpose[] = ['page', 'stream'];

/** The message's beginning, with all that stands before its chunks, and what it says. */
export interface ReadMessage extends Prefix {
  readonly head: Uint8Array;
}

/** Whether a page opens messages with recipients too, which could be from anyone. */
export type Accept = 'own' | 'shared';

/** What of a call's options decides on the key to open with. */
export interface OpenRequest {
  readonly accept?: Accept;
  /** Of groups that the message is for. */
  readonly epochs?: ByteList;
}

/** What the grant to open allows. */
export interface GrantedOpen {
  readonly ref: string;
  readonly header: Header;
  /** What the message is bound to, where it is bound. */
  readonly origin: string;
  /** Of a message with recipients, wiped when the work has ended. */
  readonly dataKey?: Uint8Array;
}

/**
 * In this order: may this page open anything at all; lengths, version,
 * suite, flags; purpose; key; the grant for that key, one use of it; context, commitment, chunks; whether it is a decoy.
 *
 * @param read the message's public part; bytes that are not a sealed message throw here and cost no use
 * @param work opens the message, or what its chunks are opened with; throws where the commitment differs
 * @throws SealwrightError NOT_GRANTED, EXPIRED, NEEDS_KEY, FROZEN; AuthenticationError; what `read` throws
 */
export function authorizeOpen<T>(
  read: () => Awaitable<ReadMessage>,
  { accept, epochs }: OpenRequest,
  call: Call,
  deps: AuthorizeMessageDeps,
  work: (granted: GrantedOpen, inFlight: InFlightCall) => Awaitable<T>,
): Awaitable<T> {
  const { grants, keyRing, inFlightCalls, decoys } = deps;
  const page = pageCall(call);
  const { scope, origin } = page;
  return then(grants.requireAnyKey({ scope, capability: 'open' }, page), () =>
    then(read(), (message) => {
      const { header, head } = message;
      requirePageMessage(message, accept);
      if (header.flags.recipients) {
        return openShared({ ...message, epochs }, page, call, deps, work);
      }
      return then(keyRing.keyOfMessage(header.headerKeyId, origin), (key) =>
        then(useFor(key?.ref, header, page, grants), (grant) =>
          inFlightCalls.run(grant, call, (inFlight) =>
            then(work({ ...key!, header }, inFlight), (result) =>
              then(decoys.checkOpened(grant, { ...key!, head }), () => result),
            ),
          ),
        ),
      );
    }),
  );
}

async function openShared<T>(
  { head, epochs, ...message }: ReadMessage & { readonly epochs: ByteList | undefined },
  page: PageCall,
  call: Call,
  deps: AuthorizeMessageDeps,
  work: (granted: GrantedOpen, inFlight: InFlightCall) => Awaitable<T>,
): Promise<T> {
  const { scope } = page;
  const { header } = message;
  const opening = new SharedOpening(call, deps, epochs);
  try {
    const { ref, origin, dataKey } = await opening.keyOf(message, head);
    try {
      const grant = await deps.grants.use({ scope, ref, capability: 'open' }, page);
      return await deps.inFlightCalls.run(grant, call, async (inFlight) => {
        const result = await work({ ref, header, origin, dataKey }, inFlight);
        deps.decoys.requireNotFrozen([grant]); // what has recipients is no decoy
        return result;
      });
    } finally {
      wipe(dataKey);
    }
  } finally {
    await opening.wipe();
  }
}

/** For beginOpen: the named key or the data key, and what the message is bound to. */
export type OpenTerms = Pick<
  BeginOpenOptions,
  'key' | 'keyId' | 'dataKey' | 'accept' | 'purpose' | 'origin'
>;

/**
 * Does the work with the key that opens the message, which is wiped when it has ended. The key is
 * derived only here: one that is not granted must not cost more than one that is not there.
 *
 * @throws SealwrightError NEEDS_KEY
 */
export function withOpenTerms<T>(
  { header, origin, dataKey }: GrantedOpen,
  { keyRing }: Pick<AuthorizeDeps, 'keyRing'>,
  work: (terms: OpenTerms) => Awaitable<T>,
): Awaitable<T> {
  const { purpose, headerKeyId: keyId } = header;
  if (dataKey) return work({ dataKey, accept: 'shared', purpose, origin });
  return then(keyRing.openingMaterial(keyId, origin), (material) => {
    if (material === undefined) throw needsKey(toBase64url(keyId));
    const { key } = material;
    return lastly(
      () => work({ key, keyId, purpose, origin }),
      () => wipe(key),
    );
  });
}

/**
 * A message with recipients could be from anyone: it is opened only for a page that accepts such. One with a passphrase is
 * for a person, who would have to type it in the page.
 *
 * @throws AuthenticationError for a message of another purpose too; SealwrightError UNSUPPORTED for a passphrase
 */
export function requirePageMessage(
  { header: { purpose, flags }, recipients }: Pick<Prefix, 'header' | 'recipients'>,
  accept: Accept = 'own',
): void {
  if (!PAGE_PURPOSES.includes(purpose)) throw new AuthenticationError();
  if (hasPassphrase(recipients)) throw new SealwrightError('UNSUPPORTED', WANTS_PASSPHRASE);
  if (flags.recipients && accept !== 'shared') throw new AuthenticationError();
}

const WANTS_PASSPHRASE =
  'The message was sealed with a passphrase, which no page is told: its reader opens it in Sealwright, under Files';

/** A key that is unknown is looked for among the grants all the same, and ends in the same error. */
function useFor(
  ref: string | undefined,
  header: Header,
  page: PageCall,
  grants: Grants,
): Awaitable<Grant> {
  return rescue(
    () => grants.use({ scope: page.scope, ref: ref ?? '', capability: 'open' }, page),
    (error) => {
      const isUnknown = error instanceof SealwrightError && error.code === 'NOT_GRANTED';
      throw isUnknown ? needsKey(toBase64url(header.headerKeyId)) : error;
    },
  );
}
