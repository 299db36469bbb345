import { SHA1, sha1 } from '../../../../src/crypto/hash/legacy/sha1.ts';
import { describeHash, describeShaVectors } from '../hash-suite.ts';

describeHash(SHA1, sha1);
describeShaVectors('SHA1', sha1);
