import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import type { Header } from '../../format/wire/header.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { needsKey, SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { unpacked } from '../../rpc/transport/byte-list.ts';
import { contextsOf, eachItem, inBatch, type BatchResult } from '../calls/batch.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { InFlightCall } from '../calls/in-flight.ts';
import type { Yielder } from '../calls/yielding.ts';
import { refused } from '../errors.ts';
import type { Ask, Grant } from '../grants/grant-rules.ts';
import { grantTaken, type Fit, type Taken, type Uses } from '../grants/charge.ts';
import type { SealDeps } from './seal.ts';
import { namedRef } from '../grants/authorize.ts';
import {
  recipientsIn,
  requirePageMessage,
  withGroups,
  withSealTerms,
} from './authorize-message.ts';

type Options = Omit<ParamsOf<'rewrap'>, 'sealed' | 'context'> & {
  readonly context?: Uint8Array | undefined;
};
type Deps = SealDeps & { readonly yielder: Yielder };

/**
 * A message under a newer generation, or another key: opened and sealed in here, so that the page
 * needs to hold no plaintext. It takes the permission to open with the one key and to seal with the
 * other, and a use of each grant. What the options do not say stays as it is in the message.
 */
export function rewrapMethods(deps: Deps): Pick<Implementations, 'rewrap' | 'rewrapMany'> {
  return {
    rewrap: ({ sealed, ...options }, call) => rewrap(sealed, options, call, deps),
    rewrapMany: (params, call) => rewrapMany(params, call, deps),
  };
}

async function rewrap(
  sealed: Uint8Array,
  options: Options,
  call: Call,
  deps: SealDeps,
): Promise<Uint8Array> {
  const page = pageCall(call);
  const { grants, inFlightCalls, decoys } = deps;
  recipientsIn(options);
  await grants.requireAnyKey({ scope: page.scope, capability: 'open' }, page);
  const way = await wayOf(sealed, options, page, deps);
  const used = await usesOf(way, page, deps);
  const [opening] = used;
  return inFlightCalls.run(used, call, async (inFlight) => {
    const moved = await moveMessage(
      sealed,
      { ...way, call, options, inFlight, opening: opening! },
      deps,
    );
    decoys.requireNotFrozen([opening!]);
    return moved;
  });
}

/** Of a message: the keys that it is to be opened and sealed with. */
interface Way {
  readonly header: Header;
  /** '' for a key that is unknown: no grant names it. */
  readonly from: string;
  /** What the message is bound to, where it is bound. */
  readonly boundTo: string;
  readonly to: string;
}

/** @throws what `parseEnvelope` and `requirePageMessage` do, and SealwrightError INVALID_ARGUMENT */
async function wayOf(
  sealed: Uint8Array,
  options: Options,
  { origin }: PageCall,
  { keyRing }: SealDeps,
): Promise<Way> {
  const envelope = parseEnvelope(sealed, sealed.length);
  requirePageMessage(envelope);
  const { header } = envelope;
  const key = await keyRing.keyOfMessage(header.headerKeyId, origin);
  const { ref: from, origin: boundTo } = key ?? { ref: '', origin };
  const to = options.key === undefined ? from : await namedRef(options.key, origin, keyRing);
  requirePortable(options, to);
  return { header, from, boundTo, to };
}

/**
 * As if the items were moved one after the other, each under the grants for its own keys, whose uses are taken in one
 * commit: what has none left is EXPIRED or QUOTA. What is not a message of this page costs none.
 */
async function rewrapMany(
  { items, contexts, ...shared }: ParamsOf<'rewrapMany'>,
  call: Call,
  deps: Deps,
): Promise<BatchResult> {
  const { grants, inFlightCalls, yielder, decoys } = deps;
  const page = pageCall(call);
  recipientsIn(shared);
  const contextAt = contextsOf({ items, contexts, context: shared.context });
  const { scope, origin } = page;
  await grants.requireAnyKey({ scope, capability: 'open' }, page);
  if (shared.key !== undefined) {
    const ref = await namedRef(shared.key, origin, deps.keyRing);
    await grants.requireLook({ scope, ref, capability: 'seal' }, page);
  }
  const messages = unpacked(items);
  const ways: PromiseSettledResult<Way>[] = [];
  for (const each of messages) {
    ways.push(...(await Promise.allSettled([wayOf(each, shared, page, deps)])));
    await yielder.yieldIfDue();
  }
  const uses = new BatchUses(
    ways.flatMap((way) => (way.status === 'fulfilled' ? [way.value] : [])),
  );
  const taken = await uses.take(page, deps);
  const held = taken.flatMap((one) => (one.allowed ? [one.grant] : []));
  const { opened } = uses;
  return inFlightCalls.run(held, call, async (inFlight) => {
    const { signal } = inFlight;
    const work = eachItem(async (sealed, index) => {
      const way = ways[index]!;
      if (way.status === 'rejected') throw way.reason;
      const opening = uses.spend(way.value);
      decoys.requireNotFrozen(opened);
      const options = { ...shared, context: contextAt(index) };
      return moveMessage(sealed, { ...way.value, call, options, inFlight, opening }, deps);
    });
    const recipients = shared.to?.length;
    const results = await inBatch({ items: messages, recipients, work, call, signal, yielder });
    decoys.requireNotFrozen(opened);
    return results;
  });
}

/** The uses of grants that a batch takes: for each key as many as it has messages. */
class BatchUses {
  readonly #ways: readonly Way[];
  readonly #asked = new Map<string, Pick<Uses, 'ref' | 'capability' | 'uses'>>();
  readonly #taken = new Map<string, Taken>();
  readonly #spent = new Map<string, number>();

