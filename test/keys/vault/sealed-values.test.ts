import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { encodeHead, readHeads, type Head } from '../../../src/keys/storage/heads.ts';
import { Replicas } from '../../../src/keys/storage/replicas.ts';
import { openManifest, sealManifest } from '../../../src/keys/values/manifest.ts';
import { openRecord, sealRecord } from '../../../src/keys/values/record.ts';
import {
  encodeVaultMarker,
  frameValue,
  parseVaultMarker,
  unframeValue,
} from '../../../src/keys/values/checksummed-value.ts';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import { openValue, sealValue } from '../../../src/keys/values/vault-seal.ts';
import { MemoryStore, systemRandom } from '../../support/stores/memory-store.ts';

const KEY = { key: systemRandom.bytes(32), keyId: systemRandom.bytes(16) };
const STRANGER = { ...KEY, key: systemRandom.bytes(32) };
const OTHER_VAULT = { ...KEY, keyId: systemRandom.bytes(16) };
const PLACE = { name: toHex(systemRandom.bytes(16)), generation: 7 };
const RECORD = { id: 'id', type: 'note', value: { text: 'hello', list: [1, 2] } };
const stuck = { bytes: (length: number) => new Uint8Array(length) };

describe('keys: sealed values', () => {
  it('a record opens at its place, frozen, and nowhere else', async () => {
    const sealed = await sealRecord(KEY, PLACE, RECORD, systemRandom);
    const opened = await openRecord(KEY, PLACE, sealed);
    expect(opened).to.deep.equal(RECORD);
    expect(Object.isFrozen(opened)).to.equal(true);
    const name = toHex(systemRandom.bytes(16));
    expect(await openRecord(KEY, { ...PLACE, name }, sealed)).to.equal(undefined);
    expect(await openRecord(KEY, { ...PLACE, generation: 6 }, sealed)).to.equal(undefined);
    expect(await openRecord(STRANGER, PLACE, sealed)).to.equal(undefined);
    expect(await openRecord(OTHER_VAULT, PLACE, sealed)).to.equal(undefined);
  });

  it('a manifest opens as its generation only, and a record is no manifest', async () => {
    const manifest = { generation: 7, created: 1, slots: [], records: [], retired: [] };
    const sealed = await sealManifest(KEY, manifest, systemRandom);
    expect(await openManifest(KEY, 7, sealed)).to.deep.equal(manifest);
    expect(await openManifest(KEY, 8, sealed)).to.equal(undefined);
    expect(await openManifest(OTHER_VAULT, 7, sealed)).to.equal(undefined);
    expect(await openRecord(KEY, PLACE, sealed)).to.equal(undefined);
    const record = await sealRecord(KEY, PLACE, RECORD, systemRandom);
    expect(await openManifest(KEY, 7, record)).to.equal(undefined);
  });

  it('a record shows the length of what it holds only roughly (Padmé)', async () => {
    const lengths = ['a', 'ab', 'abc'].map(async (value) => {
      const record = { id: 'id', type: 'note', value };
      return (await sealRecord(KEY, PLACE, record, systemRandom)).length;
    });
    expect(new Set(await Promise.all(lengths)).size).to.equal(1);
  });

  it('salts differ for different messages even when all randomness has failed', async () => {
    const context = { what: 'record', fields: [] } as const;
    const seal = (byte: number) => sealValue(KEY, context, Uint8Array.of(byte), stuck);
    const salts = [await seal(1), await seal(2), await seal(1)].map((s) => toHex(s.slice(24, 48)));
    expect(salts[0]).not.to.equal(salts[1]);
    expect(salts[0]).to.equal(salts[2]);
    expect(await openValue(KEY, context, await seal(1))).to.deep.equal(Uint8Array.of(1));
  });

  /** The head that is read from this value of a slot, where nothing else is stored. */
  async function headIn(name: string, value: Uint8Array, key = KEY): Promise<Head | undefined> {
    const store = new MemoryStore();
    store.values.set(name, value);
    const { slots } = await readHeads(new Replicas(store, new MemoryStore()), key);
    return slots.get(name);
  }

  it('heads and vault marker round-trip, each under its own name', async () => {
    const head = { schema: 1, generation: 2 ** 40, manifestHash: systemRandom.bytes(32) };
    const stored = encodeHead(KEY, HEADS[0], head);
    expect(await headIn(HEADS[0], stored)).to.deep.equal(head);
    expect(await headIn(HEADS[1], stored)).to.equal(undefined);
    const vaultMarker = { vaultId: systemRandom.bytes(16), created: 1_700_000_000_000 };
    expect(parseVaultMarker(encodeVaultMarker(vaultMarker))).to.deep.equal(vaultMarker);
    expect(parseVaultMarker(stored)).to.equal(undefined);
    for (let bit = 0; bit < stored.length * 8; bit++) {
      const changed = stored.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(await headIn(HEADS[0], changed), `bit ${bit}`).to.equal(undefined);
    }
  });

  it('a head is authentic under its own vault key only, however well its checksum fits', async () => {
    const head = { schema: 1, generation: 7, manifestHash: systemRandom.bytes(32) };
    const stored = encodeHead(KEY, HEADS[0], head);
    expect(await headIn(HEADS[0], stored, STRANGER)).to.equal(undefined);
    expect(await headIn(HEADS[0], stored, OTHER_VAULT)).to.equal(undefined);
    const body = unframeValue(HEADS[0], stored)!;
    for (let bit = 0; bit < body.length * 8; bit++) {
      const changed = body.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const framed = frameValue(HEADS[0], changed);
      expect(await headIn(HEADS[0], framed), `bit ${bit}`).to.equal(undefined);
    }
    const elsewhere = frameValue(HEADS[1], body);
    expect(await headIn(HEADS[1], elsewhere), 'in the other slot').to.equal(undefined);
  });
});
