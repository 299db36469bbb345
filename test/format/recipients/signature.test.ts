import { expect } from 'chai';
import { fromHex, toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { ed25519PublicKey, signEd25519 } from '../../../src/engine/native/ed25519.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { proofText } from '../../../src/format/recipients/proof-text.ts';
import { parseProof, verifyProof } from '../../../src/format/recipients/proof.ts';
import { senderTag } from '../../../src/format/recipients/sender.ts';
import {
  isSignatureOf,
  parseSignatureField,
  signContent,
  signatureField,
  type SignedContent,
} from '../../../src/format/recipients/signature.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { signedBytes } from '../../../src/format/wire/signed-bytes.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import {
  attributeSealOptions,
  attributesFor,
  readSignedVectors,
  signerOf,
} from '../attribute-vectors.ts';
import { sharedOpenOptions } from '../shared-vectors.ts';

const CONTENT: SignedContent = {
  suite: 1,
  purpose: 'stream',
  origin: 'https://a.example',
  associatedData: utf8('row 7'),
  name: 'ab',
  type: 'text/plain',
  digest: randomBytes(32),
};

describe('the signature of a message', () => {
  for (const vector of readSignedVectors()) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      const sealed = await sealMessage(await attributeSealOptions(vector), fromHex(vector.message));
      expect(toHex(sealed)).to.equal(vector.sealed);
      expect(inspect(sealed)).to.deep.equal(vector.info);
      for (const [place, identity] of vector.identities.entries()) {
        // A reader that knows nothing of attributes skips them, and the signature with them.
        const skipping = sharedOpenOptions({ ...vector, identities: [identity] });
        expect(toHex(await openMessage(skipping, sealed))).to.equal(vector.message);
        for (const { key, proven } of vector.from) {
          const { isFrom, signed, file } = await attributesFor(vector, identity, key);
          expect(file).to.deep.equal(vector.file);
          expect(isFrom).to.equal(proven[place]);
          const isValid = signed !== undefined && signed !== 'invalid';
          expect(isValid).to.equal(vector.signed.valid);
          if (!isValid) continue;
          expect(toHex(signed.signature.publicKey)).to.equal(vector.signed.publicKey);
          const isText = vector.purpose === 'field';
          const text = proofText(signed, isText ? fromHex(vector.message) : undefined);
          expect(text).to.equal(vector.proof);
        }
      }
    });
  }

  it('is in no part of the message that others read', () => {
    const [text] = readSignedVectors();
    expect(text!.sealed).to.not.contain(text!.signed.publicKey);
  });

  it('is of one message, binding, purpose, name, type and key alone', async () => {
    const signer = await signerOf(randomBytes(32));
    const signature = await signContent(CONTENT, signer);
    expect(await isSignatureOf(CONTENT, signature)).to.equal(true);
    const others: Partial<SignedContent>[] = [
      { suite: 2 },
      { purpose: 'field' },
      { origin: '' },
      { origin: 'https://a.exampl', associatedData: utf8('erow 7') },
      { associatedData: utf8('row 8') },
      { name: 'abt', type: 'ext/plain' },
      { type: '' },
      { digest: randomBytes(32) },
    ];
    for (const other of others) {
      expect(await isSignatureOf({ ...CONTENT, ...other }, signature)).to.equal(false);
    }
    const { publicKey } = await signerOf(randomBytes(32));
    expect(await isSignatureOf(CONTENT, { ...signature, publicKey })).to.equal(false);
  });

  it('cannot be asked for by a page, and no page takes it for its own', async () => {
    const key = randomBytes(32);
    let signed: Uint8Array = new Uint8Array(0);
    const sign = (bytes: Uint8Array<ArrayBuffer>) => ((signed = bytes), signEd25519(key, bytes));
    await signContent(CONTENT, { publicKey: await ed25519PublicKey(key), sign });
    const end = signed.indexOf(0);
    const ofPages = signedBytes('https://a.example', signed);
    expect(toHex(ofPages.subarray(0, end + 1))).to.not.equal(toHex(signed.subarray(0, end + 1)));
    expect(ofPages.indexOf(0)).to.not.equal(end);
  });

  it('of a key of small order is not valid, whatever it was made for', async () => {
    const publicKey = new Uint8Array(32);
    publicKey[0] = 1; // the neutral element: R = A = neutral, S = 0 verifies every message
    const signature = new Uint8Array(64);
    signature[0] = 1;
    expect(await isSignatureOf(CONTENT, { publicKey, signature })).to.equal(false);
    const noPoint = { publicKey: new Uint8Array(32).fill(2), signature };
    expect(await isSignatureOf(CONTENT, noPoint)).to.equal(false);
  });

  it('cannot be added, exchanged or left out where the sender is proven by a tag', () => {
    const [a, b] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
    const known = { secret: a, from: a, to: a };
    const statement = { dataKey: a, context: a, digest: a };
    const tags = [undefined, a, b].map((signer) =>
      toHex(senderTag(known, { ...statement, signer })),
    );
    expect(new Set(tags).size).to.equal(3);
  });

  it('has a field that is read whole, refused, or of a later release', () => {
    const signature = { publicKey: randomBytes(32), signature: randomBytes(64) };
    const field = signatureField(signature);
    expect(parseSignatureField(field)).to.deep.equal(signature);
    for (const wrong of [new Uint8Array(0), field.subarray(1, 0), field.subarray(0, 96)]) {
      expect(parseSignatureField(wrong)).to.equal('malformed');
    }
    expect(parseSignatureField(new Uint8Array([...field, 0]))).to.equal('malformed');
    expect(parseSignatureField(field.with(0, 0x15))).to.equal(undefined);
  });
});

