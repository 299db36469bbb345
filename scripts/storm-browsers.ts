/*
 * `npm run storm -- browsers`: the storms that need browsers, at full size; npm test runs a sample.
 *
 *   npx tsx scripts/storm.ts browsers [--share 0.1] [--only reloads]
 *
 * In both browsers, or those of $BROWSERS. Leaves a JSON result in bench/results/ for each.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { BROWSERS } from '../test/browser/drivers/launch.ts';
import { openVaultScene, type Scene } from '../test/browser/scene.ts';
import { manyTabs } from '../test/browser/storms/many-tabs.ts';
import { reloads } from '../test/browser/storms/reloads.ts';
import { revocations } from '../test/browser/storms/revocations.ts';
import { searchProfile } from '../test/browser/storms/search-profile.ts';
import type { StormResult } from '../test/keys/stress.ts';

type Storm = (scene: Scene, share: number) => Promise<StormResult>;

const part = (size: number, share: number): number => Math.max(2, Math.round(size * share));

/** The sizes of the issue; the search of the profile ends its browser. */
const STORMS: Readonly<Record<string, Storm>> = {
  'many tabs': ({ session, server }, share) =>
    manyTabs(session, server, { tabs: part(16, share), calls: part(1000, share) }),
  reloads: ({ session, server }, share) =>
    reloads(session, server, { tabs: part(20, share), reloads: part(50, share) }),
  revocations: ({ session, server }, share) => revocations(session, server, part(20, share)),
  'search of the profile': ({ session, server }) => searchProfile(session, server),
};

/** @returns whether every storm went by without a failure */
export async function stormBrowsers(share: number, only?: string): Promise<boolean> {
  let isCalm = true;
  for (const browser of BROWSERS) {
    const results: Record<string, StormResult & { readonly seconds: number }> = {};
    const version = { name: '' };
    for (const [name, storm] of Object.entries(STORMS)) {
      if (only !== undefined && only !== name) continue;
      const started = Date.now();
      const scene = await openVaultScene(browser);
      version.name = scene.session.version;
      const result = await storm(scene, share).finally(() => scene.server.close());
      await scene.session.close().catch(() => undefined); // it may have crashed, as it was told to
      const seconds = Math.round((Date.now() - started) / 1000);
      results[name] = { ...result, failures: result.failures.slice(0, 100), seconds };
      console.log(
        `${browser}, ${name}: ${result.trials} trials, ${result.failures.length} failures`,
      );
      for (const failure of result.failures.slice(0, 5)) console.log(`  ${failure}`);
      isCalm &&= result.failures.length === 0;
    }
    const machine = { browser: version.name, cpu: cpus()[0]?.model ?? 'unknown' };
    const path = `bench/results/storm-${browser}.json`;
    writeFileSync(path, `${JSON.stringify({ share, machine, results }, null, 2)}\n`);
    console.log(path);
  }
  return isCalm;
}
