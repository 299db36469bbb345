import { expect } from 'chai';
import { recordText } from '../../../src/rpc/methods/sync-record.ts';
import { unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { SYNC_LIST, SYNC_LIST_PART } from '../../../src/keys/ring/sync-list.ts';
import { MAX_HEAD_CHARACTERS, MAX_HEAD_CHUNKS } from '../../../src/rpc/limits.ts';
import { MAX_CHUNK_CHARACTERS, MAX_CHUNKS } from '../../../src/sync/sealwright/head-layout.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { encryptedRecord, packedOf, plainRecord } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { WEAVE } from '../../sync/weave/weave-vectors.ts';

interface Stored {
  readonly id: string;
  readonly payload: string;
}

const A = pageCaller();
const SYNC = { capabilities: ['sync' as const] };
const notes = { kind: 'sync' as const, collections: ['notes', 'tags'] };
const packed = (items: readonly (Stored & { generation?: number })[]) =>
  packedOf(...items.map(encryptedRecord));
const deleted = (id: string, generation: number) =>
  Buffer.from(recordText(id, String(generation), ''));

async function synced(more: { maxUses?: number } = {}): Promise<World> {
  const world = await World.unlocked();
  await world.connect({ ...SYNC, ...more, key: notes }, A, { newKeyLabel: 'Sync' });
  return world;
}

async function sealed(world: World, generation: number, ...ids: string[]): Promise<Stored[]> {
  const records = packedOf(...ids.map((id) => plainRecord({ id, payload: id, generation })));
  const { items } = await world.call('sync.encryptRecords', { collection: 'notes', records });
  return unpacked(items).map((bytes, i) => ({
    id: ids[i]!,
    payload: Buffer.from(bytes).toString(),
  }));
}

const checkpoint = (world: World, records: readonly Stored[], collection = 'notes') =>
  world.call('sync.checkpoint', { collection, records: packed(records) });
const verify = (world: World, records: readonly Stored[], heads: readonly Stored[]) =>
  world.call('sync.verify', {
    collection: 'notes',
    records: packed(records),
    heads: packed(heads),
  });

describe('sync.checkpoint and verify', function () {
  this.timeout(60_000);

  it('tell what is missing, older, or no head knows; also after a lock', async () => {
    const world = await synced();
    const [a, b] = (await sealed(world, 1, 'a', 'b')) as [Stored, Stored];
    const { head, chunks } = await checkpoint(world, [a, b]);
    const heads = [head, ...chunks];
    expect(await verify(world, [a, b], heads)).to.deep.equal({
      ok: true,
      missing: [],
      missingCount: 0,
      rolledBack: [],
      forked: false,
      unconfirmed: 0,
    });
    const [newer, c] = await sealed(world, 2, 'a', 'c');
    expect(await verify(world, [newer!, b, c!], heads)).to.include({ ok: true, unconfirmed: 2 });
    expect(await verify(world, [b], heads)).to.deep.include({ missing: ['a'], missingCount: 1 });

    const next = await checkpoint(world, [newer!]);
    const after = [next.head, ...next.chunks];
    expect(await verify(world, [a, b], after)).to.deep.include({ ok: false, rolledBack: ['a'] });
    expect(await verify(world, [newer!, b], after)).to.include({ ok: true, unconfirmed: 0 });
    await world.surface('ui.lock', {});
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    const back = await verify(world, [newer!, b], heads);
    expect(back).to.deep.include({ ok: false, rolledBack: [head.id] });
  });

  it('know deletions by their generation', async () => {
    const world = await synced();
    const [a, b] = (await sealed(world, 1, 'a', 'b')) as [Stored, Stored];
    await checkpoint(world, [a, b]);
    const records = packedOf(deleted('a', 2));
    const { head, chunks } = await world.call('sync.checkpoint', { collection: 'notes', records });
    expect(await verify(world, [b], [head, ...chunks])).to.include({ ok: true });
    const report = await verify(world, [a, b], [head, ...chunks]);
    expect(report).to.deep.include({ ok: false, rolledBack: ['a'] });
  });

  it('go on under the old digests when the key is rotated', async () => {
    const world = await synced();
    const [a] = (await sealed(world, 1, 'a')) as [Stored];
    const before = await checkpoint(world, [a]);
    const [grant] = await world.call('grants', {});
    const rotating = world.call('rotateKey', { keyId: grant!.keyId });
    await settled();
    await world.surface('ui.answerPrompt', { promptId: world.prompter.shown.at(-1)!, allow: true });
    await rotating;
    const [b] = (await sealed(world, 1, 'b')) as [Stored];
    expect(b.payload.slice(0, 40)).to.not.equal(a.payload.slice(0, 40));
    const after = await checkpoint(world, [b]);
    const heads = [after.head, ...after.chunks];
    expect(await verify(world, [a, b], heads)).to.deep.include({ ok: true, unconfirmed: 0 });
    expect(before.head.id).to.equal(after.head.id);
  });

  it('make one head after the other where calls come at once', async () => {
    const world = await synced();
    const records = await sealed(world, 1, 'a', 'b', 'c', 'd');
    const made = await Promise.all(records.map((record) => checkpoint(world, [record])));
    // Each head is the last one in turn, and all of them follow each other.
    const heads = made.flatMap(({ head, chunks }) => [head, ...chunks]);
    expect(await verify(world, records, heads)).to.deep.include({ ok: true, unconfirmed: 0 });
  });

  it('list no record that does not open', async () => {
    const world = await synced();
    const [a] = (await sealed(world, 1, 'a')) as [Stored];
    expect(await codeOf(checkpoint(world, [{ ...a, id: 'b' }]))).to.equal('AUTH_FAILED');
    expect(await codeOf(checkpoint(world, [{ id: 'b', payload: 'x' }]))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(checkpoint(world, [a], 'tags'))).to.equal('NEEDS_KEY');
    expect(await world.vault.list(SYNC_LIST)).to.deep.equal([]);
    expect(await codeOf(verify(world, [a], [a]))).to.equal('INVALID_ARGUMENT');
  });

  it('take a use for each record, one without any, and do nothing with fewer', async () => {
    const world = await synced({ maxUses: 7 });
    const [a, b] = (await sealed(world, 1, 'a', 'b')) as [Stored, Stored];
    const { head, chunks } = await checkpoint(world, [a, b]);
    await verify(world, [], [head, ...chunks]);
    const left = async () => (await world.call('grants', {}))[0]!.usesLeft;
    expect(await left()).to.equal(2);
    expect(await codeOf(verify(world, [a, b, a], [head]))).to.equal('EXPIRED');
  });

  it('are not for keys of other services', async () => {
    const world = await World.unlocked();
    const source = { accountKey: WEAVE.chains[2]!.kB! };
    const imported = { label: 'Kinto', format: 'kinto', source } as const;
    const { ref } = await world.surface('ui.importSyncKey', imported);
    await world.connect({ ...SYNC, key: notes }, A, { ref });
    const error = await errorOf(checkpoint(world, []));
    expect(error).to.deep.include({ code: 'UNSUPPORTED' });
  });

  it('keep a list by collection, sealed, and are deleted with their key', async () => {
    const world = await synced();
    await checkpoint(world, await sealed(world, 1, 'a'));
    await checkpoint(world, [], 'tags');
    expect(await world.vault.list(SYNC_LIST)).to.have.length(2);
    expect(await world.vault.list(SYNC_LIST_PART)).to.have.length(1);
    expect(world.stored()).to.not.include('sync-list');
    const keys = await world.surface('ui.keys', {});
    const { ref } = keys.find(({ kind }) => kind === 'sync')!;
    await world.surface('ui.archiveKey', { ref, archived: true });
    await world.surface('ui.deleteKey', { by: { passphrase: PASSPHRASE }, ref });
    expect(await world.vault.list(SYNC_LIST)).to.deep.equal([]);
    expect(await world.vault.list(SYNC_LIST_PART)).to.deep.equal([]);
  });

  it('have the limits of their format', () => {
    expect(MAX_HEAD_CHARACTERS).to.equal(MAX_CHUNK_CHARACTERS);
    expect(MAX_HEAD_CHUNKS).to.equal(MAX_CHUNKS);
  });
});