  constructor(ways: readonly Way[]) {
    this.#ways = ways;
    // To seal comes first: where one grant is for both, they are one use, and sealing may take more.
    for (const { to } of ways) this.#ask('seal', to);
    for (const { from } of ways) this.#ask('open', from);
  }

  #ask(capability: 'seal' | 'open', ref: string): void {
    const name = `${capability} ${ref}`;
    const uses = (this.#asked.get(name)?.uses ?? 0) + 1;
    this.#asked.set(name, { ref, capability, uses });
  }

  async take(page: PageCall, { grants }: SealDeps): Promise<readonly Taken[]> {
    const asks = [...this.#asked.values()].map((ask) => ({ scope: page.scope, ...ask }));
    const fit: Fit = (left) => this.#fitted(asks, left);
    const taken = asks.length > 0 ? await grants.useMany(asks, page, fit) : [];
    [...this.#asked.keys()].forEach((name, i) => this.#taken.set(name, taken[i]!));
    return taken;
  }

  /** Beyond the hour nothing is opened, so that no use is spent to seal it. */
  #fitted(asks: readonly Uses[], left: (ask: Ask) => number): readonly Uses[] {
    const opening = asks.filter(({ capability }) => capability === 'open');
    const room = new Map(opening.map((ask) => [ask.ref, left(ask)]));
    const sealing = new Map<string, number>();
    for (const { from, to } of this.#ways) {
      const more = room.get(from)!;
      if (more === 0) continue;
      room.set(from, more - 1);
      sealing.set(to, (sealing.get(to) ?? 0) + 1);
    }
    return asks.map((ask) =>
      ask.capability === 'seal' ? { ...ask, uses: sealing.get(ask.ref) ?? 0 } : ask,
    );
  }

  /** The grants to open with. */
  get opened(): readonly Grant[] {
    return [...this.#taken].flatMap(([name, one]) =>
      name.startsWith('open ') && one.allowed ? [one.grant] : [],
    );
  }

  /**
   * @returns the grant to open with
   * @throws SealwrightError NEEDS_KEY, NOT_GRANTED, EXPIRED, QUOTA, FROZEN
   */
  spend({ header, from, to }: Way): Grant {
    const opened = this.#taken.get(`open ${from}`)!;
    if (!opened.allowed && opened.code === 'NOT_GRANTED') {
      throw needsKey(toBase64url(header.headerKeyId));
    }
    for (const name of [`open ${from}`, `seal ${to}`]) {
      const one = this.#taken.get(name)!;
      const spent = this.#spent.get(name) ?? 0;
      if (!one.allowed) throw refused(one);
      if (spent >= one.uses) throw refused(one.rest!);
      this.#spent.set(name, spent + 1);
    }
    return grantTaken(opened);
  }
}

interface Move extends Way {
  readonly call: Call;
  readonly options: Options;
  readonly inFlight: InFlightCall;
  /** The grant to open with. */
  readonly opening: Grant;
}

async function moveMessage(
  sealed: Uint8Array,
  { header, boundTo, to, call, options, inFlight, opening }: Move,
  deps: SealDeps,
): Promise<Uint8Array> {
  const { headerKeyId, flags, purpose } = header;
  const { hedge, messageCrypto, threadShare, keyRing, decoys } = deps;
  const old = await keyRing.openingMaterial(headerKeyId, boundTo);
  if (old === undefined) throw needsKey(toBase64url(headerKeyId));
  const { portable = !flags.originBound && to !== 'app', pad = flags.padded } = options;
  const page = pageCall(call);
  const origin = portable ? undefined : page.origin;
  const inTurn = threadShare.turnsOf(call, inFlight);
  const crypto = await messageCrypto.forBytes(sealed.length, inTurn);
  const { signal } = inFlight;
  const both = { purpose, associatedData: options.context, crypto, signal };
  let plaintext = new Uint8Array(0) as Uint8Array;
  try {
    plaintext = await openMessage({ ...both, key: old.key, origin: boundTo }, sealed);
    await decoys.checkOpened(opening, { origin: boundTo, head: sealed });
    const recipients = recipientsIn(options);
    return await withGroups(recipients, options.epochs, call, deps, (all) =>
      withSealTerms(
        { ref: to, origin: page.origin, ...recipients, ...all },
        deps,
        async (terms) => {
          const sealing = { ...both, ...terms, origin, pad, salt: await hedge.salts() };
          return sealMessage(sealing, plaintext);
        },
      ),
    );
  } finally {
    wipe(old.key, plaintext);
  }
}

function requirePortable({ portable = false }: Options, to: string): void {
  if (portable && to === 'app') {
    throw new SealwrightError('INVALID_ARGUMENT', 'portable: needs a key that the user picked');
  }
}

/**
 * Both or none. A message's key that is unknown is looked for among the grants all the same, and
 * ends in the same error as one that is not granted.
 */
async function usesOf(
  { header, from, to }: Way,
  page: PageCall,
  { grants }: SealDeps,
): Promise<readonly Grant[]> {
  const { scope } = page;
  const open = { scope, ref: from, capability: 'open' } as const;
  const seal = { scope, ref: to, capability: 'seal' } as const;
  try {
    return await grants.useAll([open, seal], page);
  } catch (error) {
    const isRefused = error instanceof SealwrightError && error.code === 'NOT_GRANTED';
    if (!isRefused || (await grants.holds(open))) throw error;
    throw needsKey(toBase64url(header.headerKeyId));
  }
}
