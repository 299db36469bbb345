import { salsa20 } from '../../../src/crypto/stream/salsa20.ts';
import { describeSalsa20 } from './stream-promises.ts';

describe('Salsa20', () => describeSalsa20(salsa20));
