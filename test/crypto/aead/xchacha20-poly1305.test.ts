import { XChaCha20Poly1305 } from '../../../src/crypto/aead/xchacha20-poly1305.ts';
import { describeXChaChaPoly } from './chacha-suite.ts';

describe('XChaCha20-Poly1305', () => describeXChaChaPoly((key) => new XChaCha20Poly1305(key)));
