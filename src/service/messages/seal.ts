import { armorBytes } from '../../format/wire/armor.ts';
import { sealMessage } from '../../format/message.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import type { Hedge } from './salts.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import { underSealGrant, type SealUnderGrantDeps } from '../grants/authorize.ts';

export interface SealParts extends SealUnderGrantDeps {
  readonly hedge: Hedge;
  readonly messageCrypto: MessageCrypto;
}

type Options = Omit<ParamsOf<'seal'>, 'plaintext'>;

/** Consent, then one use, then work. */
export function sealMethods(parts: SealParts): Pick<Implementations, 'seal' | 'sealText'> {
  return {
    seal: ({ plaintext, ...options }, call) => sealed(plaintext, options, call, parts),
    sealText: async ({ text, ...options }, call) =>
      armorBytes(await sealed(text, options, call, parts)),
  };
}

async function sealed(
  plaintext: Uint8Array,
  options: Options,
  call: Call,
  parts: SealParts,
): Promise<Uint8Array> {
  const { context, pad } = options;
  return underSealGrant(options, call, parts, async ({ seal }, signal) => {
    const salt = await parts.hedge.salts();
    const crypto = await parts.messageCrypto.forBytes(plaintext.length);
    const onProgress = (done: number, total: number) => call.progress(done, total);
    const what = { ...seal, purpose: 'page', associatedData: context, pad } as const;
    return sealMessage({ ...what, salt, crypto, signal, onProgress }, plaintext);
  });
}
