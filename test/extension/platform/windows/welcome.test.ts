import { expect } from 'chai';
import type { Runtime } from 'webextension-polyfill';
import {
  WELCOME_PAGE,
  welcomeAfterInstall,
} from '../../../../extension/platform/windows/welcome.ts';
import { screenOf } from '../../../../extension/manager/screens.ts';
import { settled } from '../../../support/service-fakes.ts';

type Installed = (details: { reason: Runtime.OnInstalledReason }) => void;

describe('platform/welcome', () => {
  const marks: boolean[] = [];
  const opened: unknown[] = [];
  let installed: Installed;

  beforeEach(() => {
    opened.length = 0;
    const runtime = {
      onInstalled: { addListener: (listener: Installed) => (installed = listener) },
      getURL: (path: string) => `chrome-extension://id/${path}`,
    };
    const tabs = { create: (tab: unknown) => Promise.resolve(void opened.push(tab)) };
    const deps = { runtime, tabs } as unknown as Parameters<typeof welcomeAfterInstall>[0];
    welcomeAfterInstall(deps, () => Promise.resolve(marks.shift()!));
  });

  const openedAfter = async (reason: string, ...isFirst: boolean[]) => {
    marks.splice(0, Infinity, ...isFirst);
    installed({ reason: reason as Runtime.OnInstalledReason });
    await settled();
    return opened;
  };

  it('opens the first run after the installation', async () => {
    const url = `chrome-extension://id/${WELCOME_PAGE}`;
    expect(await openedAfter('install', true)).to.deep.equal([{ url }]);
    expect(screenOf(new URL(url).hash)).to.equal('welcome');
  });

  it('opens nothing after updates, or where there was a first run', async () => {
    for (const reason of ['update', 'browser_update']) {
      expect(await openedAfter(reason)).to.deep.equal([]);
    }
    expect(await openedAfter('install', false)).to.deep.equal([]);
  });
});
