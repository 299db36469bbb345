/** The algorithms of the engines on a graphics card. */
import { checkBytes, checkInteger } from '../../crypto/errors.ts';
import type {
  Algorithms,
  Cipher,
  CipherMessage,
  CtrParams,
  GcmBeside,
  KeyedCipher,
  NoParams,
} from '../contract.ts';
import { counterWords } from './batch.ts';
import { CONSTANT_TIME, runMessages, type CardUntilFault, type Input } from './card.ts';
import { gcm } from './gcm.ts';
import { ocb } from './ocb.ts';
import { SlicedKey } from './sliced-key.ts';

/** Every algorithm that a card takes part in. */
export function gpuAlgorithms(card: CardUntilFault, beside: GcmBeside): Algorithms {
  return {
    'AES-ECB': cipherOf<NoParams>((key) => ({
      encrypt: async (messages) =>
        runMessages(card, { operation: 'encrypt', key }, messages.map(blocksOnly)),
      decrypt: async (messages) =>
        runMessages(card, { operation: 'decrypt', key }, messages.map(blocksOnly)),
    })),
    'AES-CTR': cipherOf<CtrParams>((key) => {
      const count: Many<CtrParams> = async (messages) =>
        runMessages(card, { operation: 'count', key }, messages.map(counted));
      return { encrypt: count, decrypt: count };
    }),
    'AES-GCM': gcm(card, beside),
    'AES-OCB': ocb(card),
  };
}

type Many<P> = (messages: readonly CipherMessage<P>[]) => Promise<Uint8Array[]>;

/** A mode from what it does to many messages. */
function cipherOf<P>(
  operations: (key: SlicedKey) => { readonly encrypt: Many<P>; readonly decrypt: Many<P> },
): Cipher<P> {
  return {
    constantTime: CONSTANT_TIME,
    withKey: (bytes) => {
      const key = new SlicedKey(bytes);
      const { encrypt, decrypt } = operations(key);
      const one =
        (many: Many<P>): KeyedCipher<P>['encrypt'] =>
        async (params, data, into) =>
          (await many([{ params, data, into }]))[0]!;
      return {
        encrypt: one(encrypt),
        decrypt: one(decrypt),
        encryptMany: encrypt,
        decryptMany: decrypt,
        wipe: () => key.wipe(),
      };
    },
  };
}

function blocksOnly({ data, into }: CipherMessage<NoParams>): Input {
  checkBytes('source', data, { min: 0, multipleOf: 16 });
  return { data, into };
}

function counted({ params, data, into }: CipherMessage<CtrParams>): Input {
  const { counter, counterBits } = params;
  checkBytes('initialCounter', counter, 16);
  checkInteger('counterBits', counterBits, 1, 128);
  checkBytes('source', data);
  if (Math.ceil(data.length / 16) > 2 ** counterBits) {
    throw new RangeError(
      `source has ${data.length} bytes, more than ${counterBits} counter bits allow`,
    );
  }
  return { data, into, start: counterWords(counter, counterBits) };
}
