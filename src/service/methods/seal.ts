import { armor } from '../../format/armor.ts';
import { sealMessage } from '../../format/message.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods.ts';
import { asciiBytes } from '../ascii.ts';
import type { Hedge } from '../hedge.ts';
import { underSealGrant, type UnderGrantParts } from './under-grant.ts';

interface Parts extends UnderGrantParts {
  readonly hedge: Hedge;
}

type Options = Omit<ParamsOf<'seal'>, 'plaintext'>;

/** Consent, then one use, then work. */
export function sealMethods(parts: Parts): Pick<Implementations, 'seal' | 'sealText'> {
  return {
    seal: ({ plaintext, ...options }, call) => sealed(plaintext, options, call, parts),
    sealText: async ({ text, ...options }, call) =>
      asciiBytes(armor(await sealed(text, options, call, parts))),
  };
}

async function sealed(
  plaintext: Uint8Array,
  options: Options,
  call: Call,
  parts: Parts,
): Promise<Uint8Array> {
  const { context, pad } = options;
  return underSealGrant(options, call, parts, async ({ key, keyId, origin }, signal) => {
    const salt = await parts.hedge.salts();
    const onProgress = (done: number, total: number) => call.progress(done, total);
    const bound = { key, keyId, purpose: 'page', origin, associatedData: context } as const;
    return sealMessage({ ...bound, pad, salt, signal, onProgress }, plaintext);
  });
}
