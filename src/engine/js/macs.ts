/** The MACs of floor 0 in the shape of the engine contract. */
import { Aes } from '../../crypto/aes/block.ts';
import { equal, wipe } from '../../crypto/bytes.ts';
import type { BlockCipher } from '../../crypto/contracts.ts';
import { cbcMac } from '../../crypto/mac/cbc-mac.ts';
import { cmac } from '../../crypto/mac/cmac.ts';
import { Hmac } from '../../crypto/mac/hmac.ts';
import type { KeyedMac, MacAlgorithm, MacName } from '../contract.ts';
import { HASHES } from './hashes.ts';

export const JS_MACS: Readonly<Record<MacName, MacAlgorithm>> = {
  HMAC: {
    constantTime: 'by-construction',
    withKey: (key, hash = 'SHA-256') => {
      const mac = new Hmac(HASHES[hash], key);
      return keyed(
        (data) => mac.reset().update(data).digest(),
        () => mac.wipe(),
      );
    },
  },
  'AES-CMAC': overAes(cmac),
  'AES-CBC-MAC': overAes(cbcMac),
};

type MacOfMessage = (cipher: BlockCipher, message: Uint8Array) => Uint8Array;

function overAes(mac: MacOfMessage): MacAlgorithm {
  return {
    constantTime: 'no',
    withKey: (key) => {
      const cipher = new Aes(key);
      return keyed(
        (data) => mac(cipher, data),
        () => cipher.wipe(),
      );
    },
  };
}

function keyed(sign: (data: Uint8Array) => Uint8Array, wipeKey: () => void): KeyedMac {
  return {
    sign,
    verify: (tag, data) => {
      const expected = sign(data);
      const verified = equal(expected, tag);
      wipe(expected);
      return verified;
    },
    wipe: wipeKey,
  };
}
