import { GcmSiv } from '../../../src/crypto/aead/gcm-siv.ts';
import { Siv } from '../../../src/crypto/aead/siv.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { describeMisuseResistant } from '../../conformance/nonce-misuse.ts';

describeMisuseResistant({
  title: 'floor 0',
  siv: (key) => {
    const half = key.length / 2;
    return Siv.over(new Aes(key.subarray(0, half)), new Aes(key.subarray(half)));
  },
  gcmSiv: (key) =>
    new GcmSiv(new Aes(key), key.length === 16 ? 16 : 32, (derived) => new Aes(derived)),
});
