import { SHA384, SHA512, sha384, sha512 } from '../../../src/crypto/hash/sha512.ts';
import { describeHash, describeShaVectors } from './hash-suite.ts';

describeHash(SHA512, sha512);
describeHash(SHA384, sha384);
describeShaVectors('SHA512', sha512);
