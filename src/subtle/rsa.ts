/** RSA-OAEP, RSASSA-PKCS1-v1_5 and RSA-PSS (Web Cryptography API, 20–22), by the platform. */
import type { Definition, RunCipher } from './definition.ts';
import { platformKeyOf } from './key.ts';
import type { Members } from './members.ts';
import { platformKeys } from './platform-keys.ts';
import { platformSigning } from './platform-signing.ts';

export const RSA_OAEP: Definition = {
  name: 'RSA-OAEP',
  encrypt: (members) => oaep('encrypt', members),
  decrypt: (members) => oaep('decrypt', members),
  ...platformKeys('RSA-OAEP', readGenerate, readImport),
};

export const RSA_PKCS1: Definition = {
  name: 'RSASSA-PKCS1-v1_5',
  ...platformSigning('RSASSA-PKCS1-v1_5', () => ({})),
  ...platformKeys('RSASSA-PKCS1-v1_5', readGenerate, readImport),
};

export const RSA_PSS: Definition = {
  name: 'RSA-PSS',
  ...platformSigning('RSA-PSS', (members) => ({
    saltLength: members.integer('saltLength', 32),
  })),
  ...platformKeys('RSA-PSS', readGenerate, readImport),
};

function oaep(operation: 'encrypt' | 'decrypt', members: Members): RunCipher {
  const label = members.optionalBytes('label') as Uint8Array<ArrayBuffer>;
  return ({ runtime, key, data, into }) =>
    runtime.platform('RSA-OAEP', async (subtle) => {
      const algorithm = { name: 'RSA-OAEP', label };
      const bytes = data as Uint8Array<ArrayBuffer>;
      const result = await subtle[operation](algorithm, platformKeyOf(key), bytes);
      return delivered(new Uint8Array(result), into);
    });
}

function delivered(result: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined) return result;
  if (into.length < result.length) {
    throw new RangeError(`into must have at least ${result.length} bytes, got ${into.length}`);
  }
  into.set(result);
  return into.subarray(0, result.length);
}

function readGenerate(members: Members): object {
  return {
    hash: members.hash(),
    modulusLength: members.integer('modulusLength', 32),
    publicExponent: members.bytes('publicExponent'),
  };
}

function readImport(members: Members): object {
  return { hash: members.hash() };
}
