/** RSA-OAEP, RSASSA-PKCS1-v1_5 and RSA-PSS (Web Cryptography API, 20–22), by the platform. */
import type { Definition, RunCipher } from './definition.ts';
import { platformKeyOf } from '../key.ts';
import type { Members } from '../webidl/members.ts';
import { platformKeys, platformSigning } from './platform-keys.ts';

/** RFC 8017, section 7.1. */
export const RSA_OAEP: Definition = {
  name: 'RSA-OAEP',
  encrypt: (members) => oaep('encrypt', members),
  decrypt: (members) => oaep('decrypt', members),
  wrapKey: wrapping,
  unwrapKey: unwrapping,
  ...platformKeys('RSA-OAEP', 'enc', readGenerate, readImport),
};

/** RFC 8017, section 8.2. */
export const RSA_PKCS1: Definition = {
  name: 'RSASSA-PKCS1-v1_5',
  ...platformSigning('RSASSA-PKCS1-v1_5', () => ({})),
  ...platformKeys('RSASSA-PKCS1-v1_5', 'sig', readGenerate, readImport),
};

/** RFC 8017, section 8.1. */
export const RSA_PSS: Definition = {
  name: 'RSA-PSS',
  ...platformSigning('RSA-PSS', (members) => ({
    saltLength: members.integer('saltLength', 32),
  })),
  ...platformKeys('RSA-PSS', 'sig', readGenerate, readImport),
};

function oaep(operation: 'encrypt' | 'decrypt', members: Members): RunCipher {
  const algorithm = { name: 'RSA-OAEP', label: labelOf(members) };
  return ({ runtime, key, data, into }) =>
    runtime.platform('RSA-OAEP', async (subtle) => {
      const bytes = data as Uint8Array<ArrayBuffer>;
      const result = await subtle[operation](algorithm, platformKeyOf(key), bytes);
      return delivered(new Uint8Array(result), into);
    });
}

/**
 * The platform wraps keys only, never bytes. An HMAC key may hold any bytes except an empty string,
 * and no exported key is empty.
 */
const CARRIER = { name: 'HMAC', hash: 'SHA-256' };

function wrapping(members: Members): RunCipher {
  const algorithm = { name: 'RSA-OAEP', label: labelOf(members) };
  return ({ runtime, key, data }) =>
    runtime.platform('RSA-OAEP', async (subtle) => {
      const bytes = data as Uint8Array<ArrayBuffer>;
      const carrier = await subtle.importKey('raw', bytes, CARRIER, true, ['sign']);
      return new Uint8Array(await subtle.wrapKey('raw', carrier, platformKeyOf(key), algorithm));
    });
}

function unwrapping(members: Members): RunCipher {
  const algorithm = { name: 'RSA-OAEP', label: labelOf(members) };
  return ({ runtime, key, data }) =>
    runtime.platform('RSA-OAEP', async (subtle) => {
      const [bytes, unwrapper] = [data as Uint8Array<ArrayBuffer>, platformKeyOf(key)];
      const requested = ['raw', bytes, unwrapper, algorithm, CARRIER, true, ['sign']] as const;
      const carrier = await subtle.unwrapKey(...requested);
      return new Uint8Array(await subtle.exportKey('raw', carrier));
    });
}

function labelOf(members: Members): Uint8Array<ArrayBuffer> {
  return members.optionalBytes('label') as Uint8Array<ArrayBuffer>;
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
