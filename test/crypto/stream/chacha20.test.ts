import { chacha20 } from '../../../src/crypto/stream/chacha20.ts';
import { describeChaCha20 } from './stream-suite.ts';

describe('ChaCha20', () => describeChaCha20(chacha20));
