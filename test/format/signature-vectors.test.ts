import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { parsePublicKey, publicKeyText } from '../../src/format/wire/public-key.ts';
import { signedBytes } from '../../src/format/wire/signed-bytes.ts';
import { Signatures } from '../../src/service/signing/signatures.ts';
import { inThread } from '../../src/workshop/in-thread.ts';
import { systemRandom } from '../support/stores/memory-store.ts';

/* The project's own vectors of signatures, generated with node:crypto. */
type Vector = Record<
  'id' | 'namedKey' | 'origin' | 'data' | 'signedBytes' | 'publicKey' | 'signature',
  string
>;

const text = readFileSync(new URL('vectors/signatures.json', import.meta.url), 'utf8');
const { vectors } = JSON.parse(text) as { vectors: Vector[] };

describe('The vectors of signatures', () => {
  const signatures = new Signatures({ workshop: inThread({}), random: systemRandom });

  for (const vector of vectors) {
    it(vector.id, async () => {
      const bytes = signedBytes(vector.origin, fromHex(vector.data));
      expect(toHex(bytes)).to.equal(vector.signedBytes);
      const key = { algorithm: 'Ed25519', key: fromHex(vector.namedKey) } as const;
      expect(publicKeyText(await signatures.publicKeyOf(key))).to.equal(vector.publicKey);
      const signature = await signatures.sign(key, bytes);
      expect(toHex(signature)).to.equal(vector.signature);
      const publicKey = parsePublicKey(vector.publicKey);
      expect(await signatures.verify(publicKey, bytes, signature)).to.equal(true);
      for (const at of [0, 31, 32, 63]) {
        const changed = signature.with(at, signature[at]! ^ 1);
        expect(await signatures.verify(publicKey, bytes, changed)).to.equal(false);
      }
    });
  }
});
