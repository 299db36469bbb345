import { expect } from 'chai';
import { armor } from '../../../../src/format/wire/armor.ts';
import { armorCandidates } from '../../../../src/format/wire/find-armor.ts';
import { sealMessage } from '../../../../src/format/message.ts';
import { webArmor } from '../../../../src/format/wire/web-armor.ts';
import { findSealed } from '../../../../extension/fields/find/find-sealed.ts';
import { isSealedText } from '../../../../extension/fields/find/sealed-runs.ts';
import { KEY, KEY_ID } from '../../../format/support.ts';
import { pageOf } from './fake-page.ts';

/* The end of a sealed text in a page: where its mark stands. */

/** The end of each text, as the text before it in its node and after it. */
const endsIn = (html: string): [before: string, after: string][] =>
  findSealed(pageOf(html)).found.map(({ at }) => {
    const { data } = at.node as unknown as { readonly data: string };
    return [data.slice(0, at.offset!).slice(-8), data.slice(at.offset!)];
  });

describe('fields/find: the end of a sealed text in a page', () => {
  for (const [form, write] of Object.entries({ 'sw1.': armor, 'web armor': webArmor })) {
    describe(form, () => {
      let text: string;
      let last: string;
      before(async () => {
        const how = { key: KEY, keyId: KEY_ID, purpose: 'field', pad: true } as const;
        text = write(await sealMessage(how, new Uint8Array(40)));
        last = text.slice(-8);
      });

      it('is not in the next text of the page', () => {
        const next = '<p>secret.txt · Last modified: today</p>';
        expect(endsIn(`<p>${text}</p>\n<div></div>\n${next}`)).to.deep.equal([[last, '']]);
        expect(endsIn(`<table><tr><td>${text}</td><td>Parameters</td></tr></table>`)).to.deep.equal(
          [[last, '']],
        );
        expect(endsIn(`<li>${text}</li><li>Words 1 of them</li>`)).to.deep.equal([[last, '']]);
      });

      it('is not in a word beside it', () => {
        expect(endsIn(`<p>start${text}end</p>`)).to.deep.equal([[last, 'end']]);
        expect(endsIn(`<p>${text}<br>Regards<br>Ada</p>`)).to.deep.equal([[last, '']]);
        expect(endsIn(`<p><b>${text}</b>, he said</p>`)).to.deep.equal([[last, '']]);
      });

      it('is in the last of its lines, also over several blocks', () => {
        const [one, two, three] = [text.slice(0, 70), text.slice(70, 140), text.slice(140)];
        const lines = `<p>${one}</p><p>${two}</p><p>${three}</p><p>Regards</p>`;
        expect(endsIn(lines)).to.deep.equal([[last, '']]);
      });

      it('is in the first block, of a text that is cut off', () => {
        const cut = text.slice(0, -40);
        const [[before] = ['']] = endsIn(`<p>${cut}</p><p>Regards</p>`);
        expect(cut).to.include(before);
      });
    });
  }
});

describe('fields/find: damaged web armor', () => {
  let text: string;
  before(async () => {
    const how = { key: KEY, keyId: KEY_ID, purpose: 'field', pad: true } as const;
    text = webArmor(await sealMessage(how, new Uint8Array(40)));
  });
  const found = (html: string) => findSealed(pageOf(html)).found.map(({ pieces }) => pieces);

  it('is found as what is left of it, and has no candidates', () => {
    const CASES: readonly [damaged: string, left: string][] = [
      [`${text.slice(0, 90)} Regards, Ada`, text.slice(0, 90)],
      [`${text.slice(0, 90)}…`, text.slice(0, 90)],
      [text.slice(0, -1), text.slice(0, -1)],
      [text.slice(0, 60) + text.slice(70), text.slice(0, 60) + text.slice(70)],
    ];
    for (const [damaged, left] of CASES) {
      expect(found(`<p>${damaged}</p>`), damaged).to.deep.equal([[left]]);
      expect(armorCandidates([left])).to.deep.equal([]);
    }
  });

  it('is told from words and postcodes', () => {
    for (const words of ['swt1', 'SWT1 2AB', 'swt1aaaa and more', 'swt10', 'the swt1abcdefgh']) {
      expect(found(`<p>${words}</p>`), words).to.deep.equal([]);
    }
  });

  it('without its end ends, whatever letters follow it', () => {
    const word = text.slice(0, -1);
    expect(found(`<p>${word}${'abc'.repeat(30)}</p>`)).to.have.length(1);
  });
});

describe('fields/find: whether a field holds a sealed text and nothing else', () => {
  for (const [form, write] of Object.entries({ 'sw1.': armor, 'web armor': webArmor })) {
    it(`is so for ${form} alone, and for none with words in or beside it`, async () => {
      const how = { key: KEY, keyId: KEY_ID, purpose: 'field', pad: true } as const;
      const text = write(await sealMessage(how, new Uint8Array(40)));
      for (const held of [text, ` ${text}\n`]) expect(isSealedText(held), held).to.equal(true);
      const [start, end] = [text.slice(0, 90), text.slice(90)];
      const mixed = [
        ...[`${text} and`, `see ${text}`, `start${text}`, `${text}end`, `${text} ${text}`],
        ...[`${start}<b title="at nine">${end}`, `${start}\nme> ${end}`, `${start} !?! ${end}`],
        ...[start, `${start}&#8203;${end}`, '', 'sw1.', 'swt1'],
      ];
      for (const held of mixed) expect(isSealedText(held), held).to.equal(false);
    });
  }
});
