import { expect } from 'chai';
import { candidatesIn } from '../../../extension/fields-window/candidates.ts';
import { equal, utf8 } from '../../../src/crypto/bytes.ts';
import { armor } from '../../../src/format/wire/armor.ts';
import { armorCandidates, CANDIDATES_MAX } from '../../../src/format/wire/find-armor.ts';
import { MAX_CANDIDATES } from '../../../src/rpc/methods/ui-fields.ts';
import { sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { FieldTexts, type FieldTextsDeps } from '../../../src/service/fields/field-texts.ts';
import { KEY, KEY_ID } from '../../format/support.ts';

describe('Texts of fields, opened', () => {
  let lookups: number;
  let texts: FieldTexts;
  let keyId: Uint8Array;

  beforeEach(() => {
    lookups = 0;
    keyId = KEY_ID;
    const keyRing = {
      useOfHeaderKeyId: (asked: Uint8Array) => {
        lookups++;
        return Promise.resolve(equal(asked, keyId) ? { origin: 'https://a.example' } : undefined);
      },
      openingMaterial: () => Promise.resolve({ key: KEY.slice(), ref: 'k1' }),
    };
    const messageCrypto = { forBytes: () => Promise.resolve(NATIVE_CRYPTO) };
    texts = new FieldTexts({ keyRing, messageCrypto } as unknown as FieldTextsDeps);
  });

  const open = (pieces: readonly string[], signal?: AbortSignal) =>
    texts.open(candidatesIn(utf8(pieces.join('\n'))), null, signal);

  /** A text with words after it, each of which may belong to it. */
  async function withWordsAfter(): Promise<string[]> {
    const sealed = await sealMessage({ key: KEY, keyId: KEY_ID, purpose: 'field' }, KEY);
    return [armor(sealed), ...Array.from({ length: CANDIDATES_MAX - 1 }, () => 'AAAA')];
  }

  it('have their key looked for once, however many lengths they may have', async () => {
    const pieces = await withWordsAfter();
    expect(armorCandidates(pieces)).to.have.length.greaterThan(2);
    expect(MAX_CANDIDATES, 'of one text').to.equal(CANDIDATES_MAX);
    expect((await open(pieces)).bytes).to.deep.equal(KEY);
    expect(lookups).to.equal(1);
  });

  it('have their key looked for again where a dash may stand for two or three characters of its id', async () => {
    const seal = async () => {
      keyId = crypto.getRandomValues(new Uint8Array(16));
      return armor(await sealMessage({ key: KEY, keyId, purpose: 'field', pad: false }, KEY));
    };
    const change = (text: string) => text.replaceAll('---', '–').replaceAll('--', '—');
    const isReadOtherwise = (text: string) => armorCandidates([change(text)])[0]?.text !== text;
    const hasDash = /^sw1\.[\w-]{12,26}\w--\w/;
    let text = await seal();
    while (!hasDash.test(text) || !isReadOtherwise(text)) text = await seal();
    const changed = change(text);
    expect((await open([changed])).bytes).to.deep.equal(KEY);
    expect(lookups).to.be.greaterThan(1);
  });

  it('are told from those that lack a part, as long as that is likely', async () => {
    const how = { key: KEY, keyId, purpose: 'field', pad: true } as const;
    const text = armor(await sealMessage(how, new Uint8Array(3_000)));
    const codeOf = (pieces: string[]) =>
      open(pieces).then(
        () => 'opened',
        (error: unknown) => (error as { readonly code: string }).code,
      );
    expect(await codeOf([text])).to.equal('opened');
    expect(await codeOf([`${text}start`])).to.equal('opened');
    expect(await codeOf([text.slice(0, -30)])).to.equal('BAD_ENVELOPE');
    const last = text.at(-30) === 'A' ? 'B' : 'A';
    expect(await codeOf([text.slice(0, -30) + last + text.slice(-29)])).to.equal('AUTH_FAILED');
  });

  it('are not opened for a window that has gone', async () => {
    const opening = open(await withWordsAfter(), AbortSignal.abort());
    const error: unknown = await opening.catch((thrown: unknown) => thrown);
    expect(error).to.include({ name: 'AbortError' });
  });
});
