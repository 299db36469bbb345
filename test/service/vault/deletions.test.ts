import { expect } from 'chai';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { DELETION } from '../../../src/keys/annotations/deletions.ts';
import { deviceRecord } from '../../../src/keys/devices/device-record.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import { PERSISTENT_KEY_ARCHIVE_MS } from '../../../src/keys/ring/persistent-key.ts';
import { pageSubtle } from '../../support/page-subtle.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';

const BY = { passphrase: PASSPHRASE };
const { origin } = pageCaller();

/** Everything that a person or a site deletes for good. @returns the records of it that the vault has then */
async function deletionsIn(world: World): Promise<unknown[]> {
  const at = world.now;
  const { ref } = await world.surface('ui.createKey', { label: 'Letters' });
  await world.surface('ui.archiveKey', { ref, archived: true });
  await world.surface('ui.deleteKey', { by: BY, ref });
  const publicKey = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(2) });
  const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey });
  await world.surface('ui.removeContact', { id });
  await world.connect({ capabilities: ['seal'] }, pageCaller());
  const subtle = pageSubtle(world);
  await subtle.deleteKey(await saved(subtle));
  await saved(subtle);
  await world.surface('ui.deletePersistentKeys', { origin });
  // The archive of each device ends by itself: the others keep the key.
  await saved(subtle);
  await world.call('revoke', {});
  world.now += PERSISTENT_KEY_ARCHIVE_MS;
  await world.surface('ui.unlock', BY);
  const records = await world.vault.list(DELETION);
  for (const { value } of records) expect(value).to.include({ at });
  return records.map(({ id: of }) => of.split(' ', 2)[1]);
}

async function saved(subtle: ReturnType<typeof pageSubtle>) {
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  return subtle.exportKey('sealwright-ref' as 'raw', key);
}

describe('What is deleted', () => {
  it('is recorded for other devices in a vault that shares its keys', async () => {
    const world = await World.unlocked();
    const device = deviceRecord({ id: 'x', state: EMPTY_STATE });
    await world.vault.commit((draft) => draft.put(device));
    expect(await deletionsIn(world)).to.have.members([
      'sealing-key',
      'contact',
      'persistent-key',
      'persistent-key',
    ]);
  });

  it('leaves no record in a vault that shares nothing', async () => {
    expect(await deletionsIn(await World.unlocked())).to.deep.equal([]);
  });
});
