import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Ccm } from '../../src/crypto/aead/ccm.ts';
import { Aes } from '../../src/crypto/aes/block.ts';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { openSjclJson as openWith } from '../../src/crypto/legacy/sjcl-json.ts';
import * as library from '../../src/library/legacy.ts';
import { inDepth } from '../support/depth.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { sjcl } from '../support/references/sjcl.ts';
import { describeVectors, parseWycheproof, readPublished } from '../support/vectors.ts';

const { openSjclJson } = library;

/** Made by released versions of SJCL. */
const OLD_TOOLS = readPublished('libraries/old-tools.json') as {
  readonly sjcl: {
    readonly password: string;
    readonly messages: readonly Readonly<
      Record<'version' | 'comment' | 'message' | 'plaintext', string>
    >[];
  };
};

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it was accepted'),
    (error: unknown) => error,
  );
}

/** Must not be called: invalid messages are refused before the derivation. */
const noWork = () => expect.fail('a key was derived');

/** Vectors with valid parameters, for which only the tag decides. */
const NEEDS_KEY = [/wrong password/, /flipped/, /lowered/, /changed/];

describe('openSjclJson', () => {
  describeVectors('vectors/own/sjcl-legacy.json', parseWycheproof, async (vector) => {
    const [password, message] = [String(vector['password']), String(vector['message'])];
    if (vector.result === 'valid') {
      const { plaintext, authenticated } = await openSjclJson(password, message);
      const hash = vector['plaintextSha256'];
      if (typeof hash === 'string') {
        expect(createHash('sha256').update(plaintext).digest('hex')).to.equal(hash);
      } else {
        expect(Buffer.from(plaintext).toString('hex')).to.equal(vector['plaintextHex']);
      }
      expect(authenticated).to.equal(!message.includes('"mode":"ocb2"'));
    } else if (NEEDS_KEY.some((pattern) => pattern.test(vector.comment))) {
      const error = await rejection(openSjclJson(password, message));
      expect(error).to.be.instanceOf(AuthenticationError);
    } else {
      const error = await rejection(openWith(password, message, noWork));
      expect(['TypeError', 'RangeError']).to.include((error as Error).name);
    }
  });

  it('opens what every released version of SJCL wrote, with its defaults and in each mode', async () => {
    const { password, messages } = OLD_TOOLS.sjcl;
    expect(new Set(messages.map(({ version }) => version)).size).to.equal(9);
    for (const { version, comment, message, plaintext } of messages) {
      const opened = await openSjclJson(password, message);
      expect(Buffer.from(opened.plaintext).toString(), `${version}, ${comment}`).to.equal(
        plaintext,
      );
      expect(opened.authenticated).to.equal(comment !== 'OCB2');
    }
  });

  it('opens associated data as SJCL 1.0.0 and 1.0.1 wrote them, also where they look like Base64', async () => {
    // adata: 'note', '€' and 'a b/c' as JavaScript's escape() writes them
    for (const [adata, escaped] of [
      ['note', 'note'],
      ['€ ü', '%u20AC%20%FC'],
      ['a b/c', 'a%20b/c'],
    ] as const) {
      const message = sjcl.encrypt('pw', 'text', { iter: 1000, adata });
      const old = (text: string) => message.replace(/"adata":"[^"]*"/, `"adata":"${text}"`);
      const { plaintext } = await openSjclJson('pw', old(escaped));
      expect(Buffer.from(plaintext).toString()).to.equal('text');
      const error = await rejection(openSjclJson('pw', old(`${escaped}x`)));
      expect(error).to.be.instanceOf(AuthenticationError);
    }
  });

  const params = { iter: 1000, adata: 'about' };
  const sealed = (more: object) => sjcl.encrypt('pässword', 'Grüße', { ...params, ...more });

  it('opens CCM messages above 65,535 bytes, whose nonce SJCL cuts to 12 bytes', async () => {
    const text = 'ä'.repeat(33_000);
    const { plaintext } = await openSjclJson('pw', sjcl.encrypt('pw', text, { iter: 1000 }));
    expect(Buffer.from(plaintext).toString()).to.equal(text);
  });

  it('opens messages of SJCL, in each mode, and tells which are authenticated', async () => {
    for (const mode of ['ccm', 'gcm', 'ocb2']) {
      for (const ks of [128, 192, 256]) {
        for (const ts of [64, 96, 128]) {
          const opened = await openSjclJson('pässword', sealed({ mode, ks, ts }));
          expect(Buffer.from(opened.plaintext).toString(), mode).to.equal('Grüße');
          expect(opened.authenticated, mode).to.equal(mode !== 'ocb2');
        }
      }
    }
  });

  it('accepts names without quotes, as in early versions, and absent defaults', async () => {
    const message = JSON.parse(sealed({ ks: 128, ts: 64 })) as Record<string, unknown>;
    for (const name of ['v', 'ks', 'ts', 'mode', 'cipher']) message[name] = undefined;
    const text = JSON.stringify(message).replaceAll(/"(\w+)":/g, '$1:');
    expect(text).to.match(/^\{iv:/);
    const { plaintext } = await openSjclJson('pässword', text);
    expect(Buffer.from(plaintext).toString()).to.equal('Grüße');
  });

  it('opens what SJCL opens: wrapped by mail, iterations as text, spare bits in the last digit', async () => {
    const message = sealed({ iv: sjcl.codec.base64.toBits('oiu98760987LJKHGLKI=') });
    const spare = message.replace('LJKHGLKI=', 'LJKHGLKJ=').replace('LJKHGLKI"', 'LJKHGLKJ="');
    expect(spare).to.include('LKJ=');
    const wrapped = spare.replaceAll(/(.{76})/g, '$1\r\n ');
    for (const text of [spare, wrapped, spare.replace('"iter":1000', '"iter":"1000"')]) {
      expect(sjcl.decrypt('pässword', text)).to.equal('Grüße');
      const { plaintext } = await openSjclJson('pässword', text);
      expect(Buffer.from(plaintext).toString()).to.equal('Grüße');
    }
  });

  it('says how many iterations there were, of which SJCL takes 101 and more', async () => {
    for (const iter of [101, 999, 1000]) {
      const { iterations } = await openSjclJson('pässword', sealed({ iter }));
      expect(iterations).to.equal(iter);
    }
    const few = sealed({ iter: 101 }).replace('"iter":101', '"iter":100');
    expect(await rejection(openWith('pässword', few, noWork))).to.be.instanceOf(RangeError);
  });

  it('refuses Base64 with a lone last digit', async () => {
    const lone = sealed({}).replace(/"salt":"[^"]*"/, '"salt":"AAAAA"');
    expect(await rejection(openWith('pässword', lone, noWork))).to.be.instanceOf(TypeError);
  });

  it('truncates the IV as SJCL does from 2^16 bytes on', async () => {
    for (const length of [2 ** 16 - 1, 2 ** 16, 2 ** 16 + 1]) {
      const message = sjcl.encrypt('p', 'x'.repeat(length), { iter: 1000 });
      expect((await openSjclJson('p', message)).plaintext.length).to.equal(length);
    }
  });

  const itInDepth = inDepth(it, undefined);
  itInDepth?.('truncates the IV to 11 bytes from 2^24 bytes on', async () => {
    const derive = (_p: Uint8Array, _s: Uint8Array, _i: number, bytes: number) =>
      Promise.resolve(new Uint8Array(bytes));
    const iv = randomBytes(16);
    for (const [length, nonceBytes] of [
      [2 ** 24 - 1, 12],
      [2 ** 24, 11],
    ] as const) {
      const aead = new Ccm(new Aes(new Uint8Array(16)), { tagBytes: 8 });
      const ct = aead.seal(iv.subarray(0, nonceBytes), new Uint8Array(length));
      const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
      const text = JSON.stringify({ iv: base64(iv), salt: '', ct: base64(ct) });
      expect((await openWith('p', text, derive)).plaintext.length).to.equal(length);
    }
  }).timeout(120_000);

  it('refuses parameters outside of the limits before work, and accepts the limits', async () => {
    const message = JSON.parse(sealed({})) as Record<string, unknown>;
    const refused = async (change: object, kind: string, name: string) => {
      const text = JSON.stringify({ ...message, ...change });
      const error = (await rejection(openWith('p', text, noWork))) as Error;
      expect([error.name, error.message], JSON.stringify(change)).to.satisfy(
        ([found, text = '']: string[]) => found === kind && text.startsWith(name),
      );
    };
    for (const iter of [-1, 0, 100, 10_000_001, 2 ** 31, 1e15]) {
      await refused({ iter }, 'RangeError', 'iter');
    }
    for (const iter of [1000.5, '1e3', '', '-1000', null, true, [1000]]) {
      await refused({ iter }, 'TypeError', 'iter');
    }
    for (const ts of [0, 32, 56, 65, 160, '64', null]) await refused({ ts }, 'RangeError', 'ts');
    for (const ks of [0, 64, 129, 512, '128']) await refused({ ks }, 'RangeError', 'ks');
    for (const mode of ['cbc', 'ctr', 'constructor', '__proto__', '', null, ['ccm']]) {
      await refused({ mode }, 'RangeError', 'mode');
    }
    await refused({ cipher: 'rc4' }, 'RangeError', 'cipher');
    await refused({ v: 2 }, 'RangeError', 'v');
    await refused({ iv: 'AAAAAA==' }, 'RangeError', 'iv');
    await refused({ mode: 'ocb2', iv: 'AAAAAAAAAAA=' }, 'RangeError', 'iv');
    for (const text of ['A', '*', 'AB==A', 5, null, {}]) {
      for (const name of ['iv', 'salt', 'ct']) await refused({ [name]: text }, 'TypeError', name);
    }
    for (const adata of ['AB==A', '%', '%E', 'ä', 5, null, {}]) {
      await refused({ adata }, 'TypeError', 'adata');
    }
    const seen: number[] = [];
    for (const iter of [101, 10_000_000]) {
      const derive = (_p: Uint8Array, _s: Uint8Array, iterations: number, bytes: number) => {
        seen.push(iterations);
        return Promise.resolve(new Uint8Array(bytes));
      };
      const error = await rejection(openWith('p', JSON.stringify({ ...message, iter }), derive));
      expect(error).to.be.instanceOf(AuthenticationError);
    }
    expect(seen).to.deep.equal([101, 10_000_000]);
  });

  it('refuses other texts', async () => {
    for (const text of ['', 'hello', '[]', 'null', '1', '"text"', '{', '{}', '{"ct":"AAAA"}']) {
      expect(await rejection(openWith('p', text, noWork)), text).to.be.instanceOf(TypeError);
    }
    const message = sealed({});
    expect(await rejection(openSjclJson('\ud800', message))).to.be.instanceOf(TypeError);
    const bytes = new Uint8Array(3) as unknown as string;
    expect(await rejection(openSjclJson(bytes, message))).to.be.instanceOf(TypeError);
    expect(await rejection(openSjclJson('p', bytes))).to.be.instanceOf(TypeError);
  });

  it('can open only', () => {
    const names = Object.keys(library).sort();
    expect(names).to.deep.equal(['AuthenticationError', 'ocb2Open', 'openSjclJson']);
  });
});
