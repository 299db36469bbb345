import { SHA256, sha256 } from '../../../src/crypto/hash/sha256.ts';
import { describeHash, describeShaVectors } from './hash-suite.ts';

describeHash(SHA256, sha256);
describeShaVectors('SHA256', sha256);
