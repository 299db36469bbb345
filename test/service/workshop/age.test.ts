import { expect } from 'chai';
import sinon from 'sinon';
import type { KeyRing } from '../../../src/keys/ring/key-ring.ts';
import type { Workshop } from '../../../src/rpc/workshop.ts';
import { FileOpener } from '../../../src/service/files/file-opener.ts';
import { importedIdentities } from '../../../src/service/keys/age-import.ts';
import { workshopAge } from '../../../src/service/workshop/age.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const FILE = new TextEncoder().encode('age-encryption.org/v1\n');

/** Works until its signal ends it, and never where it has none. */
const endless: Workshop = {
  call: (_owner, _operation, _input, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    }),
};

describe('A file of age in the workshop', () => {
  const age = workshopAge(endless);
  const key = 'aWQ'; // "id"
  const keyRing = {
    userKeyValues: () => Promise.resolve([{ ref: 'r', value: { generations: [{ key }] } }]),
  } as unknown as KeyRing;

  afterEach(() => sinon.restore());

  it('is not opened any longer when its user has gone', async () => {
    const opener = new FileOpener({ keyRing, age, workshop: endless, random: undefined as never });
    const passphrase = 'x';
    for (const open of [
      (signal: AbortSignal) => age.open(FILE, { identities: [], passphrase }, signal),
      (signal: AbortSignal) => opener.openAge(FILE, passphrase, signal),
      (signal: AbortSignal) => opener.openAge(FILE, undefined, signal),
      (signal: AbortSignal) => importedIdentities({ file: FILE, passphrase }, age, signal),
    ]) {
      const user = new AbortController();
      const opening = errorOf(open(user.signal));
      const gone = new Error('gone');
      setImmediate(() => user.abort(gone));
      expect(await opening).to.equal(gone);
    }
  });

  it('is refused when it takes minutes: its header chooses how much work it is', async () => {
    const deadline = new AbortController();
    const timeout = sinon.stub(AbortSignal, 'timeout').returns(deadline.signal);
    const opening = [undefined, new AbortController().signal].flatMap((signal) => [
      codeOf(age.open(FILE, { identities: ['i'] }, signal)),
      codeOf(age.openHead(FILE, { identities: ['i'] }, signal)),
    ]);
    setImmediate(() => deadline.abort());
    expect(await Promise.all(opening)).to.deep.equal(Array(4).fill('BAD_BACKUP'));
    expect(timeout.args).to.deep.equal(Array(4).fill([5 * 60_000]));
  });
});
