import { checkTagBytes, room } from '../../crypto/aead/buffers.ts';
import { AEADS } from '../../crypto/algorithms.ts';
import { equal, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes } from '../../crypto/errors.ts';
import type { AeadParams, CipherMessage, KeyedCipher } from '../contract.ts';

/**
 * What a mode does to many messages without tags: the results, in arrays of their own, and the right tags. The
 * parameters were checked.
 */
export type AeadStep = (
  messages: readonly CipherMessage<AeadParams>[],
  isEncryption: boolean,
) => Promise<{ readonly data: Uint8Array; readonly tag: Uint8Array }[]>;

/** The operations of a mode that keeps the tag behind the ciphertext. No plaintext is released before its tag. */
export function aeadOperations(
  name: 'AES-GCM' | 'AES-OCB',
  step: AeadStep,
): Omit<KeyedCipher<AeadParams>, 'wipe'> {
  const check = ({ nonce, associatedData, tagBytes }: AeadParams) => {
    checkBytes('nonce', nonce, AEADS[name].nonceBytes);
    checkBytes('associatedData', associatedData);
    checkTagBytes(tagBytes, AEADS[name].tagBytes);
  };
  const encryptMany = async (messages: readonly CipherMessage<AeadParams>[]) => {
    const targets = messages.map(({ params, data, into }) => {
      check(params);
      checkBytes('plaintext', data);
      return room(into, data.length + params.tagBytes);
    });
    const sealed = await step(messages, true);
    for (const [i, { data, tag }] of sealed.entries()) {
      targets[i]!.set(data);
      targets[i]!.set(tag, data.length);
    }
    return targets;
  };
  const decryptMany = async (messages: readonly CipherMessage<AeadParams>[]) => {
    const parts = messages.map(({ params, data, into }) => {
      check(params);
      checkBytes('sealed', data);
      const length = Math.max(data.length - params.tagBytes, 0);
      if (into !== undefined) room(into, length);
      return { params, data: data.subarray(0, length), tag: data.subarray(length) };
    });
    const opened = await step(parts, false);
    return opened.map(({ data, tag }, i) => {
      const { into } = messages[i]!;
      const isRight = equal(tag, parts[i]!.tag);
      if (isRight && into === undefined) return data;
      const target = isRight ? room(into, data.length) : undefined;
      target?.set(data);
      wipe(data);
      return target;
    });
  };
  return {
    encrypt: async (params, data, into) => (await encryptMany([{ params, data, into }]))[0]!,
    decrypt: async (params, data, into) => {
      const [plaintext] = await decryptMany([{ params, data, into }]);
      if (plaintext === undefined) throw new AuthenticationError();
      return plaintext;
    },
    encryptMany,
    decryptMany,
  };
}
