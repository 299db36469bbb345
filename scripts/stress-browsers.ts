/*
 * `npm run stress -- browsers`: the stress tests that need browsers, at full size. `npm run nightly`
 * runs a sample (test/browser/stress/stress.test.ts).
 *
 *   npx tsx scripts/stress.ts browsers [--share 0.1] [--only reloads]
 *
 * In both browsers, or those of $BROWSERS. Leaves a JSON result in bench/results/ for each.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { BROWSERS } from '../test/browser/drivers/launch.ts';
import { openVaultScene, type Scene } from '../test/browser/scene.ts';
import { floods } from '../test/browser/stress/floods.ts';
import { manyTabs } from '../test/browser/stress/many-tabs.ts';
import { reloads } from '../test/browser/stress/reloads.ts';
import { revocations } from '../test/browser/stress/revocations.ts';
import { searchProfile } from '../test/browser/stress/search-profile.ts';
import type { StressResult } from '../test/keys/stress.ts';

type StressTest = (scene: Scene, share: number) => Promise<StressResult>;

const part = (size: number, share: number): number => Math.max(2, Math.round(size * share));

/** The sizes of the issue; the search of the profile ends its browser. */
const TESTS: Readonly<Record<string, StressTest>> = {
  floods: ({ session, server }, share) =>
    floods(session, server, {
      calls: part(20_000, share),
      large: part(16, share),
      questions: part(1000, share),
    }),
  'many tabs': ({ session, server }, share) =>
    manyTabs(session, server, { tabs: part(16, share), calls: part(1000, share) }),
  reloads: ({ session, server }, share) =>
    reloads(session, server, { tabs: part(20, share), reloads: part(50, share) }),
  revocations: ({ session, server }, share) => revocations(session, server, part(20, share)),
  'search of the profile': ({ session, server }) => searchProfile(session, server),
};

/** @returns whether every test passed */
export async function stressBrowsers(share: number, only?: string): Promise<boolean> {
  let hasPassed = true;
  for (const browser of BROWSERS) {
    const results: Record<string, StressResult & { readonly seconds: number }> = {};
    const version = { name: '' };
    for (const [name, test] of Object.entries(TESTS)) {
      if (only !== undefined && only !== name) continue;
      const started = Date.now();
      const scene = await openVaultScene(browser);
      version.name = scene.session.version;
      let result: StressResult;
      try {
        result = await test(scene, share);
      } finally {
        await scene.server.close();
      }
      await scene.session.close().catch(() => undefined); // it may have crashed, as it was told to
      const seconds = Math.round((Date.now() - started) / 1000);
      results[name] = { ...result, failures: result.failures.slice(0, 100), seconds };
      console.log(
        `${browser}, ${name}: ${result.trials} trials, ${result.failures.length} failures`,
      );
      for (const failure of result.failures.slice(0, 5)) console.log(`  ${failure}`);
      hasPassed &&= result.failures.length === 0;
    }
    const machine = { browser: version.name, cpu: cpus()[0]?.model ?? 'unknown' };
    const path = `bench/results/stress-${browser}.json`;
    writeFileSync(path, `${JSON.stringify({ share, machine, results }, null, 2)}\n`);
    console.log(path);
  }
  return hasPassed;
}
