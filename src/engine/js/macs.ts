/** Adapts the MACs of src/crypto to the engine contract. */
import { Hmac } from '../../crypto/mac/hmac.ts';
import { blockMacs, keyedMac } from '../adapters.ts';
import type { MacAlgorithm, MacName } from '../contract.ts';
import { JS_AES } from './ciphers.ts';
import { HASHES } from './hashes.ts';

/** Every MAC of src/crypto, by name. */
export const JS_MACS: Readonly<Record<MacName, MacAlgorithm>> = {
  HMAC: {
    constantTime: 'by-construction',
    withKey: (key, hash = 'SHA-256') => {
      const mac = new Hmac(HASHES[hash], key);
      return keyedMac(
        (data) => mac.reset().update(data).digest(),
        () => mac.wipe(),
      );
    },
  },
  ...blockMacs(JS_AES),
};
