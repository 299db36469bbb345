import { expect } from 'chai';
import { concat } from '../../../src/crypto/bytes.ts';
import { ChunkSealer, ChunkOpener } from '../../../src/format/chunks/chunks.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { chunkedLength, sealedLength } from '../../../src/format/wire/sealed-length.ts';
import type { OpenRelease, SealRelease } from '../../../src/rpc/methods/bulk.ts';
import { MESSAGE_KEY_QUOTA } from '../../../src/service/messages/one-message-keys.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { diesAtWrite, PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const MIB = 2 ** 20;
const TEXT = new TextEncoder().encode('The quick brown fox');
const CONTEXT = new TextEncoder().encode('page 7');

/** What a content script does with a release. */
async function sealedWith(release: SealRelease, message: Uint8Array): Promise<Uint8Array> {
  const aead = await NATIVE_CRYPTO.aesGcm(release.key);
  const sealer = new ChunkSealer(aead, release.baseNonce, release.chunkBytes);
  return concat(release.prefix, await sealer.seal(message));
}

async function openedWith(release: OpenRelease, sealed: Uint8Array): Promise<Uint8Array> {
  const aead = await NATIVE_CRYPTO.aesGcm(release.key);
  const opener = new ChunkOpener(aead, release.baseNonce, release.chunkBytes);
  const message = await opener.open(sealed.subarray(release.chunksOffset));
  opener.finish();
  return message;
}

