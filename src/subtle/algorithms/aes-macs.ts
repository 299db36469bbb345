/** AES-CMAC (SP 800-38B, RFC 4493) and raw AES-CBC-MAC. */
import { aesKeys } from './aes.ts';
import { checkBlocks } from './aes-modes.ts';
import type { Definition } from './definition.ts';

export const AES_CMAC = mac('AES-CMAC', () => undefined);

/** A building block: safe only for messages that all have one length, in whole blocks. */
export const AES_CBC_MAC = mac('AES-CBC-MAC', (data) => checkBlocks('AES-CBC-MAC', data, 1));

function mac(name: 'AES-CMAC' | 'AES-CBC-MAC', check: (data: Uint8Array) => void): Definition {
  return {
    name,
    sign:
      () =>
      async ({ runtime, key, data }) => {
        check(data);
        return runtime.mac(name, undefined, key, data.length, (keyed) => keyed.sign(data));
      },
    verify:
      () =>
      async ({ runtime, key, data, signature }) => {
        check(data);
        return runtime.mac(name, undefined, key, data.length, (keyed) =>
          keyed.verify(signature, data),
        );
      },
    ...aesKeys(name, { usages: ['sign', 'verify'], use: 'sig' }),
  };
}
