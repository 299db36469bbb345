import { defineProperty, hasOwn } from '../../../src/rpc/primordials.ts';

/** `window.sealwright`: configurable and not writable. A page's own variable of that name stays. */
export function installProvider(target: object, provider: object): void {
  if (hasOwn(target, 'sealwright')) return;
  defineProperty(target, 'sealwright', {
    value: provider,
    configurable: true,
    enumerable: true,
    writable: false,
  });
}
