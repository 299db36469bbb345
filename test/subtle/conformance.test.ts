import { describeAead } from '../conformance/aead.ts';
import { describeCiphers } from '../conformance/cipher.ts';
import { describeHashes } from '../conformance/hash.ts';
import { describeKdfs } from '../conformance/kdf.ts';
import { describeMacs } from '../conformance/mac.ts';
import { describeSalsa } from '../conformance/salsa.ts';
import { describeSiv } from '../conformance/siv.ts';
import { subtleSubject } from '../conformance/subject.ts';

for (const engine of ['js', 'native', 'auto'] as const) {
  const subject = await subtleSubject(engine);
  describe(subject.title, () => {
    describeAead(subject);
    describeSiv(subject);
    describeSalsa(subject);
    describeCiphers(subject);
    describeMacs(subject);
    describeHashes(subject);
    describeKdfs(subject);
  });
}
