import { defineProperty } from '../../src/rpc/primordials.ts';

/** Defines `crypto.random` where the page has none: an own property, configurable, not enumerable. */
export function installCryptoRandom(
  crypto: object,
  random: (length: number) => Promise<Uint8Array>,
): void {
  if ('random' in crypto) return;
  defineProperty(crypto, 'random', {
    value: function (length: number) {
      return random(length);
    },
    configurable: true,
    enumerable: false,
    writable: true,
  });
}
