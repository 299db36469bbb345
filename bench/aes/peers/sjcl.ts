import type { Contender, Prepared } from '../../contender.ts';
import { fromBits, sjcl, toBits } from '../../peers/sjcl.ts';
import type { AesTask } from '../task.ts';

export const sjclContender: Contender<AesTask> = { name: 'sjcl', kind: 'pure js', prepare };

function prepare({ algorithm, key, nonce, plaintext }: AesTask): Prepared | undefined {
  const modes = ['ctr', 'cbc', 'gcm', 'ccm'] as const;
  const mode = modes.find((one) => `AES-${one.toUpperCase()}` === algorithm);
  if (algorithm !== 'key schedule' && !mode) return undefined;
  const keyBits = toBits(key);
  if (!mode) return { run: () => new sjcl.cipher.aes(keyBits) };
  const aes = new sjcl.cipher.aes(keyBits);
  const [iv, text] = [toBits(nonce), toBits(plaintext)];
  // Its CBC always pads: the block of padding is cut off for the comparison only.
  const length = mode === 'cbc' ? plaintext.length : undefined;
  return {
    run: () => sjcl.mode[mode].encrypt(aes, text, iv, [], 128),
    bytes: (result) => fromBits(result).subarray(0, length),
  };
}
