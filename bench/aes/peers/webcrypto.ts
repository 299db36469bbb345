import type { Contender } from '../../contender.ts';
import type { AesTask } from '../task.ts';

const PARAMETERS: Partial<Record<AesTask['algorithm'], (nonce: BufferSource) => AesParameters>> = {
  'AES-CTR': (counter) => ({ name: 'AES-CTR', counter, length: 128 }),
  'AES-CBC': (iv) => ({ name: 'AES-CBC', iv }),
  'AES-GCM': (iv) => ({ name: 'AES-GCM', iv }),
};
type AesParameters = AesCtrParams | AesCbcParams | AesGcmParams;

/** The platform's own: what the native engine calls. */
export const webcrypto: Contender<AesTask> = {
  name: 'WebCrypto',
  kind: 'native',
  prepare: async ({ algorithm, key, nonce, plaintext }) => {
    const parameters = PARAMETERS[algorithm]?.(nonce as BufferSource);
    if (!parameters) return undefined;
    const { subtle } = globalThis.crypto;
    const handle = await subtle.importKey('raw', key as BufferSource, parameters.name, false, [
      'encrypt',
    ]);
    // WebCrypto's CBC always pads: the block of padding is cut off for the comparison.
    const length = algorithm === 'AES-CBC' ? plaintext.length : undefined;
    return {
      run: () => subtle.encrypt(parameters, handle, plaintext as BufferSource),
      bytes: (result) => new Uint8Array(result as ArrayBuffer).subarray(0, length),
    };
  },
};
