import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import { HedgedSalt } from '../../../src/format/keys/hedged-salt.ts';
import type { HedgedSaltDeps } from '../../../src/format/keys/hedged-salt.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { pattern } from '../message-vectors.ts';
import { KEY, KEY_ID } from '../support.ts';

/** The worst platform: every draw gives the same bytes. */
const stuck = (value: number) => ({
  bytes: (length: number) => new Uint8Array(length).fill(value),
});
const PARTS: HedgedSaltDeps = { platform: stuck(1), random: stuck(2), bootId: pattern(16) };
const CONTEXT = pattern(60);
const text = (salt: Uint8Array) => Buffer.from(salt).toString('hex');

describe('HedgedSalt', () => {
  it('is HMAC-SHA-256 over draws, boot id, counter and both hashes, cut to 24 bytes', () => {
    for (const vaultKey of [undefined, pattern(32)]) {
      const hedged = new HedgedSalt({ ...PARTS, vaultKey });
      const draws = Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
      const hedgeKey = createHmac('sha256', draws)
        .update(vaultKey ?? '')
        .digest();
      for (const counter of [0, 1, 2]) {
        const expected = createHmac('sha256', hedgeKey)
          .update(Buffer.concat([draws, pattern(16), Buffer.alloc(7), Buffer.of(counter)]))
          .update(createHash('sha256').update(CONTEXT).digest())
          .update(createHash('sha256').update('message').digest())
          .digest('hex');
        expect(text(hedged.salt(CONTEXT, Buffer.from('message')))).to.equal(expected.slice(0, 48));
      }
    }
  });

  it('replaces the message hash by a stream id', () => {
    const id = createHash('sha256').update('message').digest();
    const byMessage = new HedgedSalt(PARTS).salt(CONTEXT, Buffer.from('message'));
    expect(new HedgedSalt(PARTS).saltForStream(CONTEXT, id)).to.deep.equal(byMessage);
    expect(() => new HedgedSalt(PARTS).saltForStream(CONTEXT, pattern(31))).to.throw(
      RangeError,
      'streamId',
    );
  });

  it('never repeats after one start, even if every generator is stuck', () => {
    const hedged = new HedgedSalt(PARTS);
    const salts = Array.from({ length: 1000 }, () => text(hedged.salt(CONTEXT, KEY)));
    expect(new Set(salts).size).to.equal(1000);
  });

  it('differs with message, context, boot id, vault key and each generator', () => {
    const first = (
      change: Partial<HedgedSaltDeps>,
      context: Uint8Array = CONTEXT,
      message: Uint8Array = KEY,
    ) => text(new HedgedSalt({ ...PARTS, ...change }).salt(context, message));
    const salts = [
      first({}),
      first({}, pattern(61)),
      first({}, CONTEXT, pattern(33)),
      first({ bootId: pattern(16).reverse() }),
      first({ vaultKey: pattern(32) }),
      first({ platform: stuck(3) }),
      first({ random: stuck(3) }),
    ];
    expect(new Set(salts).size).to.equal(salts.length);
    expect(first({})).to.equal(salts[0]);
  });

  it('fails if a generator fails, instead of continuing without it', () => {
    const refuse = {
      bytes: (): never => {
        throw new Error('unhealthy');
      },
    };
    expect(() => new HedgedSalt({ ...PARTS, platform: refuse })).to.throw('unhealthy');
  });

  it('works with sealMessage', async () => {
    const salt = new HedgedSalt(PARTS);
    const sealed = await sealMessage({ key: KEY, keyId: KEY_ID, purpose: 'page', salt }, KEY);
    expect(await openMessage({ key: KEY, purpose: 'page' }, sealed)).to.deep.equal(KEY);
  });
});
