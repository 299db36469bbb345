/** The ciphers of the module of ChaCha20 and its kin in the shape of the engine contract. */
import { arxCiphers } from '../../arx-ciphers.ts';
import type { ArxCiphers } from '../../arx-ciphers.ts';
import type { ArxModule } from './arx.ts';
import { WasmChaCha20Poly1305, WasmXChaCha20Poly1305 } from './aead.ts';

/** Every cipher of the module. */
export function arxAlgorithms(module: ArxModule): ArxCiphers {
  return arxCiphers({
    chacha20Poly1305: (key) => new WasmChaCha20Poly1305(module, key),
    xchacha20Poly1305: (key) => new WasmXChaCha20Poly1305(module, key),
    salsa20: (...args) => module.salsa20(...args),
  });
}
