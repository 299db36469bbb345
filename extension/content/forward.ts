import { armorBytes, unarmor } from '../../src/format/wire/armor.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import type { ImplementationsOf } from '../../src/rpc/call.ts';
import { CLIENT_LIMITS } from '../../src/rpc/client/method-client.ts';
import type { ClientLimits } from '../../src/rpc/client/method-client.ts';
import { hasOwn } from '../../src/rpc/primordials.ts';
import { SERVED_METHODS } from '../../src/rpc/methods/content.ts';
import { PAGE_METHODS } from '../../src/rpc/methods/page.ts';
import { Forwarder } from '../../src/rpc/server/forwarder.ts';
import { MethodServer } from '../../src/rpc/server/method-server.ts';
import type { ServerLimits } from '../../src/rpc/server/method-server.ts';
import type { Later } from '../../src/rpc/timers.ts';
import { forward, type Background } from './bulk/forward.ts';
import { openBlob, sealBlob } from './bulk/blobs.ts';
import type { Leases } from './bulk/leases.ts';
import { Streams } from './bulk/streams.ts';
import { openWhole, sealWhole } from './bulk/whole.ts';
import { formatErrorCode } from '../../src/format/errors.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';

/**
 * A page may have many calls waiting, and few in the background at a time: calls of other sites wait
 * there until all that arrived together have been read.
 */
const MIB = 1024 * 1024;
/** A larger call goes alone. The browser takes some 10 ms to read a MiB. */
export const BACKGROUND_LIMITS: ClientLimits = { ...CLIENT_LIMITS, calls: 16, bytes: 4 * MIB };
const PAGE_LIMITS: ServerLimits = {
  callsPerCaller: 10_000,
  bytesPerCaller: 1024 * MIB,
  bytes: 1024 * MIB,
};

/** Answers a page's channels: forwards what the background serves, and serves the rest with its keys. */
export function pageForwarder(background: Background, leases: Leases, later: Later): Forwarder {
  return new Forwarder({
    isForwarded,
    target: background,
    // The forwarder's channel gathers the answers of both.
    local: new MethodServer(SERVED_METHODS, servedMethods(background, leases), {
      limits: PAGE_LIMITS,
      later: (work) => work(),
    }),
    limits: PAGE_LIMITS,
    later,
  });
}

type ServedImplementations = ImplementationsOf<typeof SERVED_METHODS>;

/**
 * Whether a page's request for this method is forwarded to the background. A page cannot name the
 * methods of the extension's own pages, or those that content scripts call for themselves.
 */
export function isForwarded(method: string): boolean {
  return hasOwn(PAGE_METHODS, method) && !hasOwn(SERVED_METHODS, method);
}

/** The methods of a page that the content script serves itself, with the background's keys. */
export function servedMethods(background: Background, leases: Leases): ServedImplementations {
  const streams = new Streams(leases);
  return withContractErrors({
    sealInPlace: (params, call) => sealWhole(params, call, { leases, background }),
    openInPlace: (params, call) => openWhole(params, call, { leases, background }),
    revoke: (params, call) =>
      leases.whileChanging(() => forward(background, 'revoke', params, call)),
    sealText: async (params, call) =>
      armorBytes(await forward(background, 'sealText', params, call)),
    openText: ({ armored, ...options }, call) =>
      forward(background, 'openText', { sealed: unarmor(asciiText(armored)), ...options }, call),
    inspect(message) {
      const info = inspect('sealed' in message ? message.sealed : asciiText(message.armored));
      const { version, suite, purpose, headerKeyId, recipients, plaintextBytes } = info;
      return Promise.resolve({
        version,
        suite,
        purpose,
        headerKeyId,
        recipients,
        plaintextBytes,
      });
    },
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
  });
}

/** Latin-1 maps each byte to one character, so that a byte that is not ASCII stays one, which is in no armor. */
function asciiText(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function withContractErrors(methods: ServedImplementations): ServedImplementations {
  const entries = Object.entries(methods) as [string, (...args: never[]) => Promise<unknown>][];
  const wrapped = entries.map(([name, method]) => [
    name,
    (...args: never[]) => contractErrors(() => method(...args)),
  ]);
  return Object.fromEntries(wrapped) as ServedImplementations;
}

/**
 * Runs `work` and turns the errors of src/format into the codes of the page contract. Other errors,
 * those of the background among them, pass unchanged.
 *
 * @throws SealwrightError
 */
export async function contractErrors<T>(work: () => T | Promise<T>): Promise<T> {
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
