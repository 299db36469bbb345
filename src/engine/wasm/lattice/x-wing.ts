/** X-Wing (src/engine/kem/x-wing.ts) with ML-KEM-768 of the module and X25519 of the platform. */
import { cshake } from '../../../crypto/hash/cshake.ts';
import { SHA3_256 } from '../../../crypto/hash/sha3.ts';
import { EngineError } from '../../contract.ts';
import type { KemAlgorithm } from '../../contract.ts';
import { NATIVE_X25519 } from '../../kem/native-x25519.ts';
import type { X25519 } from '../../kem/native-x25519.ts';
import { xWing as xWingOf } from '../../kem/x-wing.ts';
import type { SyncKem } from './ml-kem.ts';

const EMPTY = new Uint8Array(0);

/** @param mlKem loads ML-KEM-768 */
export function xWing(mlKem: () => Promise<SyncKem>, x25519: X25519 = NATIVE_X25519): KemAlgorithm {
  const curve = curveOf(x25519);
  const kem = xWingOf({
    mlKem,
    x25519: () => curve,
    shake256: (data, outputBytes) =>
      cshake(256, { outputBytes, functionName: EMPTY, customization: EMPTY }).update(data).digest(),
    sha3: (data) => SHA3_256.create().update(data).digest(),
  });
  return { constantTime: 'platform', ...kem };
}

/** X25519 whose absence is a failure of the engine. */
function curveOf(x25519: X25519): Pick<X25519, 'publicKey' | 'agree'> {
  const running = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new EngineError('this platform has no X25519', { cause: error });
    }
  };
  return {
    publicKey: (privateKey) => running(x25519.publicKey(privateKey)),
    agree: (privateKey, theirs) => running(x25519.agree(privateKey, theirs)),
  };
}