describe('Releasing keys of single messages', () => {
  let world: World;
  const usesLeft = async () => (await world.call('grants', {}))[0]?.usesLeft;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('seals outside what the background opens, and the other way round', async () => {
    await world.connect();
    const stream = await world.call('releaseSeal', { purpose: 'stream', context: CONTEXT });
    expect(stream.chunkBytes).to.equal(MIB);
    const sealed = await sealedWith(stream, TEXT);
    expect(inspect(sealed)).to.include({ purpose: 'stream', suite: 'Sealwright-1MiB' });
    expect(await world.call('open', { sealed, context: CONTEXT })).to.deep.equal(TEXT);
    const message = await world.call('seal', { plaintext: TEXT, context: CONTEXT });
    const open = { head: message, totalBytes: message.length, context: CONTEXT };
    const release = await world.call('releaseOpen', open);
    expect(await openedWith(release, message)).to.deep.equal(TEXT);
  });

  it('does so too where there is no WebAssembly', async () => {
    world.loadMessageCrypto = () => Promise.reject(new Error('no WebAssembly'));
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await world.connect();
    const stream = await world.call('releaseSeal', { purpose: 'stream', context: CONTEXT });
    const page = { purpose: 'page', totalBytes: TEXT.length, context: CONTEXT } as const;
    for (const release of [stream, await world.call('releaseSeal', page)]) {
      const sealed = await sealedWith(release, TEXT);
      const open = { head: sealed.subarray(0, 80), totalBytes: sealed.length, context: CONTEXT };
      expect(await openedWith(await world.call('releaseOpen', open), sealed)).to.deep.equal(TEXT);
      expect(await world.call('open', { sealed, context: CONTEXT })).to.deep.equal(TEXT);
    }
  });

  it('answers in the turn in which the call came, once grant and key are known', async () => {
    await world.connect();
    const { prefix: head } = await world.call('releaseSeal', { purpose: 'stream' });
    const inThisTurn = async (method: string, params: object) => {
      const { answer } = world.begin(method, params, pageCaller());
      return (await Promise.race([answer, Promise.resolve('later')])) !== 'later';
    };
    for (const context of [undefined, CONTEXT]) {
      const bound = context && { context };
      const page = { purpose: 'page', totalBytes: MIB, ...bound };
      const { prefix } = await world.call('releaseSeal', { purpose: 'stream', ...bound });
      await world.call('releaseOpen', { head: prefix, ...bound });
      expect(await inThisTurn('releaseSeal', page)).to.equal(true);
      expect(await inThisTurn('releaseOpen', { head: prefix, ...bound })).to.equal(true);
    }
    expect(await inThisTurn('releaseOpen', { head })).to.equal(true);
  });

  it('chooses the suite of a one-shot message by its length, and by its padded length', async () => {
    await world.connect();
    const suiteAt = async (totalBytes: number, pad = false) =>
      (await world.call('releaseSeal', { purpose: 'page', totalBytes, pad })).chunkBytes;
    expect(await suiteAt(MIB)).to.equal(16_384);
    expect(await suiteAt(MIB + 1)).to.equal(MIB);
    expect(await suiteAt(MIB, true)).to.equal(MIB);
    const release = await world.call('releaseSeal', { purpose: 'page', totalBytes: 2 * MIB });
    expect(release.prefix.length + chunkedLength(2 * MIB, MIB)).to.equal(sealedLength(2 * MIB));
  });

  it('gives another key for each message, replays included', async () => {
    await world.connect();
    const seal = () => world.call('releaseSeal', { purpose: 'stream' }, pageCaller(), 'same id');
    const keys = [await seal(), await seal(), await seal()].map(({ key }) =>
      Buffer.from(key).toString('hex'),
    );
    expect(new Set(keys).size).to.equal(3);
  });

  it('takes one use for each release where uses are limited, and gives one key for it', async () => {
    await world.connect({ maxUses: 3 });
    const again = () => world.call('releaseSeal', { purpose: 'stream' }, pageCaller(), 'again');
    await again();
    for (const restarts of [false, true]) {
      if (restarts) world.restart();
      expect(await codeOf(again())).to.equal('INVALID_ARGUMENT');
    }
    expect(await usesLeft()).to.equal(2);
    const { prefix } = await world.call('releaseSeal', { purpose: 'stream' });
    expect(await usesLeft()).to.equal(1);
    await world.call('releaseOpen', { head: prefix });
    expect(await codeOf(world.call('releaseSeal', { purpose: 'stream' }))).to.equal('EXPIRED');
  });

  it('gives the key that a worker took a use for and did not make, wherever it died', async () => {
    const outcomes: string[] = [];
    for (let writes = 0; ; writes++) {
      const own = await World.unlocked();
      await own.connect({ maxUses: 1 });
      const death = diesAtWrite(own, writes);
      const call = own.begin('releaseSeal', { purpose: 'stream' }, pageCaller(), 'lost');
      const end = await Promise.race([death.happened, call.answer.then(() => 'answered')]);
      if (end === 'answered') break;
      death.revive();
      own.restart();
      const [grant] = (await own.surface('ui.sites', {}))[0]!.grants;
      const again = own.call('releaseSeal', { purpose: 'stream' }, pageCaller(), 'lost');
      outcomes.push(`${grant!.usesLeft} ${await codeOf(again)}`);
    }
    // From the write that says that a key was made on, no other is.
    expect(outcomes.join()).to.match(/^(1 ok,)+(0 ok,)+(0 INVALID_ARGUMENT,?)+$/);
  });

  it('gives no key before the commitment has verified: wrong context, origin, any byte', async () => {
    await world.connect();
    await world.connect({}, pageCaller({ origin: 'https://b.example', documentId: 'b' }));
    const sealed = await sealedWith(
      await world.call('releaseSeal', { purpose: 'stream', context: CONTEXT }),
      TEXT,
    );
    const head = sealed.subarray(0, 80);
    const attempts = [{ head }, { head, context: TEXT }];
    for (let at = 24; at < 80; at++) {
      const altered = head.slice();
      altered[at]! ^= 1;
      attempts.push({ head: altered, context: CONTEXT });
    }
    for (const attempt of attempts) {
      expect(await codeOf(world.call('releaseOpen', attempt))).to.equal('AUTH_FAILED');
      world.now += MESSAGE_KEY_QUOTA.withinMs / 10;
    }
    const elsewhere = pageCaller({ origin: 'https://b.example', documentId: 'b' });
    expect(await codeOf(world.call('releaseOpen', { head, context: CONTEXT }, elsewhere))).to.equal(
      'NEEDS_KEY',
    );
  });

  it('refuses what is no sealed message, and costs no use', async () => {
    await world.connect({ maxUses: 1 });
    for (const [head, totalBytes] of [
      [new Uint8Array(80), undefined],
      [new Uint8Array(0), undefined],
      [new Uint8Array(0), 0],
    ] as const) {
      const params = totalBytes === undefined ? { head } : { head, totalBytes };
      expect(await codeOf(world.call('releaseOpen', params))).to.equal('BAD_ENVELOPE');
    }
    const { prefix: head } = await world.call('releaseSeal', { purpose: 'stream' });
    const cutOff = world.call('releaseOpen', { head, totalBytes: 81 });
    expect(await codeOf(cutOff)).to.equal('EXPIRED');
    expect(await codeOf(world.call('releaseSeal', { purpose: 'page' }))).to.equal(
      'INVALID_ARGUMENT',
    );
  });

  describe('to open more messages a minute than the limit', () => {
    const { perScope, withinMs } = MESSAGE_KEY_QUOTA;
    const openMany = async (head: Uint8Array, count: number) => {
      for (let i = 0; i < count; i++) await world.call('releaseOpen', { head });
    };

    it('is refused and costs no use, where uses are limited', async () => {
      await world.connect({ maxUses: perScope.opens + 3 });
      const { prefix: head } = await world.call('releaseSeal', { purpose: 'stream' });
      await openMany(head, perScope.opens);
      const error = await errorOf(world.call('releaseOpen', { head }));
      expect(error).to.include({ code: 'QUOTA' });
      expect(error.data).to.have.property('retryAfterMs');
      expect(await usesLeft()).to.equal(2);
      world.now += withinMs;
      await world.call('releaseOpen', { head });
    });

    it('is refused to a page that may open alone', async () => {
      await world.connect({ capabilities: ['seal'] });
      const { prefix: head } = await world.call('releaseSeal', { purpose: 'stream' });
      await world.call('revoke', {});
      await world.connect({ capabilities: ['open'] });
      await openMany(head, perScope.opens);
      expect(await codeOf(world.call('releaseOpen', { head }))).to.equal('QUOTA');
    });

    it('is refused to all frames of a site together', async () => {
      await world.connect({ capabilities: ['seal'] });
      const { prefix: head } = await world.call('releaseSeal', { purpose: 'stream' });
      await world.call('revoke', {});
      await world.connect({ capabilities: ['open'] });
      const open = (documentId: string) =>
        codeOf(world.call('releaseOpen', { head }, pageCaller({ documentId })));
      for (let i = 0; i < perScope.opens; i++) expect(await open(`frame-${i}`)).to.equal('ok');
      expect(await open('another frame')).to.equal('QUOTA');
    });

    it('has a limit of its own for sealing', async () => {
      await world.connect({ capabilities: ['seal'] });
      const seal = () => codeOf(world.call('releaseSeal', { purpose: 'stream' }));
      for (let i = 0; i < perScope.seals; i++) expect(await seal()).to.equal('ok');
      expect(await seal()).to.equal('QUOTA');
      world.now += withinMs;
      expect(await seal()).to.equal('ok');
    });

    it('has a larger limit where the page may seal in the place of what it opens', async () => {
      await world.connect({ capabilities: ['seal', 'open'] });
      const { prefix: head } = await world.call('releaseSeal', { purpose: 'stream' });
      await openMany(head, perScope.replaces);
      expect(await codeOf(world.call('releaseOpen', { head }))).to.equal('QUOTA');
    });
  });

  describe('holdsGrant', () => {
    const asked = (keyId: string, capability: 'seal' | 'open' = 'seal', caller = pageCaller()) =>
      codeOf(world.call('holdsGrant', { keyId, capability }, caller));

    it('is yes while there is the grant, also after its last use', async () => {
      await world.connect({ capabilities: ['seal'], maxUses: 1 });
      const { keyId } = await world.call('releaseSeal', { purpose: 'stream' });
      expect(await asked(keyId)).to.equal('ok');
      expect(await asked(keyId, 'open')).to.equal('NOT_GRANTED');
      const other = pageCaller({ origin: 'https://b.example' });
      expect(await asked(keyId, 'seal', other)).to.equal('NOT_GRANTED');
      expect(await asked('no such key')).to.equal('NOT_GRANTED');
    });

    it('is no once the grant is revoked, over, or the vault locked', async () => {
      await world.connect({ expiresInMs: 60_000 });
      const { keyId } = await world.call('releaseSeal', { purpose: 'stream' });
      world.now += 60_000;
      expect(await asked(keyId)).to.equal('EXPIRED');
      await world.call('revoke', {});
      expect(await asked(keyId)).to.equal('NOT_GRANTED');
      await world.surface('ui.lock', {});
      expect(await asked(keyId)).to.equal('LOCKED');
    });
  });
});
