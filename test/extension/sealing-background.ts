import { beginOpen, beginOpenStream } from '../../src/format/plans/open-plan.ts';
import { beginSeal, beginSealStream } from '../../src/format/plans/seal-plan.ts';
import type { ChunkKeys } from '../../src/format/keys/chunk-keys.ts';
import { parsePrefix } from '../../src/format/wire/envelope.ts';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import type { Implementations } from '../../src/rpc/call.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import { asCallerError } from '../../src/service/errors.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { ORIGIN } from './fake-frame.ts';

/*
 * What a background does for a page under one key that is always granted, with the real format and
 * without a vault: the part of the service that content scripts see.
 */
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const KEY_ID = new Uint8Array(16).fill(7);
const BOUND = { key: KEY, keyId: KEY_ID, origin: ORIGIN } as const;

type Released = 'seal' | 'open' | 'releaseSeal' | 'releaseOpen' | 'holdsGrant' | 'revoke';

export interface SealingBackground extends Pick<Implementations, Released> {
  /** The error that the user's next calls meet, if any: a grant revoked, a vault locked. */
  refusal: SealwrightError | undefined;
  /** What a call to revoke waits for. */
  revoking: Promise<void> | undefined;
  /** Of releaseOpen alone. */
  tooMany: boolean;
  readonly asked: string[];
}

export function sealingBackground(): SealingBackground {
  const asking = async <T>(method: string, work: () => Promise<T>): Promise<T> => {
    background.asked.push(method);
    if (background.refusal) throw background.refusal;
    return work().catch((error: unknown) => {
      throw asCallerError(error);
    });
  };
  const refuseTooMany = (): void => {
    if (background.tooMany) throw new SealwrightError('QUOTA', 'Too many', { retryAfterMs: 9 });
  };
  const background: SealingBackground = {
    refusal: undefined,
    revoking: undefined,
    tooMany: false,
    asked: [],
    seal: ({ plaintext, context, pad }) =>
      asking('seal', () =>
        sealMessage({ ...BOUND, purpose: 'page', associatedData: context, pad }, plaintext),
      ),
    open: ({ sealed, context }) =>
      asking('open', () =>
        openMessage({ ...BOUND, ...purposeOf(sealed), associatedData: context }, sealed),
      ),
    releaseSeal: ({ purpose, totalBytes, context, pad }) =>
      asking('releaseSeal', async () => {
        refuseTooMany();
        const options = { ...BOUND, purpose, associatedData: context, pad };
        const plan =
          purpose === 'page'
            ? await beginSeal(options, totalBytes!, () => randomBytes(24))
            : await beginSealStream(options, () => randomBytes(24));
        return { prefix: plan.prefix, padded: plan.padded, ...released(plan) };
      }),
    releaseOpen: ({ head, totalBytes, context }) =>
      asking('releaseOpen', async () => {
        refuseTooMany();
        const options = { ...BOUND, ...purposeOf(head), associatedData: context };
        const plan =
          totalBytes === undefined
            ? await beginOpenStream(options, head)
            : await beginOpen(options, head, totalBytes);
        const { chunksOffset, padded } = plan;
        return { chunksOffset, padded, ...released(plan) };
      }),
    revoke: async () => {
      await background.revoking;
      return {};
    },
    holdsGrant: () => asking('holdsGrant', () => Promise.resolve({})),
  };
  return background;
}

/** What a test does with a message that came out at a page. */
export function openedByKey(sealed: Uint8Array, context?: Uint8Array): Promise<Uint8Array> {
  return openMessage({ ...BOUND, ...purposeOf(sealed), associatedData: context }, sealed);
}

function purposeOf(head: Uint8Array) {
  return { purpose: parsePrefix(head).header.purpose };
}

function released({ keys, suite }: { keys: ChunkKeys; suite: { chunkBytes: number } }) {
  const chunkBytes = suite.chunkBytes as 16_384 | 1_048_576;
  return { key: keys.key.slice(), baseNonce: keys.baseNonce.slice(), chunkBytes, keyId: 'app' };
}
