/** cSHAKE, TurboSHAKE, KangarooTwelve and KMAC for the engine contract, over an engine's sponge. */
import { copyOf, equal, wipe } from '../crypto/bytes.ts';
import type { Hash } from '../crypto/contracts.ts';
import { cshake } from '../crypto/hash/cshake.ts';
import { KangarooTwelve, type KangarooPrimitives } from '../crypto/hash/kangaroo-twelve.ts';
import { hashOf } from '../crypto/hash/merkle-damgard.ts';
import { turboshake } from '../crypto/hash/turboshake.ts';
import { Kmac, type KmacParams } from '../crypto/mac/kmac.ts';
import type { KmacAlgorithm, KmacName, XofAlgorithm, XofName, XofParams } from './contract.ts';

/** The functions of an engine that are built on Keccak and have parameters. */
export type KeccakFunctions = { readonly [A in XofName]: XofAlgorithm<XofParams[A]> } & {
  readonly [A in KmacName]: KmacAlgorithm;
};

/** @param primitives of the engine: logic and rotations only, so that timing depends on lengths alone */
export function keccakFunctions(primitives: KangarooPrimitives): KeccakFunctions {
  const { sponge } = primitives;
  return {
    cSHAKE128: xof((params) => cshake(128, params, sponge)),
    cSHAKE256: xof((params) => cshake(256, params, sponge)),
    TurboSHAKE128: xof((params) => turboshake(128, params, sponge)),
    TurboSHAKE256: xof((params) => turboshake(256, params, sponge)),
    KT128: xof((params) => new KangarooTwelve(128, params, primitives)),
    KT256: xof((params) => new KangarooTwelve(256, params, primitives)),
    KMAC128: kmac((key, params) => new Kmac(128, key, params, sponge)),
    KMAC256: kmac((key, params) => new Kmac(256, key, params, sponge)),
  };
}

function xof<P>(create: (params: P) => Hash): XofAlgorithm<P> {
  return {
    constantTime: 'by-construction',
    digest: (params, data) => hashOf({ create: () => create(params) }, [data]),
    create,
  };
}

function kmac(create: (key: Uint8Array, params: KmacParams) => Kmac): KmacAlgorithm {
  return {
    constantTime: 'by-construction',
    withKey: (bytes) => {
      const key = copyOf(bytes);
      const sign = (params: KmacParams, data: Uint8Array): Uint8Array => {
        const mac = create(key, params).update(data);
        const tag = mac.digest();
        mac.wipe();
        return tag;
      };
      return {
        sign,
        verify: (params, tag, data) => {
          const expected = sign(params, data);
          const verified = equal(expected, tag);
          wipe(expected);
          return verified;
        },
        wipe: () => wipe(key),
      };
    },
  };
}
