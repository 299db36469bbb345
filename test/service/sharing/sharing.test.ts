import { expect } from 'chai';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { NATIVE_X25519 } from '../../../src/engine/kem/native-x25519.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { recipientsBytes, sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { encodedLengths, unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { turns } from '../../support/turns.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const PLAINTEXT = new TextEncoder().encode('Meet at noon');
const A = pageCaller();
const ELSEWHERE = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const SHARING = { key: { kind: 'sharing' }, capabilities: ['seal', 'open', 'publicKey'] } as const;

/** A person with a vault, an app key and a sharing key at one site. */
interface Person {
  readonly world: World;
  readonly keyId: string;
  readonly publicKey: string;
}

async function person(): Promise<Person> {
  const world = await World.unlocked();
  await world.connect();
  await world.connect({ ...SHARING, capabilities: [...SHARING.capabilities] }, A, {
    newKeyLabel: 'Letters',
  });
  const keyId = (await world.call('keys', {})).find(({ kind }) => kind === 'sharing')!.id;
  return { world, keyId, publicKey: await world.call('publicKey', { keyId }) };
}

function packed(items: readonly Uint8Array[]) {
  const bytes = new Uint8Array(Buffer.concat(items));
  return { bytes, lengths: encodedLengths(items.map(({ length }) => length)) };
}

