import { xchacha20 } from '../../../src/crypto/stream/xchacha20.ts';
import { describeXChaCha20 } from './stream-suite.ts';

describe('XChaCha20', () => describeXChaCha20(xchacha20));
