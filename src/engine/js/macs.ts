/** Adapts the MACs of src/crypto to the engine contract. */
import { Cmac } from '../../crypto/mac/cmac.ts';
import { Hmac } from '../../crypto/mac/hmac.ts';
import { blockMacs, keyedHmac } from '../adapters.ts';
import type { MacAlgorithm, MacName } from '../contract.ts';
import { JS_AES } from './block-modes.ts';
import { HASHES } from './hashes.ts';

/** Every MAC of src/crypto, by name. */
export const JS_MACS: Readonly<Record<MacName, MacAlgorithm>> = {
  HMAC: {
    constantTime: 'by-construction',
    withKey: (key, hash = 'SHA-256') => keyedHmac(new Hmac(HASHES[hash], key)),
  },
  ...blockMacs(JS_AES, (cipher) => new Cmac(cipher)),
};
