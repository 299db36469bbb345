import { expect } from 'chai';
import { preparePassphrase } from '../../../src/format/passphrase.ts';

const text = (passphrase: string) => new TextDecoder().decode(preparePassphrase(passphrase));

describe('Passphrases', () => {
  it('keeps what RFC 8265 section 4.3 lists as valid', () => {
    // Table 4, the valid ones; in the last, U+1680 (OGHAM SPACE MARK) becomes a space.
    expect(text('correct horse battery staple')).to.equal('correct horse battery staple');
    expect(text('Correct Horse Battery Staple')).to.equal('Correct Horse Battery Staple');
    expect(text('πß你')).to.equal('πß你');
    expect(text('Jack of ♦s')).to.equal('Jack of ♦s');
    expect(text('foo\u1680bar')).to.equal('foo bar');
  });

  it('refuses what it lists as invalid: the empty string and controls', () => {
    expect(() => preparePassphrase('')).to.throw(RangeError, 'empty');
    expect(() => preparePassphrase('my cat is a \u0009by')).to.throw(TypeError);
  });

  it('gives one form of composed and decomposed text, and keeps case and width', () => {
    expect(text('cafe\u0301')).to.equal('caf\u00e9');
    expect(text('\u1112\u1161\u11ab')).to.equal('\ud55c');
    expect(text('Ａb')).to.equal('Ａb');
    expect(text('a\u3000b\u00a0c')).to.equal('a b c');
    expect(text(' a ')).to.equal(' a ');
  });

  it('refuses invisible, private, unassigned and broken characters', () => {
    const refused = [
      ['\u0000', 'control'],
      ['\u007f', 'control'],
      ['\u0085', 'control'],
      ['\u00ad', 'soft hyphen'],
      ['\u200b', 'zero width space'],
      ['\ufe0f', 'variation selector'],
      ['\u202e', 'bidi override'],
      ['\ufeff', 'byte order mark'],
      ['\ue000', 'private use'],
      ['\u0378', 'unassigned'],
      ['\ufdd0', 'noncharacter'],
      ['\ud800', 'lone surrogate'],
      ['\u1100', 'lone jamo'],
      ['\u2028', 'line separator'],
      ['\u0640', 'tatweel, RFC 5892 section 2.6'],
    ] as const;
    for (const [character, name] of refused) {
      expect(() => preparePassphrase(`pass${character}word`), name).to.throw(TypeError);
    }
  });

  it('accepts a joiner within a word only', () => {
    expect(text('نامه\u200cای')).to.equal('نامه\u200cای');
    for (const stray of ['\u200cx', 'x\u200d', 'a \u200db', 'a\u200c b']) {
      expect(() => preparePassphrase(stray)).to.throw(TypeError);
    }
  });

  it('takes 1,024 characters and not one more, counted as the user sees them after NFC', () => {
    expect(preparePassphrase('x'.repeat(1024))).to.have.lengthOf(1024);
    expect(preparePassphrase('😀'.repeat(1024))).to.have.lengthOf(4096);
    expect(preparePassphrase('e\u0301'.repeat(1024))).to.have.lengthOf(2048);
    for (const long of ['x'.repeat(1025), '😀'.repeat(1025), 'x'.repeat(10_000_000)]) {
      expect(() => preparePassphrase(long)).to.throw(RangeError, '1024');
    }
  });

  it('never quotes the passphrase', () => {
    for (const bad of ['marker\u0000', 'marker'.repeat(400)]) {
      try {
        preparePassphrase(bad);
        expect.fail('must throw');
      } catch (error) {
        expect(String((error as Error).stack))
          .not.to.contain('marker\u0000')
          .and.not.contain('markermarker');
      }
    }
  });
});
