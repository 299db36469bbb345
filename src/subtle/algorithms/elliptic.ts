/** ECDSA, ECDH, Ed25519 and X25519 (Web Cryptography API, 23–26), by the platform. */
import type { Definition } from './definition.ts';
import { invalidAccess } from '../errors.ts';
import { platformKeyOf } from '../key.ts';
import type { Members } from '../webidl/members.ts';
import { checkingPairs } from './okp-pairs.ts';
import { platformKeys, platformSigning } from './platform-keys.ts';

/** FIPS 186-5, over P-256, P-384 and P-521. */
export const ECDSA: Definition = {
  name: 'ECDSA',
  ...platformSigning('ECDSA', (members) => ({ hash: members.hash() })),
  ...platformKeys('ECDSA', readCurve, readCurve),
};

/** RFC 8032. */
export const ED25519: Definition = {
  name: 'Ed25519',
  ...platformSigning('Ed25519', nothing),
  ...okpKeys('Ed25519'),
};

/** Key agreement over the same curves. */
export const ECDH: Definition = {
  name: 'ECDH',
  ...agreement('ECDH'),
  ...platformKeys('ECDH', readCurve, readCurve),
};

/** RFC 7748. */
export const X25519: Definition = {
  name: 'X25519',
  ...agreement('X25519'),
  ...okpKeys('X25519'),
};

function okpKeys(name: 'Ed25519' | 'X25519') {
  const keys = platformKeys(name, nothing, nothing);
  return { ...keys, importKey: checkingPairs(name, keys.importKey) };
}

function agreement(name: 'ECDH' | 'X25519'): Pick<Definition, 'deriveBits'> {
  return {
    deriveBits: (members) => {
      const peer = members.key('public');
      return async ({ runtime, key, lengthBits }) => {
        // The platform checks the rest, but must not be handed the key of another algorithm.
        if (peer.algorithm.name !== name) throw invalidAccess(`${name}: public is another's key`);
        const algorithm = { name, public: platformKeyOf(peer) };
        return runtime.platform(name, async (subtle) => {
          const bits = await subtle.deriveBits(algorithm, platformKeyOf(key), lengthBits);
          return new Uint8Array(bits);
        });
      };
    },
  };
}

function readCurve(members: Members): object {
  return { namedCurve: members.text('namedCurve') };
}

function nothing(): object {
  return {};
}
