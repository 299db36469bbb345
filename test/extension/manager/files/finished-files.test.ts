import { expect } from 'chai';
import { FinishedFiles } from '../../../../extension/manager/files/finished-files.ts';
import { FakeTimers } from '../../../support/service-fakes.ts';
import { turns } from '../../../support/turns.ts';

/** What may happen to a file that was opened, in the order in which it happens, and when it is removed. */
type Event = 'saved' | 'released' | 'locked' | 'time';
const HISTORIES: readonly (readonly [events: readonly Event[], removedAfter: Event | 'never'])[] = [
  [[], 'never'],
  [['released'], 'released'],
  [['locked'], 'locked'],
  [['saved', 'time', 'time'], 'never'],
  [['saved', 'released', 'time'], 'time'],
  [['released', 'saved', 'time'], 'released'],
  [['saved', 'time', 'released'], 'released'],
  [['saved', 'locked', 'released', 'time'], 'locked'],
  [['saved', 'released', 'locked', 'time'], 'locked'],
  [['saved', 'saved', 'released', 'time'], 'time'],
];

describe('Finished files', () => {
  let timers: FakeTimers;
  let files: FinishedFiles;
  let removed: number;
  const file = {
    blob: new Blob([]),
    discard: () => {
      removed++;
      return Promise.resolve();
    },
  };
  const happen: Record<Event, () => void> = {
    saved: () => files.saving(file),
    released: () => files.release(file),
    locked: () => files.end(),
    time: () => timers.goOff(),
  };

  beforeEach(() => {
    timers = new FakeTimers();
    files = new FinishedFiles(timers);
    removed = 0;
  });

  for (const [events, removedAfter] of HISTORIES) {
    it(`are removed once, after: ${events.join(', ') || 'nothing'} (${removedAfter})`, async () => {
      files.add(file);
      let after = 'never';
      for (const event of events) {
        happen[event]();
        await turns(3);
        if (removed > 0 && after === 'never') after = event;
      }
      expect(after).to.equal(removedAfter);
      expect(removed).to.equal(removedAfter === 'never' ? 0 : 1);
    });
  }

  it('are removed at once where they are finished after the lock', () => {
    files.end();
    files.add(file);
    expect(removed).to.equal(1);
  });

  it('are tried again where something reads them', async () => {
    let refusals = 2;
    const busy = {
      blob: file.blob,
      discard: () => (refusals-- > 0 ? Promise.reject(new Error('in use')) : file.discard()),
    };
    files.add(busy);
    files.release(busy);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await turns(3);
      expect(removed, `before attempt ${attempt}`).to.equal(0);
      timers.goOff();
    }
    await turns(3);
    expect(removed).to.equal(1);
    timers.goOff();
    expect(removed, 'later').to.equal(1);
  });
});
