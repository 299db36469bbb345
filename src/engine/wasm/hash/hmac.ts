import { copyOf, wipe } from '../../../crypto/bytes.ts';
import type { HashAlgorithm } from '../../../crypto/contracts.ts';
import { Hmac } from '../../../crypto/mac/hmac.ts';
import { keyedHmac } from '../../adapters.ts';
import type { KeyedMac, MacAlgorithm, MacHashName } from '../../contract.ts';
import { keyedStates, type KeyedStates } from './keyed-states.ts';
import type { ShaModule } from './sha.ts';
import { hmacSha256Base64Many, hmacSha256Many } from './sha256-many.ts';

/** @param hashes those that the HMAC is over; without them, those of the module @returns HMAC for the engine contract */
export function wasmHmac(
  module: ShaModule,
  hashes: Readonly<Partial<Record<MacHashName, HashAlgorithm>>> = module.hashes,
): MacAlgorithm {
  return {
    constantTime: 'by-construction',
    gap: (hash = 'SHA-256') =>
      hashes[hash] === undefined ? `no HMAC over ${hash} here` : undefined,
    withKey: (key, hash = 'SHA-256') => {
      const mac = keyedHmac(new Hmac(hashes[hash]!, key));
      return hash === 'SHA-256' ? { ...mac, ...keyedMany(module, key, mac) } : mac;
    },
  };
}

/** The additional method for hashes where four messages at once are faster. Created at its first use. */
function keyedMany(
  module: ShaModule,
  key: Uint8Array,
  mac: KeyedMac,
): Pick<KeyedMac, 'signMany' | 'signBase64Many' | 'wipe'> {
  const own = copyOf(key);
  let states: KeyedStates | undefined;
  const ready = (): KeyedStates => (states ??= keyedStates(module, module.members['SHA-256'], own));
  return {
    signMany: (messages) => hmacSha256Many(module, ready(), messages),
    signBase64Many: (messages) => hmacSha256Base64Many(module, ready(), messages),
    wipe: () => {
      mac.wipe();
      wipe(own);
      if (states) wipe(states.inner, states.outer);
    },
  };
}
