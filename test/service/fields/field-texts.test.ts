import { expect } from 'chai';
import { armor } from '../../../src/format/wire/armor.ts';
import { armorCandidates, CANDIDATES_MAX } from '../../../src/format/wire/find-armor.ts';
import { sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { FieldTexts, type FieldTextsDeps } from '../../../src/service/fields/field-texts.ts';
import { KEY, KEY_ID } from '../../format/support.ts';

describe('Texts of fields, opened', () => {
  let lookups: number;
  let texts: FieldTexts;

  beforeEach(() => {
    lookups = 0;
    const keyRing = {
      useOfHeaderKeyId: () => {
        lookups++;
        return Promise.resolve({ origin: 'https://a.example' });
      },
      openingMaterial: () => Promise.resolve({ key: KEY.slice(), ref: 'k1' }),
    };
    const messageCrypto = { forBytes: () => Promise.resolve(NATIVE_CRYPTO) };
    texts = new FieldTexts({ keyRing, messageCrypto } as unknown as FieldTextsDeps);
  });

  /** A text with words after it, each of which may belong to it. */
  async function withWordsAfter(): Promise<string[]> {
    const sealed = await sealMessage({ key: KEY, keyId: KEY_ID, purpose: 'field' }, KEY);
    return [armor(sealed), ...Array.from({ length: CANDIDATES_MAX - 1 }, () => 'AAAA')];
  }

  it('have their key looked for once, however many lengths they may have', async () => {
    const pieces = await withWordsAfter();
    expect(armorCandidates(pieces)).to.have.length.greaterThan(2);
    expect((await texts.open(pieces, null)).bytes).to.deep.equal(KEY);
    expect(lookups).to.equal(1);
  });

  it('are not opened for a window that has gone', async () => {
    const error: unknown = await texts
      .open(await withWordsAfter(), null, AbortSignal.abort())
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ name: 'AbortError' });
  });
});
