import { expect } from 'chai';
import { Grants, type Approval } from '../../../src/service/grants/grants.ts';
import type { Grant } from '../../../src/service/grants/grant-rules.ts';
import { Decoys } from '../../../src/service/grants/decoys.ts';
import { GrantClock } from '../../../src/service/grants/grant-clock.ts';
import { LAST_USED_STEP_MS, LastUses } from '../../../src/service/grants/usage-of-grants.ts';
import { OpeningHours } from '../../../src/service/grants/opening-hours.ts';
import { OpeningReserves } from '../../../src/service/grants/opening-limit.ts';
import { WithheldGrants } from '../../../src/service/grants/withheld-grants.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const SCOPE = { origin: 'https://a.example', topOrigin: 'https://a.example', container: null };
const APPROVAL: Approval = {
  scope: SCOPE,
  capabilities: ['seal'],
  key: { kind: 'app' },
  expiresInMs: null,
  maxUses: null,
  maxPerHour: null,
  perHour: null,
  bulk: null,
  expiresAt: null,
  uses: null,
};
const APP = () => 'app';
const ASK = { scope: SCOPE, ref: 'app', capability: 'seal' } as const;

const question = (id: string) => ({ id, waiters: [] });
const call = (id: string) => ({ id, asks: () => Promise.resolve('the same') });

describe('The stored grants', () => {
  let world: World;
  let grants: Grants;
  let withheld: WithheldGrants;

  beforeEach(async () => {
    world = await World.unlocked();
    const { vault } = world;
    const lastUses = new LastUses();
    const clock = new GrantClock({ vault, now: () => world.now });
    const onUsed = () => undefined;
    const openingReserves = new OpeningReserves();
    withheld = new WithheldGrants(world.notes, () => Promise.resolve());
    grants = new Grants({
      vault,
      random: systemRandom,
      clock,
      onUsed,
      lastUses,
      openingReserves,
      openingHours: new OpeningHours<Grant>(() => undefined),
      withheld,
      decoys: new Decoys({ vault, clock, onFrozen: () => undefined }),
      threadShare: { turnsOf: () => (_bytes, begin) => begin() },
    });
  });

  it('are revoked once by one call, also when its replay overtakes the first look', async () => {
    const replay = { origin: SCOPE.origin, call: call('doc revoke') };
    const ids = (all: readonly Grant[]) => all.map(({ id }) => id);
    const first = await grants.add(APPROVAL, APP, question('1'));
    expect(ids(await grants.revoke(() => true, replay))).to.deep.equal([first]);
    const second = await grants.add(APPROVAL, APP, question('2'));
    expect(await grants.revoke(() => true, replay)).to.deep.equal([]);
    expect(ids(await grants.all())).to.deep.equal([second]);
  });

  it('write nothing for uses of a grant without limit, and know its last use all the same', async () => {
    await grants.add(APPROVAL, APP, question('1'));
    const stored = world.stored();
    await grants.use(ASK, call('doc 1'));
    expect((await grants.all())[0]).to.include({ lastUsed: world.now });
    world.now += LAST_USED_STEP_MS;
    await world.vault.unlock(PASSPHRASE);
    await grants.use(ASK, call('doc 2'));
    expect((await grants.all())[0]).to.include({ lastUsed: world.now });
    expect(world.stored()).to.equal(stored);
  });

  it('are known at once when they were read, and until anything changes', async () => {
    const doc = call('doc 1');
    await grants.add(APPROVAL, APP, question('1'));
    const first = grants.use(ASK, doc);
    expect(first).to.be.instanceOf(Promise);
    await first;
    const [grant] = await grants.all();
    expect(grants.use(ASK, doc)).to.deep.equal(grant);
    expect(grants.requireAnyKey(ASK, doc)).to.equal(undefined);
    withheld.begin([grant!.id]);
    expect(() => grants.use(ASK, doc))
      .to.throw()
      .with.property('code', 'NOT_GRANTED');
    expect(await codeOf(Promise.resolve(grants.requireAnyKey(ASK, doc)))).to.equal('NOT_GRANTED');
    await withheld.end([grant!.id], 'refused');
    expect(grants.use(ASK, doc)).to.deep.equal({ ...grant, lastUsed: world.now });
    await world.vault.commit((draft) => draft.put({ id: 'x', type: 'x', value: 1 }));
    expect(grants.all()).to.be.instanceOf(Promise);
    await grants.all();
    expect(grants.all()).to.not.be.instanceOf(Promise);
    await world.vault.lock();
    expect(grants.all()).to.be.instanceOf(Promise);
    expect(await codeOf(Promise.resolve(grants.all()))).to.equal('LOCKED');
  });

  it('stay as they were when they cannot be saved', async () => {
    await grants.add({ ...APPROVAL, maxUses: 2, uses: 2 }, APP, question('1'));
    world.copy.write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    await Promise.resolve(grants.use(ASK, call('doc 1'))).then(
      () => expect.fail('was charged'),
      (error: unknown) => expect(error).to.have.property('code', 'QUOTA'),
    );
    delete (world.copy as { write?: unknown }).write;
    expect((await grants.all())[0]).to.include({ usesLeft: 2 });
  });

  it('are out of reach while locked', async () => {
    await grants.add(APPROVAL, APP, question('1'));
    await world.vault.lock();
    expect(await codeOf(Promise.resolve(grants.all()))).to.equal('LOCKED');
    expect(await codeOf(Promise.resolve(grants.use(ASK, call('doc 1'))))).to.equal('LOCKED');
    expect(await codeOf(grants.revoke(() => true))).to.equal('LOCKED');
  });

  it('are nowhere to be read on the disk', async () => {
    await grants.add(APPROVAL, APP, { id: '1', waiters: [{ call: 'doc 1', asks: '' }] });
    const bytes = [world.primary, world.copy].flatMap(({ values }) =>
      [...values].flatMap(([key, value]) => [key, Buffer.from(value).toString('latin1')]),
    );
    expect(bytes.join('\n')).to.not.match(/a\.example|grant|seal"|journal/);
  });
});
