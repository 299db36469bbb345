import { expect } from 'chai';
import { filledWorld, notes, PASSPHRASE } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

/** The writes of a commit, in order: values and head of each store. */
const WRITES = ['values of the primary', 'values of the copy', 'head of the primary', 'its copy'];
const QUOTA = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));

describe('Both stores fill in the middle of a commit', () => {
  for (const [done, next] of WRITES.entries()) {
    it(`before it writes the ${next}: what it says is what there is`, async () => {
      const { world, vault } = await filledWorld();
      const before = await notes(vault);
      let writes = 0;
      for (const store of [world.primary, world.copy]) {
        const write = store.write.bind(store);
        store.write = (puts, removes) =>
          puts.size > 0 && ++writes > done ? QUOTA() : write(puts, removes);
      }
      const changing = vault.commit((draft) =>
        draft.put({ id: 'note a', type: 'note', value: 'changed' }),
      );
      const code = await codeOf(changing);
      for (const store of [world.primary, world.copy]) delete (store as { write?: unknown }).write;
      const after = await notes(world.clone({ keepSession: true }).vault());
      const isOld = JSON.stringify(after) === JSON.stringify(before);
      // One head has moved, and cannot be moved back: the change is there.
      expect({ code, isOld }).to.deep.equal(
        done === 3 ? { code: 'ok', isOld: false } : { code: 'QUOTA', isOld: true },
      );
      expect(await notes(vault)).to.deep.equal(after);
      const later = world.clone().vault();
      await later.unlock(PASSPHRASE);
      expect(later.repairs.filter(({ mended }) => !mended)).to.deep.equal([]);
      await vault.commit((draft) => draft.put({ id: 'x', type: 'note', value: 'next' }));
      expect(await notes(world.clone({ keepSession: true }).vault())).to.deep.include({
        x: 'next',
      });
    });
  }
});
