import { describeAead } from '../conformance/aead.ts';
import { describeBuffers } from '../conformance/buffers.ts';
import { describeCiphers } from '../conformance/cipher.ts';
import { describeHashes } from '../conformance/hash.ts';
import { describeKeccak } from '../conformance/keccak.ts';
import { describeKdfs } from '../conformance/kdf.ts';
import { describeMacs } from '../conformance/mac.ts';
import { describeSalsa } from '../conformance/salsa.ts';
import { describeSiv } from '../conformance/siv.ts';
import { subtleSubject } from '../conformance/subject.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';

/* What `subtle` adds to an engine is the same over each; the engines have suites of their own. */
for (const engine of IS_NIGHTLY ? (['js', 'native', 'auto'] as const) : (['auto'] as const)) {
  const subject = await subtleSubject(engine);
  describe(subject.title, () => {
    describeAead(subject);
    describeSiv(subject);
    describeSalsa(subject);
    describeCiphers(subject);
    describeMacs(subject);
    describeHashes(subject);
    describeKdfs(subject);
    describeKeccak(subject);
    describeBuffers(subject);
  });
}
