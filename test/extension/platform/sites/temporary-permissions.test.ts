import { expect } from 'chai';
import { TemporaryPermissions } from '../../../../extension/platform/sites/temporary-permissions.ts';
import { MemoryLocks } from '../../../../extension/testing/memory.ts';
import { MemorySession } from '../../../support/stores/memory-store.ts';
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
  let onAdded: (() => void)[];

  /** A background that begins, with what the last one left. */
  const started = () =>
    new TemporaryPermissions({
      permissions: {
        contains: ({ origins = [] }) => Promise.resolve(origins.every((one) => permitted.has(one))),
        getAll: () => Promise.resolve({ origins: [...permitted] }),
        onAdded: { addListener: (listener: () => void) => onAdded.push(listener) },
        remove: ({ origins = [] }) => {
          for (const origin of origins) permitted.delete(origin);
          return Promise.resolve(true);
        },
      },
      windows: {
        isOpen: (id: number) => Promise.resolve(open.has(id)),
        onClosed: (listener: () => void) => onClosed.push(listener),
      },
      notes,
      session,
      locks: new MemoryLocks(),
    } as never);

  const close = async (windowId: number): Promise<void> => {
    open.delete(windowId);
    for (const listener of onClosed) listener();
    await settled();
  };

  beforeEach(() => {
    [permitted, open, onClosed, onAdded] = [new Set(), new Set([1, 2]), [], []];
    [notes, session] = [new MemorySession(), new MemorySession()];
    temporary = started();
    temporary.watch();
  });

  it('are named before the browser can be asked, and go back when they were used', async () => {
    expect(await temporary.offer(A, 1, false)).to.equal(true);
    expect(await temporary.patterns()).to.deep.equal([A]);
    permitted.add(A);
    await temporary.giveBack(1);
    expect([...permitted]).to.deep.equal([]);
    // The same window may ask once more.
    expect(await temporary.patterns()).to.deep.equal([A]);
  });

  it('are nothing to ask for where the site is permitted already', async () => {
    permitted.add(A);
    expect(await temporary.offer(A, 1, false)).to.equal(false);
    await temporary.giveBack(1);
    await close(1);
    expect([...permitted]).to.deep.equal([A]);
  });

  it('go back when their window is closed, and no other', async () => {
    await temporary.offer(A, 1, false);
    await temporary.offer(B, 2, false);
    permitted.add(A).add(B);
    await temporary.giveBack(7);
    await close(1);
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[B], [B]]);
  });

  it('outlive the background, as long as their window does', async () => {
    await temporary.offer(A, 1, false);
    await temporary.offer(B, 2, false);
    permitted.add(A).add(B);
    open.delete(1);
    temporary = started();
    temporary.watch();
    await settled();
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[B], [B]]);
  });

  it('do not outlive the browser, though other windows have their numbers', async () => {
    await temporary.offer(A, 1, false);
    permitted.add(A);
    session = new MemorySession();
    temporary = started();
    temporary.watch();
    await settled();
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[], []]);
  });

  it('stay when the user has enabled the site meanwhile', async () => {
    await temporary.offer(A, 1, false);
    permitted.add(A);
    await temporary.keep(A);
    await temporary.giveBack(1);
    await close(1);
    expect([[...permitted], await temporary.patterns()]).to.deep.equal([[A], []]);
  });

  describe('of private windows', () => {
    const onDisk = (): string => JSON.stringify([...notes.values]);

    const permit = async (pattern: string): Promise<void> => {
      permitted.add(pattern);
      for (const listener of onAdded) listener();
      await settled();
    };

    /** Ends the browser in the middle: no window is closed, and the session store is gone. */
    const crash = async (): Promise<void> => {
      session = new MemorySession();
      [onClosed, onAdded] = [[], []];
      temporary = started();
      temporary.watch();
      await settled();
    };

    it('leave no record of their site on disk', async () => {
      permitted.add(B);
      expect(await temporary.offer(A, 1, true)).to.equal(true);
      expect(onDisk()).to.not.include('a.example');
      expect(await temporary.patterns()).to.deep.equal([A]);
      await permit(A);
      expect(onDisk()).to.not.include('a.example');
      await temporary.giveBack(1);
      expect([...permitted]).to.deep.equal([B]);
      await permit(A);
      await close(1);
      expect([[...permitted], await temporary.patterns()]).to.deep.equal([[B], []]);
      expect(onDisk()).to.not.include('example');
    });

    it('outlive the background, as long as their window does', async () => {
      await temporary.offer(A, 1, true);
      await permit(A);
      temporary = started();
      temporary.watch();
      await settled();
      expect([[...permitted], await temporary.patterns()]).to.deep.equal([[A], [A]]);
    });

    it('do not outlive the browser, and sites that the user enabled meanwhile do', async () => {
      permitted.add(B);
      await temporary.offer(A, 1, true);
      await permit(A);
      await permit('https://c.example/*');
      session = new MemorySession();
      expect(await started().patterns(), 'before anything is removed').to.deep.equal([A]);
      await crash();
      expect([...permitted]).to.deep.equal([B, 'https://c.example/*']);
      expect(await temporary.patterns()).to.deep.equal([]);
      expect(onDisk()).to.not.include('example');
      await crash();
      expect([...permitted]).to.deep.equal([B, 'https://c.example/*']);
    });

    it('stay when the user has enabled the site meanwhile', async () => {
      await temporary.offer(A, 1, true);
      await permit(A);
      await temporary.keep(A);
      await crash();
      expect([[...permitted], await temporary.patterns()]).to.deep.equal([[A], []]);
    });

    it('end as they began where the browser ends before they are given', async () => {
      permitted.add(B);
      await temporary.offer(A, 1, true);
      await crash();
      expect([[...permitted], await temporary.patterns()]).to.deep.equal([[B], []]);
    });

    it('are told from those of other windows after a crash', async () => {
      await temporary.offer(A, 1, true);
      await temporary.offer(B, 2, false);
      await permit(A);
      await permit(B);
      await crash();
      expect([[...permitted], await temporary.patterns()]).to.deep.equal([[], []]);
    });
  });
});
