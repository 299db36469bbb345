import type { PlatformName } from '../../engine/contract.ts';
import type { Definition } from './definition.ts';
import { platformKeyOf } from '../key.ts';
import type { Members } from '../webidl/members.ts';

/** Signing and verifying by the platform. @param read the parameters beside the name */
export function platformSigning(
  name: PlatformName,
  read: (members: Members) => object,
): Required<Pick<Definition, 'sign' | 'verify'>> {
  return {
    sign: (members) => {
      const algorithm = { name, ...read(members) };
      return ({ runtime, key, data }) =>
        runtime.platform(name, async (subtle) => {
          const signature = await subtle.sign(algorithm, platformKeyOf(key), source(data));
          return new Uint8Array(signature);
        });
    },
    verify: (members) => {
      const algorithm = { name, ...read(members) };
      return ({ runtime, key, data, signature }) =>
        runtime.platform(name, (subtle) =>
          subtle.verify(algorithm, platformKeyOf(key), source(signature), source(data)),
        );
    },
  };
}

/** Both were copied at the door, out of shared memory. */
function source(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
