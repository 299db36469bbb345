/** ECDSA, ECDH, Ed25519 and X25519 (Web Cryptography API, 23–26), by the platform. */
import type { Definition } from './definition.ts';
import { invalidAccess } from './errors.ts';
import { platformKeyOf } from './key.ts';
import type { Members } from './members.ts';
import { platformKeys } from './platform-keys.ts';
import { platformSigning } from './platform-signing.ts';

export const ECDSA: Definition = {
  name: 'ECDSA',
  ...platformSigning('ECDSA', (members) => ({ hash: members.hash() })),
  ...platformKeys('ECDSA', readCurve, readCurve),
};

export const ED25519: Definition = {
  name: 'Ed25519',
  ...platformSigning('Ed25519', nothing),
  ...platformKeys('Ed25519', nothing, nothing),
};

export const ECDH = agreement('ECDH', readCurve);
export const X25519 = agreement('X25519', nothing);

function agreement(name: 'ECDH' | 'X25519', readKey: (members: Members) => object): Definition {
  return {
    name,
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
    ...platformKeys(name, readKey, readKey),
  };
}

function readCurve(members: Members): object {
  return { namedCurve: members.text('namedCurve') };
}

function nothing(): object {
  return {};
}
