import { expect } from 'chai';
import fc from 'fast-check';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { notesCipher } from '../../../src/sync/notes/notes.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { algorithmsOf, ENGINES } from '../engines.ts';
import { errorNameOf } from '../../support/outcomes.ts';

const KEY = {
  key: Uint8Array.from({ length: 32 }, (_, i) => 5 * i),
  kid: '1526414944-zgTjf5oXmPmBjxwXWFsDWg',
};
const HEADER = { alg: 'A256KW', enc: 'A128CBC-HS256' } as const;
const joseSealed = (payload: unknown, header: object = { ...HEADER, kid: KEY.kid }) =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader(header as typeof HEADER)
    .encrypt(KEY.key);

for (const engine of ENGINES) {
  describe(`sync/records of Notes, ${engine}`, () => {
    it('are compatible with npm jose, in both directions', async () => {
      const cipher = await notesCipher(await algorithmsOf(engine), KEY, systemRandom);
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (json) => {
          const payload = JSON.parse(JSON.stringify(json)) as unknown;
          const text = Buffer.from(await cipher.seal(payload)).toString();
          const { plaintext, protectedHeader } = await compactDecrypt(text, KEY.key);
          expect(JSON.parse(Buffer.from(plaintext).toString())).to.deep.equal(payload);
          expect(protectedHeader).to.deep.equal({ ...HEADER, kid: KEY.kid });
          const opened = await cipher.open(await joseSealed(payload));
          expect(opened.payload).to.deep.equal(payload);
          expect(JSON.parse(Buffer.from(opened.json).toString())).to.deep.equal(payload);
        }),
        { numRuns: 25 },
      );
    });
  });
}

describe('sync/records of Notes', () => {
  it('of another key are detected by its id; all other errors are equal', async () => {
    const algorithms = await algorithmsOf('wasm-simd');
    const cipher = await notesCipher(algorithms, KEY, systemRandom);
    const other = await notesCipher(algorithms, { ...KEY, key: new Uint8Array(32) }, systemRandom);
    const text = await joseSealed({ a: 1 });
    expect(await errorNameOf(other.open(text))).to.equal('AuthenticationError');
    const named = await joseSealed({ a: 1 }, { ...HEADER, kid: 'another' });
    expect(await errorNameOf(cipher.open(named))).to.equal('OtherKeyError');
    expect((await cipher.open(await joseSealed({ a: 1 }, HEADER))).payload).to.deep.equal({ a: 1 });
    const gcm = await joseSealed({ a: 1 }, { alg: 'A256KW', enc: 'A256GCM' });
    expect(await errorNameOf(cipher.open(gcm))).to.equal('SyncError');
    for (const none of ['', 'a.b.c.d', '....', text.replace('.', '=.'), text.slice(1)]) {
      expect(await errorNameOf(cipher.open(none)), none).to.equal('SyncError');
    }
  });

  it('a changed part is detected', async () => {
    const cipher = await notesCipher(await algorithmsOf('wasm-simd'), KEY, systemRandom);
    const parts = (await joseSealed({ a: 'some text' })).split('.');
    for (let part = 1; part < 5; part++) {
      const bytes = Buffer.from(parts[part]!, 'base64url');
      for (let i = 0; i < bytes.length; i++) {
        const altered = Buffer.from(bytes.map((byte, at) => (at === i ? byte ^ 1 : byte)));
        const text = parts.map((old, at) => (at === part ? altered.toString('base64url') : old));
        expect(await errorNameOf(cipher.open(text.join('.')))).to.equal('AuthenticationError');
      }
    }
    const header = Buffer.from(parts[0]!, 'base64url').toString().replace('"enc"', ' "enc"');
    const text = [Buffer.from(header).toString('base64url'), ...parts.slice(1)].join('.');
    expect(await errorNameOf(cipher.open(text))).to.equal('AuthenticationError');
  });
});
