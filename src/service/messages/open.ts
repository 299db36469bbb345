import { unarmor } from '../../format/wire/armor.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import { openMessage } from '../../format/message.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { asciiText } from './ascii.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import { underOpenGrant, type OpenUnderGrantDeps } from '../grants/authorize.ts';

export interface OpenParts extends OpenUnderGrantDeps {
  readonly messageCrypto: MessageCrypto;
}

export function openMethods(parts: OpenParts): Pick<Implementations, 'open' | 'openText'> {
  return {
    open: ({ sealed, ...options }, call) => opened(() => sealed, options, call, parts),
    openText: ({ armored, ...options }, call) =>
      opened(() => unarmor(asciiText(armored)), options, call, parts),
  };
}

type Options = Omit<ParamsOf<'open'>, 'sealed'>;

/** @param message may throw: then there is none, and no use is charged */
async function opened(
  message: () => Uint8Array,
  { context: associatedData, accept }: Options,
  call: Call,
  parts: OpenParts,
): Promise<Uint8Array> {
  let sealed = new Uint8Array(0);
  const read = () => {
    sealed = message() as Uint8Array<ArrayBuffer>;
    return { ...parseEnvelope(sealed, sealed.length), head: sealed };
  };
  const onProgress = (done: number, total: number) => call.progress(done, total);
  return underOpenGrant(read, accept, call, parts, async ({ open }, signal) => {
    const crypto = await parts.messageCrypto.forBytes(sealed.length);
    return openMessage({ ...open, associatedData, crypto, signal, onProgress }, sealed);
  });
}
