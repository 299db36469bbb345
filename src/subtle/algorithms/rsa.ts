/** RSA-OAEP, RSASSA-PKCS1-v1_5 and RSA-PSS (Web Cryptography API, 20–22), by the platform. */
import type { Definition, DefinitionOf, RunCipher } from './definition.ts';
import { platformKeyOf } from '../key.ts';
import { platformKeys, platformSigning, SIGNING_KEYS } from './platform-keys.ts';

interface Labelled {
  readonly label: Uint8Array;
}

/** RFC 8017, section 7.1. */
const RSA_OAEP: DefinitionOf<'RSA-OAEP'> = {
  name: 'RSA-OAEP',
  encrypt: (params) => oaep('encrypt', params),
  decrypt: (params) => oaep('decrypt', params),
  wrapKey: wrapping,
  unwrapKey: unwrapping,
  ...platformKeys('RSA-OAEP', {
    use: 'enc',
    privateUsages: ['decrypt', 'unwrapKey'],
    publicUsages: ['encrypt', 'wrapKey'],
  }),
};

/** RFC 8017, section 8.2. */
const RSA_PKCS1: DefinitionOf<'RSASSA-PKCS1-v1_5'> = {
  name: 'RSASSA-PKCS1-v1_5',
  ...platformSigning('RSASSA-PKCS1-v1_5'),
  ...platformKeys('RSASSA-PKCS1-v1_5', SIGNING_KEYS),
};

/** RFC 8017, section 8.1. */
const RSA_PSS: DefinitionOf<'RSA-PSS'> = {
  name: 'RSA-PSS',
  ...platformSigning('RSA-PSS'),
  ...platformKeys('RSA-PSS', SIGNING_KEYS),
};

function oaep(operation: 'encrypt' | 'decrypt', params: Labelled): RunCipher {
  const algorithm = oaepWith(params);
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

function wrapping(params: Labelled): RunCipher {
  const algorithm = oaepWith(params);
  return ({ runtime, key, data }) =>
    runtime.platform('RSA-OAEP', async (subtle) => {
      const bytes = data as Uint8Array<ArrayBuffer>;
      const carrier = await subtle.importKey('raw', bytes, CARRIER, true, ['sign']);
      return new Uint8Array(await subtle.wrapKey('raw', carrier, platformKeyOf(key), algorithm));
    });
}

function unwrapping(params: Labelled): RunCipher {
  const algorithm = oaepWith(params);
  return ({ runtime, key, data }) =>
    runtime.platform('RSA-OAEP', async (subtle) => {
      const [bytes, unwrapper] = [data as Uint8Array<ArrayBuffer>, platformKeyOf(key)];
      const requested = ['raw', bytes, unwrapper, algorithm, CARRIER, true, ['sign']] as const;
      const carrier = await subtle.unwrapKey(...requested);
      return new Uint8Array(await subtle.exportKey('raw', carrier));
    });
}

function oaepWith({ label }: Labelled): RsaOaepParams {
  return { name: 'RSA-OAEP', label: label as Uint8Array<ArrayBuffer> };
}

function delivered(result: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined) return result;
  if (into.length < result.length) {
    throw new RangeError(`into must have at least ${result.length} bytes, got ${into.length}`);
  }
  into.set(result);
  return into.subarray(0, result.length);
}

/** The algorithms of RSA. */
export const RSA: readonly Definition[] = [RSA_OAEP, RSA_PKCS1, RSA_PSS];
