import { expect } from 'chai';
import { toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { generateIdentity } from '../../../src/format/recipients/sharing.ts';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { parseRecoveryFile } from '../../../src/keys/recovery/recovery-file.ts';
import {
  answerText,
  parseAnswer,
  parseRequest,
  requestText,
} from '../../../src/keys/recovery/recovery-messages.ts';
import { REQUEST_MS } from '../../../src/service/sharing/recovery-friends.ts';
import type { Json } from '../../../src/keys/values/json.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { deal } from '../../keys/recovery/deal.ts';
import { inDepth } from '../../support/depth.ts';
import { codeOf } from '../../support/outcomes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';

const BY = { passphrase: PASSPHRASE };
/** `npm test` ends the worker at every fourth call of a store. */
const STRIDE = inDepth(1, 4);
const PLAINTEXT = utf8('sealed before everything was lost');

/** A vault with a key that others seal to. */
async function person(): Promise<World> {
  const world = await World.unlocked();
  await world.surface('ui.createKey', { kind: 'sharing', label: 'Mine' });
  return world;
}

const publicKeyOf = async (world: World): Promise<string> =>
  (await world.surface('ui.ownSharingKeys', {}))[0]!.publicKey;

/** Adds everybody as a contact, by name. @returns the ids of the contacts */
async function befriended(world: World, friends: Readonly<Record<string, World>>) {
  const ids: string[] = [];
  for (const [name, friend] of Object.entries(friends)) {
    const contact = { name, publicKey: await publicKeyOf(friend) };
    ids.push((await world.surface('ui.addContact', contact)).id);
  }
  return ids;
}

interface Scene {
  readonly owner: World;
  readonly friends: readonly World[];
  readonly ids: readonly string[];
  readonly file: Uint8Array;
  readonly sealed: Uint8Array;
}

/** An owner with five friends, three of whom open the file; the friends know the owner. */
async function scene(): Promise<Scene> {
  const owner = await person();
  await owner.connect();
  const sealed = await owner.call('seal', { plaintext: PLAINTEXT });
  const friends = await Promise.all(Array.from({ length: 5 }, person));
  const named = Object.fromEntries(friends.map((friend, i) => [`Friend ${i + 1}`, friend]));
  const ids = await befriended(owner, named);
  for (const friend of friends) await befriended(friend, { Anna: owner });
  const { file } = await owner.surface('ui.dealRecovery', { by: BY, contacts: ids, threshold: 3 });
  return { owner, friends, ids, file, sealed };
}

const requestIn = async (world: World): Promise<string> =>
  (await world.surface('ui.friends', {})).recovery!.request;

/** A fresh vault that has asked. */
async function asking(file: Uint8Array): Promise<{ world: World; request: string }> {
  const world = await World.unlocked();
  await world.surface('ui.askFriends', { file, name: 'Anna, really' });
  return { world, request: await requestIn(world) };
}

const answerOf = async (friend: World, request: string): Promise<string> =>
  (await friend.surface('ui.answerRequest', { by: BY, request })).answer;

const take = (world: World, answer: string) => world.surface('ui.takeAnswer', { answer });

describe('Recovery by friends', function () {
  this.timeout(60_000);
  let owner: World;
  let friends: readonly World[];
  let ids: readonly string[];
  let file: Uint8Array;
  let sealed: Uint8Array;
  before(async () => ({ owner, friends, ids, file, sealed } = await scene()));

  it('gives the vault back by three of five, as its own, with what sites have sealed', async () => {
    const { world, request } = await asking(file);
    for (const [i, friend] of [friends[4]!, friends[0]!, friends[2]!].entries()) {
      expect(await codeOf(world.surface('ui.restoreBackup', { file }))).to.equal('AUTH_FAILED');
      const taken = await take(world, await answerOf(friend, request));
      expect(taken).to.deep.include({ outcome: 'taken', index: [5, 1, 3][i] });
    }
    const checked = await world.surface('ui.checkBackup', { file });
    expect(checked.relation).to.equal('first');
    expect((await world.surface('ui.friends', {})).recovery?.answered).to.deep.equal([1, 3, 5]);
    await world.surface('ui.restoreBackup', { file });
    expect((await world.surface('ui.friends', {})).recovery).to.equal(null);
    await world.connect();
    expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
    const contacts = await world.surface('ui.contacts', {});
    expect(contacts.map(({ name }) => name)).to.have.lengthOf(5);
  });

  it('shows a friend who made the file, proven, and who asks, which nothing proves', async () => {
    const { world, request } = await asking(file);
    const shown = await friends[1]!.surface('ui.readRequest', { request });
    const { created } = parseRecoveryFile(file);
    expect(shown).to.deep.include({ kind: 'recovery', name: 'Anna, really', created });
    expect(shown.dealer).to.deep.include({ name: 'Anna', verified: null });
    expect(shown.words).to.have.lengthOf(6);
    const { words } = (await world.surface('ui.friends', {})).recovery!;
    expect(shown.words).to.deep.equal(words);
    const planted = await deal(
      PLAINTEXT,
      [await generateIdentity(), await identityOf(friends[1]!)],
      2,
    );
    const { request: byOther } = await asking(planted.file);
    const shownOfPlanted = await friends[1]!.surface('ui.readRequest', { request: byOther });
    expect(shownOfPlanted.dealer).to.equal(null);
  });

  it('is answered with the passphrase alone, by a friend of the file, and within ten days', async () => {
    const { request } = await asking(file);
    const [friend] = friends as [World];
    const wrong = friend.surface('ui.answerRequest', { by: { passphrase: 'wrong' }, request });
    expect(await codeOf(wrong)).to.equal('AUTH_FAILED');
    const stranger = await person();
    expect(await codeOf(stranger.surface('ui.readRequest', { request }))).to.equal('NEEDS_KEY');
    const answered = stranger.surface('ui.answerRequest', { by: BY, request });
    expect(await codeOf(answered)).to.equal('NEEDS_KEY');
    const askedAt = (at: number): string => requestText({ ...parseRequest(request), askedAt: at });
    for (const [at, code] of [
      [friend.now - REQUEST_MS, 'ok'],
      [friend.now - REQUEST_MS - 1, 'EXPIRED'],
      [friend.now + REQUEST_MS + 1, 'EXPIRED'],
    ] as const) {
      const reading = friend.surface('ui.readRequest', { request: askedAt(at) });
      expect(await codeOf(reading)).to.equal(code);
      const answering = friend.surface('ui.answerRequest', { by: BY, request: askedAt(at) });
      expect(await codeOf(answering)).to.equal(code);
    }
    await friend.surface('ui.lock', {});
    expect(await codeOf(friend.surface('ui.readRequest', { request }))).to.equal('LOCKED');
    await friend.surface('ui.unlock', BY);
  });

  it('is answered by a key that was rotated, archived or restored since', async () => {
    const { world, request } = await asking(file);
    const [rotated, archived, lost] = friends as [World, World, World];
    const refOf = async (of: World) => (await of.surface('ui.ownSharingKeys', {}))[0]!.ref;
    const before = await publicKeyOf(rotated);
    await withNewGeneration(rotated);
    expect(await publicKeyOf(rotated)).to.not.equal(before);
    await archived.surface('ui.archiveKey', { ref: await refOf(archived), archived: true });
    const under = { passphrase: 'a passphrase of its own' };
    const backup = (await lost.surface('ui.makeBackup', { by: BY, under })).file;
    const restored = await person();
    await restored.surface('ui.restoreBackup', { file: backup, ...under });
    for (const friend of [rotated, archived, restored]) {
      expect((await take(world, await answerOf(friend, request))).outcome).to.equal('taken');
    }
    expect((await world.surface('ui.restoreBackup', { file })).relation).to.equal('first');
  });

  it('names the friend whose answer is wrong, and takes nothing of it', async () => {
    const { world, request } = await asking(file);
    const right = await answerOf(friends[1]!, request);
    const { id, index } = parseAnswer(right);
    const other = await answerOf(friends[0]!, request);
    const forged = { kind: 'recovery', id, index, body: parseAnswer(other).body } as const;
    expect(await take(world, answerText(forged))).to.deep.include({ outcome: 'wrong', index: 2 });
    expect((await world.surface('ui.friends', {})).recovery!.answered).to.deep.equal([]);
    expect((await take(world, right)).outcome).to.equal('taken');
    expect((await take(world, right)).outcome).to.equal('taken');
    expect((await take(world, answerText(forged))).outcome).to.equal('wrong');
    expect((await world.surface('ui.friends', {})).recovery!.answered).to.deep.equal([2]);
    expect(await codeOf(take(world, request))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(take(world, right.slice(0, -1)))).to.equal('BAD_ENVELOPE');
  });

  it('takes no answer to another request, nor after it was given up', async () => {
    const { world, request } = await asking(file);
    const { request: later } = await asking(file);
    const replayed = await answerOf(friends[0]!, later);
    expect((await take(world, replayed)).outcome).to.equal('other');
    const own = await answerOf(friends[0]!, request);
    await world.surface('ui.endRecovery', {});
    expect((await world.surface('ui.friends', {})).recovery).to.equal(null);
    expect((await take(world, own)).outcome).to.equal('other');
    await world.surface('ui.askFriends', { file, name: 'Anna' });
    expect((await take(world, own)).outcome).to.equal('other');
    const again = world.surface('ui.askFriends', { file, name: 'Anna' });
    expect(await codeOf(again)).to.equal('INVALID_ARGUMENT');
  });

  it('opens no other file with the answers, and takes one into a used vault as a foreign one', async () => {
    const { file: second } = await owner.surface('ui.dealRecovery', {
      by: BY,
      contacts: [...ids],
      threshold: 3,
    });
    const world = await person();
    await world.surface('ui.askFriends', { file, name: 'Anna' });
    const request = await requestIn(world);
    for (const friend of friends.slice(0, 3)) await take(world, await answerOf(friend, request));
    expect(await codeOf(world.surface('ui.restoreBackup', { file: second }))).to.equal(
      'AUTH_FAILED',
    );
    expect((await world.surface('ui.checkBackup', { file })).relation).to.equal('foreign');
    await world.surface('ui.replaceVault', { by: BY, file });
    expect((await world.surface('ui.friends', {})).recovery).to.equal(null);
    await world.connect();
    expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
  });

  it('goes on where the worker ended, at whichever call of a store', async () => {
    let places = 0;
    for (const step of ['ask', 'take', 'restore'] as const) {
      for (let left = 0, isDone = false; !isDone; left += STRIDE, places++) {
        const world = await World.unlocked();
        if (step !== 'ask') await world.surface('ui.askFriends', { file, name: 'Anna' });
        const asked = step === 'ask' ? undefined : await requestIn(world);
        if (step === 'restore') await answered(world, asked!);
        isDone = await dies(world, left, () => {
          if (step === 'ask') return world.surface('ui.askFriends', { file, name: 'Anna' });
          if (step === 'restore') return world.surface('ui.restoreBackup', { file });
          return answerOf(friends[0]!, asked!).then((answer) => take(world, answer));
        });
        await world.surface('ui.unlock', BY);
        const { recovery } = await world.surface('ui.friends', {});
        if (step === 'restore' && recovery === null) {
          expect(await world.surface('ui.contacts', {})).to.have.lengthOf(5);
          continue;
        }
        if (!recovery) await world.surface('ui.askFriends', { file, name: 'Anna' });
        await answered(world, await requestIn(world));
        expect((await world.surface('ui.restoreBackup', { file })).relation).to.equal('first');
      }
    }
    expect(places * STRIDE).to.be.above(20);
  });

  it('proves in a drill who still opens the share, for the newest file', async () => {
    const { request } = await owner.surface('ui.drillFriends', { file: await newestFile() });
    const shown = await friends[2]!.surface('ui.readRequest', { request });
    expect(shown).to.deep.include({ kind: 'drill', name: null });
    expect(shown.words).to.deep.equal([]);
    const answer = await answerOf(friends[2]!, request);
    expect(await take(owner, answer)).to.deep.equal({
      outcome: 'taken',
      index: 3,
      name: 'Friend 3',
    });
    const { dealt } = await owner.surface('ui.friends', {});
    expect(dealt!.friends.map(({ proved }) => proved)).to.deep.equal([
      null,
      null,
      owner.now,
      null,
      null,
    ]);
    const forged = answerText({ ...parseAnswer(answer), index: 2 });
    expect(await take(owner, forged)).to.deep.include({ outcome: 'wrong', name: 'Friend 2' });
    const { request: next } = await owner.surface('ui.drillFriends', { file: await newestFile() });
    expect((await take(owner, answer)).outcome).to.equal('other');
    expect((await take(owner, await answerOf(friends[0]!, next))).outcome).to.equal('taken');
    const old = owner.surface('ui.drillFriends', { file });
    expect(await codeOf(old)).to.equal('INVALID_ARGUMENT');
  });

  it('is dealt to 2 to 10 contacts with a key of X-Wing, each once, with the passphrase', async () => {
    const refused = async (contacts: readonly string[], threshold: number, by = BY) =>
      codeOf(owner.surface('ui.dealRecovery', { by, contacts: [...contacts], threshold }));
    expect(await refused(ids, 3, { passphrase: 'wrong' })).to.equal('AUTH_FAILED');
    expect(await refused(ids.slice(0, 1), 2)).to.equal('INVALID_ARGUMENT');
    expect(await refused(ids.slice(0, 2), 3)).to.equal('INVALID_ARGUMENT');
    expect(await refused([ids[0]!, ids[0]!], 2)).to.equal('INVALID_ARGUMENT');
    expect(await refused([ids[0]!, 'unknown'], 2)).to.equal('INVALID_ARGUMENT');
    const { publicKey } = await generateIdentity('X25519');
    const { id } = await owner.surface('ui.addContact', { name: 'Old', publicKey });
    expect(await refused([ids[0]!, id], 2)).to.equal('INVALID_ARGUMENT');
    await owner.surface('ui.removeContact', { id });
  });

  it('refuses a request whose key is no key, and files that are none', async () => {
    const { request } = await asking(file);
    const read = parseRequest(request);
    if (read.asked.kind !== 'recovery') throw new Error('a drill');
    const asked = { ...read.asked, offerKey: new Uint8Array(1_216).fill(255) };
    const planted = requestText({ ...read, asked });
    const answering = friends[0]!.surface('ui.answerRequest', { by: BY, request: planted });
    expect(await codeOf(answering)).to.equal('INVALID_ARGUMENT');
    const world = await World.unlocked();
    const bad = world.surface('ui.askFriends', { file: file.subarray(1), name: 'Anna' });
    expect(await codeOf(bad)).to.equal('BAD_ENVELOPE');
    const newer = world.surface('ui.askFriends', { file: file.with(4, 2), name: 'Anna' });
    expect(await codeOf(newer)).to.equal('UNSUPPORTED');
  });

  it('writes what was done to the log, and no name of who asked', async () => {
    const { world, request } = await asking(file);
    await take(world, await answerOf(friends[0]!, request));
    const operations = async (of: World) =>
      (await of.surface('ui.exportActivity', {})).entries.map(({ operation }) => operation);
    expect(await operations(owner)).to.include('dealRecovery');
    expect(await operations(world)).to.include('askFriends');
    expect(await operations(friends[0]!)).to.include.members(['giveShare', 'proveShare']);
    const logged = JSON.stringify(await friends[0]!.surface('ui.exportActivity', {}));
    expect(logged).to.not.include('Anna, really');
  });

  /** Three friends answer. */
  async function answered(world: World, request: string): Promise<void> {
    for (const friend of friends.slice(0, 3)) await take(world, await answerOf(friend, request));
  }

  /** The file of the newest deal: made anew. */
  async function newestFile(): Promise<Uint8Array> {
    newest ??= (
      await owner.surface('ui.dealRecovery', { by: BY, contacts: [...ids], threshold: 3 })
    ).file;
    return newest;
  }
  let newest: Uint8Array | undefined;
});

/**
 * Does work whose worker ends at a call of a store, which does nothing any more.
 *
 * @param left calls before that
 * @returns whether the work was done before
 */
async function dies(world: World, left: number, work: () => Promise<unknown>): Promise<boolean> {
  let end = (): void => undefined;
  const ended = new Promise<false>((resolve) => (end = () => resolve(false)));
  const never = new Promise<never>(() => undefined);
  let calls = left;
  world.between = (store) =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (calls-- > 0) return value.apply(target, args) as unknown;
          end();
          return never;
        };
      },
    });
  world.restart();
  calls = left;
  const isDone = await Promise.race([work().then(() => true), ended]);
  world.between = (store) => store;
  world.restart();
  return isDone;
}

/** As a rotation does. */
async function withNewGeneration({ vault, now }: World): Promise<void> {
  await vault.commit(async (draft) => {
    for (const record of await draft.list('sharing-key')) {
      const value = record.value as { readonly generations: readonly Json[] };
      const key = toBase64url(randomBytes(32));
      const generations = [...value.generations, { generation: 2, key, created: now }];
      draft.put({ ...record, value: { ...value, generations } });
    }
  });
}

/** The identity of a friend's first key, of which only the public half is used. */
async function identityOf(friend: World) {
  const publicKey = await publicKeyOf(friend);
  parsePublicKey(publicKey);
  return { ...(await generateIdentity()), publicKey };
}
