import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import type { Header } from '../../format/wire/header.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { OpeningMaterial } from '../../keys/ring/key-material.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { needsKey, SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { SealDeps } from './seal.ts';
import { namedRef } from '../grants/authorize.ts';
import {
  recipientsIn,
  requirePageMessage,
  withSealTerms,
  type SealTerms,
} from './authorize-message.ts';

type Options = Omit<ParamsOf<'rewrap'>, 'sealed'>;

/**
 * A message under a newer generation, or another key: opened and sealed in here, so that the page
 * needs to hold no plaintext. It takes the permission to open with the one key and to seal with the
 * other, and a use of each grant. What the options do not say stays as it is in the message.
 */
export function rewrapMethods(deps: SealDeps): Pick<Implementations, 'rewrap'> {
  return { rewrap: ({ sealed, ...options }, call) => rewrap(sealed, options, call, deps) };
}

async function rewrap(
  sealed: Uint8Array,
  options: Options,
  call: Call,
  deps: SealDeps,
): Promise<Uint8Array> {
  const page = pageCall(call);
  const recipients = recipientsIn(options);
  const { grants, keyRing, inFlightCalls } = deps;
  await grants.requireAnyKey({ scope: page.scope, capability: 'open' }, page);
  const { header } = parseEnvelope(sealed, sealed.length);
  requirePageMessage(header);
  const { headerKeyId, flags } = header;
  const from = await keyRing.refOfHeaderKeyId(headerKeyId, page.origin);
  const to = options.key === undefined ? from : await namedRef(options.key, page.origin, keyRing);
  requirePortable(options, to);
  const used = await usesOf(from, to, header, page, deps);
  return inFlightCalls.run(used, call, async ({ signal }) => {
    const old = await keyRing.openingMaterial(headerKeyId, page.origin);
    if (old === undefined) throw needsKey(toBase64url(headerKeyId));
    const { portable = !flags.originBound && to !== 'app', pad = flags.padded } = options;
    const origin = portable ? undefined : page.origin;
    const target = { ref: to!, origin: page.origin, ...recipients };
    return withSealTerms(target, deps, (terms) => {
      const sealing = { ...terms, origin, pad };
      return moveMessage(sealed, { header, old, sealing, page, options, signal }, deps);
    });
  });
}

interface Move {
  readonly header: Header;
  readonly old: OpeningMaterial;
  readonly sealing: SealTerms & { readonly pad: boolean };
  readonly page: PageCall;
  readonly options: Options;
  readonly signal: AbortSignal;
}

async function moveMessage(
  sealed: Uint8Array,
  { header, old, sealing, page, options, signal }: Move,
  { hedge, messageCrypto }: SealDeps,
): Promise<Uint8Array> {
  const { purpose } = header;
  const crypto = await messageCrypto.forBytes(sealed.length);
  const both = { purpose, associatedData: options.context, crypto, signal };
  let plaintext = new Uint8Array(0) as Uint8Array;
  try {
    plaintext = await openMessage({ ...both, key: old.key, origin: page.origin }, sealed);
    return await sealMessage({ ...both, ...sealing, salt: await hedge.salts() }, plaintext);
  } finally {
    wipe(old.key, plaintext);
  }
}

function requirePortable({ portable = false }: Options, to: string | undefined): void {
  if (portable && to === 'app') {
    throw new SealwrightError('INVALID_ARGUMENT', 'portable: needs a key that the user picked');
  }
}

/**
 * Both or none. A message's key that is unknown is looked for among the grants all the same, and
 * ends in the same error as one that is not granted.
 */
async function usesOf(
  from: string | undefined,
  to: string | undefined,
  { headerKeyId }: Header,
  page: PageCall,
  { grants }: SealDeps,
): Promise<readonly Grant[]> {
  const { scope } = page;
  const open = { scope, ref: from ?? '', capability: 'open' } as const;
  const seal = { scope, ref: to ?? '', capability: 'seal' } as const;
  try {
    return await grants.useAll([open, seal], page);
  } catch (error) {
    const isRefused = error instanceof SealwrightError && error.code === 'NOT_GRANTED';
    if (!isRefused || (await grants.holds(open))) throw error;
    throw needsKey(toBase64url(headerKeyId));
  }
}
