import { expect } from 'chai';
import { candidatesIn } from '../../../extension/fields-window/candidates.ts';
import { openBody, sealBody } from '../../../src/format/chunks/body.ts';
import { sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../../src/format/native-crypto.ts';
import type { Argon2idCost } from '../../../src/format/passphrase.ts';
import { preparePassphrase } from '../../../src/format/passphrase.ts';
import {
  PASSPHRASE_RECIPIENT,
  passphraseRecipient,
} from '../../../src/format/recipients/passphrase.ts';
import { parseEnvelope } from '../../../src/format/wire/envelope.ts';
import { HEADER_BYTES } from '../../../src/format/wire/sealed-length.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { POPUP, World } from '../../support/service-world.ts';
import { cheapKdf } from '../../support/stores/memory-store.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const MESSAGE = utf8('Meet at noon');
const WORDS = 'velvet-anchor-mustang-clover-tidal-oboe';
const FILE = { name: 'plan.txt', type: 'text/plain' };
const DIGEST = new Uint8Array(32);
/** Where the cost stands: type (1), length (2) and id (16) of the entry come first. */
const COST_AT = HEADER_BYTES + 2 + 1 + 2 + 16;

describe('Messages with a passphrase, made and opened by their user', () => {
  let world: World;
  /** The costs of the derivations. */
  let derived: Argon2idCost[];

  beforeEach(async () => {
    world = await World.unlocked();
    derived = [];
    world.derive = (passphrase, salt, cost) => {
      derived.push(cost);
      return cheapKdf(passphrase, salt, cost);
    };
  });

  /** As the manager seals, with the keys of this message alone. */
  const seal = async (params: object = {}): Promise<Uint8Array> => {
    const { key, prefix, ...keys } = await world.surface('ui.releaseSeal', {
      passphrase: WORDS,
      totalBytes: MESSAGE.length,
      digest: DIGEST,
      ...params,
    });
    const aead = await NATIVE_CRYPTO.aesGcm(key);
    const whole = { message: MESSAGE, bodyBytes: MESSAGE.length };
    return sealBody({ aead, ...keys }, prefix, whole, {});
  };
  const release = (sealed: Uint8Array, more: object = {}, at = world) =>
    at.surface('ui.releaseOpen', { head: sealed, totalBytes: sealed.length, ...more });
  const open = async (sealed: Uint8Array, more: object = {}, at = world) => {
    const released = await release(sealed, { passphrase: WORDS, ...more }, at);
    const { key, baseNonce, chunkBytes, chunksOffset, padded, ...known } = released;
    const keys = { aead: await NATIVE_CRYPTO.aesGcm(key), baseNonce, chunkBytes };
    const { bodyBytes } = parseEnvelope(sealed, sealed.length);
    const contents = await openBody(keys, sealed, { chunksOffset, bodyBytes, padded }, {});
    return { contents, ...known };
  };
  /** As the library makes one. */
  const sealedElsewhere = (options: object): Promise<Uint8Array> => {
    const deps = { derive: cheapKdf, crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM };
    const recipientTypes = new Map([[PASSPHRASE_RECIPIENT, passphraseRecipient(deps)]]);
    const recipients = [{ type: PASSPHRASE_RECIPIENT, key: preparePassphrase(WORDS) }];
    return sealMessage({ purpose: 'stream', recipients, recipientTypes, ...options }, MESSAGE);
  };
  const costing = (sealed: Uint8Array, memoryKiB: number, passes: number): Uint8Array => {
    const costly = sealed.slice();
    new DataView(costly.buffer).setUint32(COST_AT, memoryKiB);
    costly[COST_AT + 4] = passes;
    return costly;
  };

  it('open in another vault, which has no key, with the name of the file and no sender', async () => {
    const sealed = await seal({ file: FILE });
    const elsewhere = await World.unlocked();
    expect(await open(sealed, {}, elsewhere)).to.deep.equal({
      contents: MESSAGE,
      origin: null,
      shared: true,
      openedBy: null,
      file: FILE,
    });
    const { entries } = parseEnvelope(sealed, sealed.length).recipients;
    expect(entries.map(({ type }) => type)).to.deep.equal([4, 6]);
    const known = { head: sealed, digest: DIGEST };
    expect((await world.surface('ui.senderOf', known)).sender).to.equal(null);
  });

  it('tell a missing passphrase and a wrong one from another context, and derive once', async () => {
    const context = utf8('letter 7');
    const sealed = await sealedElsewhere({ associatedData: context });
    const unasked = await errorOf(release(sealed));
    expect(unasked).to.include({ code: 'NEEDS_KEY' }).and.not.have.property('data');
    expect(derived).to.be.empty;
    const wrong = await errorOf(release(sealed, { passphrase: 'six other words' }));
    expect(wrong).to.include({ code: 'NEEDS_KEY' }).and.have.nested.property('data.headerKeyId');
    expect(derived).to.have.lengthOf(1);
    expect(await codeOf(release(sealed, { passphrase: WORDS }))).to.equal('AUTH_FAILED');
    expect((await open(sealed, { context })).contents).to.deep.equal(MESSAGE);
    const bad = release(sealed, { passphrase: 'a\u0000b' });
    expect(await codeOf(bad)).to.equal('NEEDS_KEY');
  });

  it('of more than 256 MiB or 8 passes are refused before any work, and before they ask', async () => {
    const sealed = await seal();
    derived.length = 0;
    for (const [memoryKiB, passes] of [
      [262_145, 3],
      [65_536, 9],
    ] as const) {
      const costly = costing(sealed, memoryKiB, passes);
      expect(await codeOf(release(costly))).to.equal('TOO_LARGE');
      expect(await codeOf(release(costly, { passphrase: WORDS }))).to.equal('TOO_LARGE');
    }
    expect(derived).to.be.empty;
    // The most that is accepted is another passphrase's key, not a refusal.
    const most = costing(sealed, 262_144, 8);
    expect(await codeOf(release(most, { passphrase: WORDS }))).to.equal('NEEDS_KEY');
    expect(derived).to.deep.equal([{ memoryKiB: 262_144, passes: 8, parallelism: 4 }]);
  });

  it('have no other recipient, and are made and opened in an open vault alone', async () => {
    const { ref } = await world.surface('ui.createKey', { label: 'Letters' });
    expect(await codeOf(seal({ ref }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(seal({ contacts: ['c'] }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(seal({ signer: 'k' }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(seal({ passphrase: 'a\u0000b' }))).to.equal('INVALID_ARGUMENT');
    const sealed = await seal();
    await world.surface('ui.lock', {});
    derived.length = 0;
    expect(await codeOf(seal())).to.equal('LOCKED');
    expect(await codeOf(open(sealed))).to.equal('LOCKED');
    expect(derived).to.be.empty;
  });

  it('have a line each in Activity, which names no key', async () => {
    await open(await seal());
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 9 });
    for (const operation of ['sealWithPassphrase', 'openWithPassphrase']) {
      const found = entries.filter((entry) => entry.operation === operation);
      expect(found).to.have.lengthOf(1);
      expect(found[0]).to.include({ key: null, origin: null, result: 'ok' });
    }
  });

  it('leave no passphrase in the vault, in its log or in memory that outlives the worker', async () => {
    await open(await seal());
    await codeOf(release(await seal(), { passphrase: `${WORDS}!` }));
    await world.saved();
    expect(world.stored()).to.not.include(WORDS);
    const log = JSON.stringify(await world.surface('ui.activity', { offset: 0, limit: 9 }));
    expect(log).to.include('openWithPassphrase').and.not.include(WORDS);
  });

  it('end their derivation when the user cancels', async () => {
    const sealed = await seal();
    const ended = new Promise<void>((resolve) => {
      world.derive = (_passphrase, _salt, _cost, signal?: AbortSignal) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => {
            resolve();
            reject(signal!.reason as Error);
          });
          call.close();
        });
    });
    const call = world.begin('ui.releaseOpen', { head: sealed, passphrase: WORDS }, POPUP);
    await ended;
  });

  describe('as texts of pages, in the window that opens them', () => {
    const openFound = (text: string, passphrase?: string) => {
      const found = utf8(text);
      const sessionId = world.fieldSessions.add();
      const sealed = { sessionId, found, candidates: candidatesIn(found) };
      return world.surface('ui.openField', {
        ...sealed,
        ...(passphrase !== undefined && { passphrase }),
      });
    };
    const openText = (sealed: Uint8Array, passphrase?: string) =>
      openFound(webArmor(sealed), passphrase);

    it('open, whether they were written in the manager or for a field', async () => {
      for (const sealed of [await seal(), await sealedElsewhere({ purpose: 'field' })]) {
        expect(await codeOf(openText(sealed))).to.equal('NEEDS_KEY');
        const opened = await openText(sealed, WORDS);
        expect(text(opened.text)).to.equal('Meet at noon');
        expect(opened).to.include({ key: null, origin: null, shared: true, sender: null });
      }
    });

    it('refuse a wrong passphrase after one derivation, however many texts they may be', async () => {
      const sealed = webArmor(await seal());
      derived.length = 0;
      const opening = openFound(`${sealed}\nabcdef\nabcdef`, 'wrong');
      expect(await codeOf(opening)).to.equal('AUTH_FAILED');
      expect(derived).to.have.lengthOf(1);
    });
  });

  describe('asked for by a page', () => {
    const isUnsupported = async (call: Promise<unknown>) => {
      const error = await errorOf(call);
      expect(error).to.include({ code: 'UNSUPPORTED' });
      expect(error.message).to.include('sealed with a passphrase').and.include('under Files');
    };

    it('are UNSUPPORTED, with words that say where they open, and nothing is derived', async () => {
      await world.connect();
      const sealed = await sealedElsewhere({ purpose: 'page' });
      for (const accept of ['own', 'shared'] as const) {
        await isUnsupported(world.call('open', { sealed, accept }));
        await isUnsupported(world.call('releaseOpen', { head: sealed, accept }));
      }
      await isUnsupported(world.call('rewrap', { sealed }));
      expect(derived).to.be.empty;
    });
  });
});
