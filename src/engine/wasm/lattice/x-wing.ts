/** X-Wing (src/engine/kem/x-wing.ts) with ML-KEM-768 of the module and X25519 of the platform. */
import type { MlKem } from '../../../crypto/lattice/ml-kem.ts';
import { EngineError } from '../../contract.ts';
import type { KemAlgorithm } from '../../contract.ts';
import { NATIVE_X25519 } from '../../kem/native-x25519.ts';
import type { X25519 } from '../../kem/native-x25519.ts';
import { xWing as xWingOf } from '../../kem/x-wing.ts';

/** @param mlKem loads ML-KEM-768 */
export function xWing(mlKem: () => Promise<MlKem>, x25519: X25519 = NATIVE_X25519): KemAlgorithm {
  const curve = curveOf(x25519);
  return { constantTime: 'platform', ...xWingOf({ mlKem, x25519: () => curve }) };
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