describe('a proof', () => {
  const vectors = readSignedVectors().filter(({ proof }) => proof !== null);
  const ofText = vectors.find(({ id }) => id === 'signed-text')!.proof!;
  const ofFile = vectors.find(({ id }) => id === 'signed-file')!;

  it('is verified with the message, whole or in pieces, or with the text in it', async () => {
    for (const { proof, message, signed } of vectors) {
      const read = parseProof(proof!);
      await verifyProof(read, fromHex(message));
      await verifyProof(read, piecesOf(fromHex(message)));
      expect(read.publicKey).to.match(/^swp1\.E/);
      expect(signed.valid).to.equal(true);
    }
    await verifyProof(parseProof(ofText));
    const refusal = await verifyProof(parseProof(ofFile.proof!)).catch((e: unknown) => e);
    expect(refusal).to.be.instanceOf(RangeError);
  });

  it('is not valid with another message, and with anything altered that it says', async () => {
    const altered: readonly [string, string][] = [
      ['"suite": 1', '"suite": 2'],
      ['"purpose": "stream"', '"purpose": "page"'],
      ['holiday (2).png', 'holiday (3).png'],
      ['image/png', 'image/gif'],
      ['"name": "holiday', '"origin": "https://a.example", "name": "holiday'],
      ['"name": "holiday', '"context": "AA", "name": "holiday'],
      ['"digest": "F8', '"digest": "F9'],
      ['"signature": "Of', '"signature": "Og'],
      ['swp1.Ed3', 'swp1.Ed4'],
    ];
    for (const [from, to] of altered) {
      const text = ofFile.proof!.replace(from, to);
      expect(text).to.not.equal(ofFile.proof);
      await refused(verifyProof(parseProof(text), fromHex(ofFile.message)));
    }
    await refused(verifyProof(parseProof(ofFile.proof!), fromHex('ff00ff')));
    await refused(verifyProof(parseProof(ofText.replace('Ada', 'Eve'))));
    await refused(verifyProof(parseProof(ofText), utf8('Grüße, Eve')));
  });

  it('leaves out a message that is not UTF-8, and keeps one that begins with a mark', () => {
    const { content } = parseProof(ofText);
    const signature = { publicKey: randomBytes(32), signature: randomBytes(64) };
    const textIn = (message: Uint8Array) =>
      parseProof(proofText({ content, signature }, message)).text;
    expect(textIn(Uint8Array.of(0xff))).to.equal(undefined);
    expect(textIn(utf8('\ufeffa'))).to.equal('\ufeffa');
    expect(textIn(new Uint8Array(0))).to.equal('');
  });

  it('of another form is refused with a word that says why', () => {
    const json = JSON.parse(ofText) as Record<string, unknown>;
    const wrong: readonly [Record<string, unknown>, RegExp][] = [
      [{ format: 'sealwright-proof/2' }, /"format"/],
      [{ suite: 3 }, /"suite"/],
      [{ purpose: 'mail' }, /"purpose"/],
      [{ publicKey: 'swp1.AQ' }, /"publicKey"/],
      [{ publicKey: undefined }, /"publicKey"/],
      [{ signature: 'AA' }, /"signature" is not base64url of 64 bytes/],
      [{ digest: undefined }, /"digest"/],
      [{ origin: 'a'.repeat(1025) }, /"origin"/],
      [{ context: 'A'.repeat(90_000) }, /"context"/],
      [{ name: 7 }, /"name"/],
      [{ name: '写'.repeat(256) }, /"name"/],
      [{ type: 'x'.repeat(256) }, /"type"/],
      [{ text: 7 }, /"text"/],
    ];
    for (const [change, words] of wrong) {
      expect(() => parseProof(JSON.stringify({ ...json, ...change }))).to.throw(RangeError, words);
    }
    for (const text of ['', '[]x', 'null', '7']) {
      expect(() => parseProof(text)).to.throw(RangeError, /not a JSON object/);
    }
  });
});

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
}

async function refused(work: Promise<void>): Promise<void> {
  const error = await work.catch((caught: unknown) => caught);
  expect(error).to.be.instanceOf(AuthenticationError);
}
