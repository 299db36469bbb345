import { median } from '../../src/engine/self-test/measure.ts';
import type { BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import { openFiles, openWhatWasSealed } from '../../test/browser/file-steps.ts';
import {
  changePassphrase,
  createVault,
  lockVault,
  openPopup,
  PASSPHRASE,
} from '../../test/browser/steps.ts';
import type { UnlockExtras } from '../result.ts';
import type { BrowserRun } from '../suite.ts';
import { cancelled, lastDerivation, openedFile, watched, watchUnlock } from './in-page.ts';
import type { Watched } from './in-page.ts';

const UNLOCKS = 3;

/**
 * The built extension on the machine that calibrates it: calibrations one after the other, each by a
 * change of the passphrase, and some unlocks under each.
 */
export const runUnlock: BrowserRun = async (name, { rounds }) => {
  const session = await launch(name);
  try {
    await createVault(session);
    const costs: string[] = [];
    const unlocks: Unlock[] = [];
    const cancels: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // A new passphrase is calibrated for anew.
      if (round > 0) await changePassphrase(session, PASSPHRASE, PASSPHRASE);
      cancels.push(await cancelOnce(session));
      for (let i = 0; i < UNLOCKS; i++) unlocks.push(await unlockOnce(session));
      costs.push(unlocks.at(-1)!.cost);
      console.log(`${costs.at(-1)}: ${unlocks.slice(-UNLOCKS).map(inWords).join('; ')}`);
    }
    const passphraseFileMs = await openFilesWithPassphrases(session, rounds);
    const figures = { ...figuresOf(costs, unlocks, cancels), passphraseFileMs };
    return { platform: session.version, extras: { unlock: figures } };
  } finally {
    await session.close();
  }
};

/** One unlock, with how much of it was the derivation. */
interface Unlock extends Watched {
  readonly cost: string;
  readonly deriveMs: number;
}

const inWords = ({ unlockMs, deriveMs, longestFrameMs }: Unlock): string =>
  `${unlockMs.toFixed(0)} ms (${deriveMs} derived), longest frame ${longestFrameMs.toFixed(0)} ms`;

async function readyToUnlock(session: BrowserSession): Promise<Tab> {
  await lockVault(session);
  const popup = await openPopup(session);
  await popup.type('#passphrase', PASSPHRASE);
  return popup;
}

async function unlockOnce(session: BrowserSession): Promise<Unlock> {
  const popup = await readyToUnlock(session);
  await popup.evaluate(watchUnlock);
  await popup.click('#unlock');
  await popup.waitFor('#nav-site', 30_000);
  const seen = await popup.evaluate(watched);
  const [cost, deriveMs] = await popup.evaluate(lastDerivation);
  await popup.close();
  return { ...seen, cost, deriveMs };
}

async function cancelOnce(session: BrowserSession): Promise<number> {
  const popup = await readyToUnlock(session);
  await popup.click('#unlock');
  await popup.waitFor('#cancel-unlock');
  const ms = await popup.evaluate(cancelled);
  await popup.type('#passphrase', PASSPHRASE);
  await popup.click('#unlock');
  await popup.waitFor('#nav-site', 30_000);
  await popup.close();
  return ms;
}

/** Each file is made and opened in the manager. @returns the longest opening, ms */
async function openFilesWithPassphrases(session: BrowserSession, count: number): Promise<number> {
  const manager = await openFiles(session);
  await manager.click('#audience-words');
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    await manager.chooseFile('#seal-file', 'package.json');
    await manager.click('#seal-file-now[aria-disabled="false"]');
    await manager.waitFor('#told-words', 30_000);
    const words = await manager.text('#told-words');
    await openWhatWasSealed(manager);
    await manager.waitFor('#open-words', 30_000);
    await manager.type('#open-words', words);
    times.push(await manager.evaluate(openedFile));
  }
  await manager.close();
  return Math.max(...times);
}

function figuresOf(
  costs: readonly string[],
  unlocks: readonly Unlock[],
  cancels: readonly number[],
): UnlockExtras {
  const times = unlocks.map(({ unlockMs }) => unlockMs);
  const parsed = costs.map((cost) => cost.split(' ').map(Number) as [number, number, number]);
  const least = (index: 0 | 1 | 2) => Math.min(...parsed.map((cost) => cost[index]));
  return {
    costs,
    medianMs: median(times),
    medianDeriveMs: median(unlocks.map(({ deriveMs }) => deriveMs)),
    fastestMs: Math.min(...times),
    slowestMs: Math.max(...times),
    leastMemoryBytes: least(0) * 1024,
    leastPasses: least(1),
    leastLanes: least(2),
    longestFrameMs: Math.max(...unlocks.map(({ longestFrameMs }) => longestFrameMs)),
    cancelMs: Math.max(...cancels),
  };
}
