import type { Call, ImplementationsOf } from '../../src/rpc/call.ts';
import type { LANE_METHODS } from '../../src/rpc/methods/content.ts';
import type { NameIn } from '../../src/rpc/methods/method.ts';
import { PAGE_METHODS } from '../../src/rpc/methods/page.ts';
import { asked, type Background } from './bulk/forward.ts';
import { openBlob, sealBlob } from './bulk/blobs.ts';
import type { Leases } from './bulk/leases.ts';
import { Streams } from './bulk/streams.ts';
import { openWhole, sealWhole } from './bulk/whole.ts';
import { formatErrorCode } from '../../src/format/errors.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';

type PageMethod = NameIn<typeof PAGE_METHODS>;
type ContentImplementations = ImplementationsOf<typeof LANE_METHODS>;

/**
 * The methods of a page: most are answered by asking the background, the large ones by its keys
 * here. The page's messages have been validated once when they get here; its request ids and
 * whatever it says of itself stay behind.
 */
export function contentMethods(background: Background, leases: Leases): ContentImplementations {
  const names = Object.keys(PAGE_METHODS) as PageMethod[];
  const relayed = names.map((name) => [
    name,
    (params: never, call: Call) => asked(background, name, params, call),
  ]);
  const asking = Object.fromEntries(relayed) as ImplementationsOf<typeof PAGE_METHODS>;
  return { ...asking, ...inWords(bulkMethods(background, leases)) };
}

function bulkMethods(background: Background, leases: Leases) {
  const streams = new Streams(leases);
  const methods: Partial<ContentImplementations> = {
    sealInPlace: (params, call) => sealWhole(params, call, leases),
    openInPlace: (params, call) => openWhole(params, call, { leases, background }),
    revoke: (params, call) => leases.whileChanging(() => asked(background, 'revoke', params, call)),
    sealBlob: (params, call) => sealBlob(params, call, leases),
    openBlob: (params, call) => openBlob(params, call, leases),
    beginSealStream: (params, call) => streams.beginSeal(params, call),
    beginOpenStream: (params) => Promise.resolve(streams.beginOpen(params)),
    streamPieces: (params) => streams.pieces(params),
    endStream: (params) => streams.end(params),
    dropStream: (params) => {
      streams.drop(params);
      return Promise.resolve({});
    },
  };
  return methods as ContentImplementations;
}

/** Of what is answered here: what the background says is in these words already. */
function inWords(methods: ContentImplementations): ContentImplementations {
  const entries = Object.entries(methods) as [string, (...args: never[]) => Promise<unknown>][];
  const worded = entries.map(([name, method]) => [
    name,
    (...args: never[]) => inContractWords(() => method(...args)),
  ]);
  return Object.fromEntries(worded) as ContentImplementations;
}

/** What the format throws, in the words of the page contract; all else passes as it is. */
export async function inContractWords<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = formatErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'AUTH_FAILED') {
      throw new SealwrightError(code, 'The message could not be opened');
    }
    throw new SealwrightError(code, (error as Error).message);
  }
}