describe('Sharing', () => {
  let alice: Person;
  let bob: Person;

  beforeEach(async () => {
    [alice, bob] = [await person(), await person()];
  });

  it('shows the public key of a sharing key: X-Wing', () => {
    expect(alice.publicKey).to.match(/^swp1\.A[g-v][\w-]{1621}$/);
    expect(alice.publicKey).to.not.equal(bob.publicKey);
  });

  it('is opened by the recipient, who has to ask for shared messages', async () => {
    const to = [bob.publicKey];
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to });
    expect(inspect(sealed)).to.include({ recipients: 1, headerKeyId: null, originBound: true });
    const recipients = recipientsBytes(to);
    expect(sealed.length).to.equal(sealedLength(PLAINTEXT.length, { recipientsBytes: recipients }));
    const opened = await bob.world.call('open', { sealed, accept: 'shared' });
    expect(opened).to.deep.equal(PLAINTEXT);
    for (const accept of [{}, { accept: 'own' }] as const) {
      expect(await codeOf(bob.world.call('open', { sealed, ...accept }))).to.equal('AUTH_FAILED');
    }
    const others = alice.world.call('open', { sealed, accept: 'shared' });
    expect(await codeOf(others)).to.equal('AUTH_FAILED');
  });

  it('works as text too, and own messages open beside shared ones', async () => {
    const sealed = await alice.world.call('sealText', { text: PLAINTEXT, to: [bob.publicKey] });
    const opened = await bob.world.call('openText', { sealed, accept: 'shared' });
    expect(opened).to.deep.equal(PLAINTEXT);
    const own = await bob.world.call('seal', { plaintext: PLAINTEXT });
    expect(await bob.world.call('open', { sealed: own, accept: 'shared' })).to.deep.equal(
      PLAINTEXT,
    );
  });

  it('stays readable for the sealer with toSelf, by the app key or by a sharing key', async () => {
    const to = [bob.publicKey];
    for (const key of [{}, { key: alice.keyId }]) {
      const sealed = await alice.world.call('seal', {
        plaintext: PLAINTEXT,
        to,
        toSelf: true,
        ...key,
      });
      expect(inspect(sealed).recipients).to.equal(2);
      expect(inspect(sealed).headerKeyId === null).to.equal('key' in key);
      for (const { world } of [alice, bob]) {
        const opened = await world.call('open', { sealed, accept: 'shared' });
        expect(opened).to.deep.equal(PLAINTEXT);
        expect(await codeOf(world.call('open', { sealed }))).to.equal('AUTH_FAILED');
      }
    }
  });

  it('opens what was sealed to an older generation, with the newer one in hand', async () => {
    const { world, keyId, publicKey } = bob;
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [publicKey] });
    const shown = world.prompter.shown.length;
    const asking = world.call('rotateKey', { keyId });
    asking.catch(() => undefined);
    while (world.prompter.shown.length === shown) await turns(1);
    await world.surface('ui.answerPrompt', {
      promptId: world.prompter.shown.at(-1)!,
      allow: true,
    });
    expect((await asking).generation).to.equal(2);
    const newer = await world.call('publicKey', { keyId });
    expect(newer).to.not.equal(publicKey);
    const again = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [newer] });
    for (const one of [sealed, again]) {
      expect(await world.call('open', { sealed: one, accept: 'shared' })).to.deep.equal(PLAINTEXT);
    }
  });

  it('takes short keys too: X25519', async () => {
    const { world } = bob;
    const privateKey = randomBytes(32);
    const bytes = await NATIVE_X25519.publicKey(privateKey);
    const ref = toBase64url(randomBytes(16));
    const generations = [{ generation: 1, key: toBase64url(privateKey), created: 1 }];
    const value = { label: 'Short', created: 1, algorithm: 'X25519', generations };
    await world.vault.commit((draft) => {
      draft.put({ id: ref, type: 'sharing-key', value });
      return null;
    });
    const key = { kind: 'sharing', label: 'Short' } as const;
    await world.connect({ key, capabilities: [...SHARING.capabilities] }, A, { ref });
    const keys = await world.call('keys', {});
    const { id: keyId } = keys.find(({ label }) => label === 'Short')!;
    const publicKey = await world.call('publicKey', { keyId });
    expect(publicKey).to.equal(publicKeyText({ type: 'X25519', bytes }));
    const to = [publicKey, alice.publicKey];
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to });
    expect(sealed.length).to.equal(
      sealedLength(PLAINTEXT.length, { recipientsBytes: recipientsBytes(to) }),
    );
    for (const each of [alice, bob]) {
      const opened = await each.world.call('open', { sealed, accept: 'shared' });
      expect(opened).to.deep.equal(PLAINTEXT);
    }
  });

  it('is bound to the site unless it is portable, which needs a picked key', async () => {
    const to = [bob.publicKey];
    await bob.world.connect({ ...SHARING, capabilities: ['open'] }, ELSEWHERE, {
      ref: (await bob.world.surface('ui.keys', {})).find(({ kind }) => kind === 'sharing')!.ref,
    });
    const bound = await alice.world.call('seal', { plaintext: PLAINTEXT, to });
    const free = await alice.world.call('seal', {
      plaintext: PLAINTEXT,
      to,
      key: alice.keyId,
      portable: true,
    });
    const at = (sealed: Uint8Array) =>
      bob.world.call('open', { sealed, accept: 'shared' }, ELSEWHERE);
    expect(await codeOf(at(bound))).to.equal('AUTH_FAILED');
    expect(await at(free)).to.deep.equal(PLAINTEXT);
    const portable = alice.world.call('seal', { plaintext: PLAINTEXT, to, portable: true });
    expect(await codeOf(portable)).to.equal('INVALID_ARGUMENT');
  });

  it('takes a use of the grant for the key that opened it, and none where none did', async () => {
    const world = await World.unlocked();
    const [grant] = await world.connect(
      { ...SHARING, capabilities: ['open', 'publicKey'], maxUses: 2 },
      A,
      {
        newKeyLabel: 'Few',
      },
    );
    const publicKey = await world.call('publicKey', { keyId: grant!.keyId });
    const mine = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [publicKey] });
    const others = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [bob.publicKey] });
    const open = (sealed: Uint8Array, id?: string) =>
      world.call('open', { sealed, accept: 'shared' }, A, id);
    for (let i = 0; i < 3; i++) expect(await codeOf(open(others))).to.equal('AUTH_FAILED');
    expect((await world.call('grants', {}))[0]!.usesLeft).to.equal(2);
    // A replay of one call takes one use, and is answered even when it was the last.
    await open(mine);
    for (let i = 0; i < 2; i++) expect(await open(mine, 'replayed')).to.deep.equal(PLAINTEXT);
    expect(await codeOf(open(mine))).to.equal('EXPIRED');
  });

  it('needs the grant to seal with the key that is named, and to open with one that fits', async () => {
    const world = await World.unlocked();
    const to = [bob.publicKey];
    const seal = () => world.call('seal', { plaintext: PLAINTEXT, to });
    expect(await codeOf(seal())).to.equal('NOT_GRANTED');
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to });
    const opening = world.call('open', { sealed, accept: 'shared' });
    expect(await codeOf(opening)).to.equal('NOT_GRANTED');
    await world.connect({ capabilities: ['open'] });
    expect(await codeOf(seal())).to.equal('NOT_GRANTED');
    // Revoked: the key is in the vault as before, and the site has it no more.
    await bob.world.call('revoke', {});
    await bob.world.connect();
    const revoked = bob.world.call('open', { sealed, accept: 'shared' });
    expect(await codeOf(revoked)).to.equal('AUTH_FAILED');
  });

  it('does not seal under a sharing key without recipients', async () => {
    const call = alice.world.call('seal', { plaintext: PLAINTEXT, key: alice.keyId });
    expect(await codeOf(call)).to.equal('INVALID_ARGUMENT');
  });

  it('refuses what is no key to seal to, by name', async () => {
    const lowOrder = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32) });
    const signing = publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32).fill(5) });
    const full = Array.from({ length: 16 }, () => bob.publicKey);
    const cases = [
      [{ to: ['swp1.'] }, 'INVALID_ARGUMENT', /^to\[0\]: /],
      [{ to: [bob.publicKey, `${bob.publicKey}A`] }, 'INVALID_ARGUMENT', /^to\[1\]: /],
      [{ to: [signing] }, 'INVALID_ARGUMENT', /signatures/],
      [{ to: [lowOrder] }, 'INVALID_ARGUMENT', /low order/],
      [{ to: [] }, 'INVALID_ARGUMENT', /^to: /],
      [{ to: [...full, bob.publicKey] }, 'INVALID_ARGUMENT', /^to: /],
      [{ to: full, toSelf: true }, 'TOO_LARGE', /^to: /],
      [{ toSelf: true }, 'INVALID_ARGUMENT', /^toSelf: /],
    ] as const;
    for (const [options, code, message] of cases) {
      const call = alice.world.call('seal', { plaintext: PLAINTEXT, ...options } as never);
      const error = await errorOf(call);
      expect(error.code, String(message)).to.equal(code);
      expect(error.message).to.match(message);
    }
  });

  it('works in batches: mixed with own messages, each with its own result', async () => {
    const items = packed([PLAINTEXT, new Uint8Array(0)]);
    const to = [bob.publicKey];
    const sent = await alice.world.call('sealMany', { items, to, toSelf: true });
    expect(sent.failures).to.deep.equal([]);
    const own = await bob.world.call('seal', { plaintext: PLAINTEXT });
    const toOther = await bob.world.call('seal', { plaintext: PLAINTEXT, to: [alice.publicKey] });
    const all = packed([...unpacked(sent.items), own, toOther]);
    const shared = await bob.world.call('openMany', { items: all, accept: 'shared' });
    expect(unpacked(shared.items).slice(0, 3)).to.deep.equal([
      PLAINTEXT,
      new Uint8Array(0),
      PLAINTEXT,
    ]);
    expect(shared.failures.map(({ at, error }) => [at, error.code])).to.deep.equal([
      [3, 'AUTH_FAILED'],
    ]);
    const asOwn = await bob.world.call('openMany', { items: all });
    expect(asOwn.failures.map(({ at }) => at)).to.deep.equal([0, 1, 3]);
  });

  it('refuses a batch whose entries outgrow it, before a use is taken', async () => {
    await alice.world.connect({ maxUses: 6000 });
    const items = packed(Array.from({ length: 6000 }, () => new Uint8Array(0)));
    const to = Array.from({ length: 16 }, () => bob.publicKey);
    expect(await codeOf(alice.world.call('sealMany', { items, to }))).to.equal('TOO_LARGE');
    const [grant] = (await alice.world.call('grants', {})).filter(
      ({ usesLeft }) => usesLeft !== null,
    );
    expect(grant!.usesLeft).to.equal(6000);
  });

  it('gives content scripts the key of one message, to seal and to open', async () => {
    const params = { purpose: 'page' as const, totalBytes: 5, to: [bob.publicKey] };
    const sealing = await alice.world.call('releaseSeal', params);
    const head = new Uint8Array(sealing.prefix);
    expect(head.length).to.equal(24 + 2 + 1187 + 56);
    const release = { head, totalBytes: head.length + 21, accept: 'shared' } as const;
    const opening = await bob.world.call('releaseOpen', release);
    expect(opening.chunksOffset).to.equal(head.length);
    expect(opening.key).to.deep.equal(sealing.key);
    const { accept, ...own } = release;
    expect(accept).to.equal('shared');
    expect(await codeOf(bob.world.call('releaseOpen', own))).to.equal('AUTH_FAILED');
  });

  it('passes an own message on by rewrap; a shared one stays where it is', async () => {
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT });
    const passed = await alice.world.call('rewrap', { sealed, to: [bob.publicKey], toSelf: true });
    for (const { world } of [alice, bob]) {
      const opened = await world.call('open', { sealed: passed, accept: 'shared' });
      expect(opened).to.deep.equal(PLAINTEXT);
    }
    const again = alice.world.call('rewrap', { sealed: passed });
    expect(await codeOf(again)).to.equal('AUTH_FAILED');
  });

  it('fails for one bit flipped anywhere before the chunks', async () => {
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [bob.publicKey] });
    for (const at of [8, 23, 26, 29, 45, 1133, 1165, 1212, 1213, 1237, 1269]) {
      const altered = sealed.slice();
      altered[at]! ^= 1;
      const call = bob.world.call('open', { sealed: altered, accept: 'shared' });
      expect(await codeOf(call), `byte ${at}`).to.equal('AUTH_FAILED');
    }
  });

  it('is in the log of uses by the key that opened it', async () => {
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [bob.publicKey] });
    await bob.world.call('open', { sealed, accept: 'shared' });
    const filter = { operations: ['open'], offset: 0, limit: 10 };
    const { entries } = await bob.world.surface('ui.activity', filter);
    expect(entries[0]).to.deep.include({ operation: 'open', result: 'ok', uses: 1 });
    expect(entries[0]!.key).to.deep.include({ kind: 'sharing', label: 'Letters' });
  });

  it('leaves an unknown key to speak for itself: a header that names none is no secret', async () => {
    const sealed = await alice.world.call('seal', { plaintext: PLAINTEXT, to: [bob.publicKey] });
    expect(inspect(sealed)).to.include({ recipients: 1, headerKeyId: null });
  });
});
