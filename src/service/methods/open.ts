import { unarmor } from '../../format/armor.ts';
import { parseEnvelope } from '../../format/envelope.ts';
import { openMessage } from '../../format/message.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { asciiText } from '../ascii.ts';
import type { MessageCrypto } from '../message-crypto.ts';
import { underOpenGrant, type UnderGrantParts } from './under-grant.ts';

export interface OpenParts extends UnderGrantParts {
  readonly messageCrypto: MessageCrypto;
}

export function openMethods(parts: OpenParts): Pick<Implementations, 'open' | 'openText'> {
  return {
    open: ({ sealed, context }, call) => opened(() => sealed, context, call, parts),
    openText: ({ armored, context }, call) =>
      opened(() => unarmor(asciiText(armored)), context, call, parts),
  };
}

/** @param message may throw: then there is none, and no use is charged */
async function opened(
  message: () => Uint8Array,
  associatedData: Uint8Array | undefined,
  call: Call,
  parts: OpenParts,
): Promise<Uint8Array> {
  let sealed = new Uint8Array(0);
  const read = () => {
    sealed = message() as Uint8Array<ArrayBuffer>;
    return parseEnvelope(sealed, sealed.length).header;
  };
  const onProgress = (done: number, total: number) => call.progress(done, total);
  return underOpenGrant(read, call, parts, async ({ key, keyId, purpose, origin }, signal) => {
    const crypto = await parts.messageCrypto.forBytes(sealed.length);
    const bound = { key, keyId, purpose, origin, associatedData };
    return openMessage({ ...bound, crypto, signal, onProgress }, sealed);
  });
}
