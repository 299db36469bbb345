import { salsa20 } from '../../../src/crypto/stream/salsa20.ts';
import { describeSalsa20 } from './stream-suite.ts';

describe('Salsa20', () => describeSalsa20(salsa20));
