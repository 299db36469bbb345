import { expect } from 'chai';
import { MERGED_LIKE_BACKUPS } from '../../../src/keys/backup/merge-lines.ts';
import { Contents } from '../../../src/keys/vault/contents.ts';
import { OpenedVault } from '../../../src/keys/vault/opened-vault.ts';
import { Replicas } from '../../../src/keys/storage/replicas.ts';
import { VaultSession } from '../../../src/keys/unlock/vault-session.ts';
import { VaultStore } from '../../../src/keys/vault/vault-store.ts';
import { MemorySession, MemoryStore, systemRandom } from '../../support/stores/memory-store.ts';

describe('OpenedVault', () => {
  it('keeps nothing that was read before the vault was locked', () => {
    const replicas = new Replicas(new MemoryStore(), new MemoryStore());
    const session = new VaultSession(new MemorySession(), () => 0);
    const opened = new OpenedVault(
      new VaultStore(replicas, systemRandom, MERGED_LIKE_BACKUPS, () => 0),
      session,
    );
    let forgotten = 0;
    opened.onForget(() => forgotten++);

    const before = opened.epoch;
    opened.remember(contents(1), before);
    expect(forgotten).to.equal(0);
    opened.remember(contents(2), before);
    expect(forgotten, 'superseded').to.equal(1);
    opened.forget();
    expect(forgotten, 'locked').to.equal(2);
    opened.remember(contents(3), before);
    opened.remember(contents(4), opened.epoch);
    expect(forgotten, 'nothing was there to be superseded').to.equal(2);
  });
});

function contents(generation: number): Contents {
  const head = { schema: 1, generation, manifestHash: new Uint8Array(32) };
  const manifest = { generation, created: 0, slots: [], records: [], retired: [] };
  return new Contents({ head, manifest });
}
