import { expect } from 'chai';
import { TemporaryPermissions } from '../../../../extension/platform/sites/temporary-permissions.ts';
import { MemoryLocks, MemorySession } from '../../../support/memory-store.ts';
import { settled } from '../../../support/service-fakes.ts';

const A = 'https://a.example/*';
const B = 'https://b.example/*';

describe('temporary permissions', () => {
  let permitted: Set<string>;
  let open: Set<number>;
  let notes: MemorySession;
  let session: MemorySession;
  let temporary: TemporaryPermissions;
  let onClosed: (() => void)[];

  /** A background that begins, with what the last one left. */
  const started = () =>
    new TemporaryPermissions({
      permissions: {
        contains: ({ origins = [] }) => Promise.resolve(origins.every((one) => permitted.has(one))),
        remove: ({ origins = [] }) => {
          for (const origin of origins) permitted.delete(origin);
          return Promise.resolve(true);
        },
      },
      windows: {
        get: (id: number) =>
          open.has(id) ? Promise.resolve({}) : Promise.reject(new Error('gone')),
        onRemoved: { addListener: (listener: () => void) => onClosed.push(listener) },
      },
      ...{ notes, session, locks: new MemoryLocks() },
    } as never);

  const close = async (windowId: number): Promise<void> => {
    open.delete(windowId);
    for (const listener of onClosed) listener();
    await settled();
  };

  beforeEach(() => {
    [permitted, open, onClosed] = [new Set(), new Set([1, 2]), []];
    [notes, session] = [new MemorySession(), new MemorySession()];
    temporary = started();
    temporary.watch();
  });

  it('are named before the browser can be asked, and go back when they were used', async () => {
    expect(await temporary.offer(A, 1)).to.equal(true);
    expect(await temporary.patterns()).to.deep.equal([A]);
    permitted.add(A);
    await temporary.giveBack(1);
    expect([...permitted]).to.deep.equal([]);
    // The same window may ask once more.
    expect(await temporary.patterns()).to.deep.equal([A]);
  });

  it('are nothing to ask for where the site is permitted already', async () => {
    permitted.add(A);
    expect(await temporary.offer(A, 1)).to.equal(false);
    await temporary.giveBack(1);
    await close(1);
    expect([...permitted]).to.deep.equal([A]);
  });

  it('go back when their window is closed, and no other', async () => {
    await temporary.offer(A, 1);
    await temporary.offer(B, 2);
    permitted.add(A).add(B);
    await temporary.giveBack(7);
    await close(1);
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[B], [B]]);
  });

  it('outlive the background, as long as their window does', async () => {
    await temporary.offer(A, 1);
    await temporary.offer(B, 2);
    permitted.add(A).add(B);
    open.delete(1);
    temporary = started();
    temporary.watch();
    await settled();
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[B], [B]]);
  });

  it('do not outlive the browser, though other windows have their numbers', async () => {
    await temporary.offer(A, 1);
    permitted.add(A);
    session = new MemorySession();
    temporary = started();
    temporary.watch();
    await settled();
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[], []]);
  });

  it('stay when the user has enabled the site meanwhile', async () => {
    await temporary.offer(A, 1);
    permitted.add(A);
    await temporary.keep(A);
    await temporary.giveBack(1);
    await close(1);
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[A], []]);
  });
});
