import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { checkFirstEpoch, checkNextEpoch } from '../../../src/keys/circle/chain.ts';
import { syncKeyOf } from '../../../src/keys/circle/changes.ts';
import { encodeEpoch, parseEpoch } from '../../../src/keys/circle/epoch.ts';
import { codePair, passkeyPair } from '../../../src/keys/circle/members.ts';
import { openDeviceFile, parseDeviceFile } from '../../../src/keys/media/device-file.ts';
import { wrappedKeysIn } from '../../../src/keys/media/items.ts';
import { circleOf, openItems, stateOf } from '../../../src/keys/media/medium.ts';
import { PARTS } from './circle.ts';
import { circleVectors } from './vectors.ts';

interface Vectors {
  readonly secrets: { readonly code: string; readonly passkey: string };
  readonly pairs: readonly Readonly<Record<'kind' | 'id' | 'xWing' | 'ed25519', string>>[];
  readonly epochs: readonly {
    readonly bytes: string;
    readonly digest: string;
    readonly syncKey: string;
    readonly members: readonly Readonly<Record<'kind' | 'id' | 'name', string>>[];
  }[];
  readonly items: Readonly<Record<string, string>>;
  readonly file: {
    readonly name: string;
    readonly bytes: string;
    readonly before: string;
    readonly read: Readonly<Record<string, number>>;
  };
  readonly state: unknown;
}

describe('The vectors of circles', () => {
  const vectors = JSON.parse(readFileSync('test/keys/vectors/circle.json', 'utf8')) as Vectors;

  it('have the pairs of a recovery code and of a passkey', () => {
    const { code, passkey } = vectors.secrets;
    const derived = [codePair(fromHex(code)), passkeyPair(fromHex(passkey))];
    for (const [at, { kind, ...rest }] of derived.entries()) {
      const hex = Object.entries(rest).map(([name, bytes]) => [name, toHex(bytes)] as const);
      expect({ kind, ...Object.fromEntries(hex) }).to.deep.equal(vectors.pairs[at + 1]);
    }
  });

  it('have epochs that follow each other and give their keys', async () => {
    const [first, second] = vectors.epochs.map(({ bytes }) => parseEpoch(fromHex(bytes)));
    await checkFirstEpoch(first!);
    await checkNextEpoch(first!, second!);
    for (const [at, epoch] of [first!, second!].entries()) {
      const { digest, syncKey, members } = vectors.epochs[at]!;
      expect(toHex(epoch.digest)).to.equal(digest);
      expect(
        toHex(await syncKeyOf(epoch, codePair(fromHex(vectors.secrets.code)), PARTS)),
      ).to.equal(syncKey);
      const named = epoch.members.map(({ kind, id, name }) => ({ kind, id: toHex(id), name }));
      expect(named).to.deep.equal(members);
    }
  });

  it('have items that hold a state', async () => {
    const texts = new Map(Object.entries(vectors.items));
    const [wrapped] = wrappedKeysIn(texts);
    const syncKey = await syncKeyOf(wrapped!, passkeyPair(fromHex(vectors.secrets.passkey)), PARTS);
    const items = await openItems(texts, { ...wrapped!, syncKey });
    expect(stateOf(items)).to.deep.equal(vectors.state);
    const { epoch } = circleOf(items, [wrapped!]);
    expect(toHex(encodeEpoch(epoch!))).to.equal(vectors.epochs[1]!.bytes);
  });

  it('have the file of a device, with a head and the same state', async () => {
    const file = parseDeviceFile(fromHex(vectors.file.bytes));
    const syncKey = await syncKeyOf(file.box, codePair(fromHex(vectors.secrets.code)), PARTS);
    const opened = await openDeviceFile(file, { ...file.box, syncKey });
    const { member, before, ...head } = opened!.head;
    expect(head).to.deep.equal({
      device: 'EBESExQVFhcYGRobHB0eHw',
      generation: 7,
      read: vectors.file.read,
    });
    expect([toHex(member), toHex(before)]).to.deep.equal([
      vectors.pairs[0]!.id,
      vectors.file.before,
    ]);
    expect(opened!.state).to.deep.equal(vectors.state);
    expect(toHex(encodeEpoch(opened!.circle.epoch!))).to.equal(vectors.epochs[1]!.bytes);
  });

  it('are made by this code, byte for byte', async () => {
    const { epochs, items, file, state } = await circleVectors();
    const bytes = epochs.map(({ epoch }) => toHex(encodeEpoch(epoch)));
    expect(bytes).to.deep.equal(vectors.epochs.map((epoch) => epoch.bytes));
    expect(items).to.deep.equal(vectors.items);
    expect([file.name, toHex(file.bytes)]).to.deep.equal([vectors.file.name, vectors.file.bytes]);
    expect(state).to.deep.equal(vectors.state);
  });
});
