import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { armor, unarmor } from '../../src/format/wire/armor.ts';
import { webArmor, webUnarmor } from '../../src/format/wire/web-armor.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import {
  contentOf,
  identityKeysOf,
  openOptions,
  readVectors,
  sealOptions,
} from './message-vectors.ts';
import { sealedInPieces } from './stream-message.ts';
import { outcome, thrown } from './support.ts';

describe('format vectors: messages', () => {
  for (const vector of readVectors('messages.json')) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      const sealed = await sealMessage(sealOptions(vector), contentOf(vector.message));
      const sha256 = createHash('sha256').update(sealed).digest('hex');
      expect(sealed.length).to.equal(vector.sealedBytes);
      expect(sha256).to.equal(vector.sealedSha256);
      if (vector.sealed !== null) expect(toHex(sealed)).to.equal(vector.sealed);
      expect(inspect(sealed)).to.deep.equal(vector.info);

      const opened = await openMessage(openOptions(vector, identityKeysOf(vector)), sealed);
      expect(Buffer.compare(opened, contentOf(vector.message))).to.equal(0);
    });
  }
});

describe('format vectors: streams', () => {
  for (const vector of readVectors('streams.json')) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      const { salt, ...options } = sealOptions(vector);
      const message = contentOf(vector.message);
      const sealed = await sealedInPieces(options, salt as Uint8Array, message, 300_000);
      expect(sealed.length).to.equal(vector.sealedBytes);
      expect(createHash('sha256').update(sealed).digest('hex')).to.equal(vector.sealedSha256);
      if (vector.sealed !== null) expect(toHex(sealed)).to.equal(vector.sealed);
      expect(inspect(sealed)).to.deep.equal(vector.info);
      const opened = await openMessage(openOptions(vector, null), sealed);
      expect(Buffer.compare(opened, message)).to.equal(0);
    });
  }
});

describe('format vectors: refused', () => {
  for (const { id, comment, sealed, error, identityKeys, ...known } of readVectors(
    'refused.json',
  )) {
    it(`${id}: ${comment} → ${error}`, async () => {
      const opening = openMessage(openOptions(known, identityKeys), fromHex(sealed));
      expect(await outcome(opening)).to.equal(error);
    });
  }
});

describe('format vectors: armor', () => {
  const { valid, refused } = readVectors('armor.json');

  for (const [index, { sealed, text }] of valid.entries()) {
    it(`pair ${index + 1}: to text and back`, () => {
      expect(armor(fromHex(sealed))).to.equal(text);
      expect(toHex(unarmor(text))).to.equal(sealed);
      expect(inspect(text)).to.deep.equal(inspect(fromHex(sealed)));
    });
  }
  for (const { comment, text } of refused) {
    it(`refuses ${comment}`, () => {
      expect(thrown(() => unarmor(text))).to.equal('BAD_ENVELOPE');
    });
  }
});

describe('format vectors: web armor', () => {
  const { valid, read, refused } = readVectors('web-armor.json');

  for (const [index, { sealed, text }] of valid.entries()) {
    it(`pair ${index + 1}: to text and back`, () => {
      expect(webArmor(fromHex(sealed))).to.equal(text);
      expect(toHex(unarmor(text))).to.equal(sealed);
      expect(inspect(text)).to.deep.equal(inspect(fromHex(sealed)));
    });
  }
  for (const { comment, text, sealed } of read) {
    it(`reads it ${comment}`, () => expect(toHex(unarmor(text))).to.equal(sealed));
  }
  for (const { comment, text } of refused) {
    it(`refuses ${comment}`, () => {
      expect(thrown(() => unarmor(text))).to.equal('BAD_ENVELOPE');
      expect(thrown(() => webUnarmor(text))).to.equal('BAD_ENVELOPE');
    });
  }
});

describe('docs/format.md', () => {
  const page = readFileSync(new URL('../../docs/format.md', import.meta.url), 'utf8');
  const messages = readVectors('messages.json');
  const { valid, refused } = readVectors('armor.json');

  it('states the right numbers of vectors', () => {
    expect(page).to.contain(`| \`messages.json\` | ${messages.length} |`);
    expect(page).to.contain(`| \`refused.json\` | ${readVectors('refused.json').length} |`);
    expect(page).to.contain(
      `| \`armor.json\` | ${valid.length} valid, ${refused.length} refused |`,
    );
    const web = readVectors('web-armor.json');
    expect(page).to.contain(
      `| \`web-armor.json\` | ${web.valid.length} valid, ${web.read.length} read, ${web.refused.length} refused |`,
    );
  });

  it('shows one message in full', () => {
    const shown = /```\nheader ([^`]+)```/
      .exec(page)?.[1]
      ?.replaceAll(/salt|commitment|chunk 0|\s/g, '');
    expect(shown).to.equal(messages.find(({ id }) => id === 'one-byte')?.sealed);
  });
});
