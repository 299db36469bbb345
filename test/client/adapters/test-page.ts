import { createTestSealwright } from '../../../extension/testing/testing.ts';
import type { TestSealwright } from '../../../extension/testing/testing.ts';
import type { Capability, Sealwright } from '../../../src/client/page-api.ts';

/** The extension in memory with a page that the user has allowed, and the number of items of each batch. */
export interface TestPage extends TestSealwright {
  readonly batches: { readonly seal: number[]; readonly open: number[] };
  /** `sealwright`, whose batches are counted. */
  readonly page: Pick<Sealwright, 'sealMany' | 'openMany' | 'blindIndex'>;
}

/** A page with `seal`, `open` and `blindIndex` for its app key. */
export async function testPage(): Promise<TestPage> {
  const test = await createTestSealwright();
  const { sealwright } = test;
  const capabilities: Capability[] = ['seal', 'open', 'blindIndex'];
  await sealwright.connect({ purpose: 'Keep documents private', capabilities });
  const batches = { seal: [] as number[], open: [] as number[] };
  const page: TestPage['page'] = {
    sealMany: (items, options) => {
      batches.seal.push(items.length);
      return sealwright.sealMany(items, options);
    },
    openMany: (items, options) => {
      batches.open.push(items.length);
      return sealwright.openMany(items, options);
    },
    blindIndex: (value, field, options) => sealwright.blindIndex(value, field, options),
  };
  return { ...test, batches, page };
}
