import { ChaCha20Poly1305 } from '../../../src/crypto/aead/chacha20-poly1305.ts';
import { describeChaChaPoly } from './chacha-suite.ts';

describe('ChaCha20-Poly1305', () => describeChaChaPoly((key) => new ChaCha20Poly1305(key)));
