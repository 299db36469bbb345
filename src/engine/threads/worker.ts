/** The script of a pool's worker: `threads-worker.js` beside the library. */
import { wipe } from '../../crypto/bytes.ts';
import type { Variant } from '../wasm/generator/dsl/lookup.ts';
import type { Order, PoolPort } from './protocol.ts';
import { SliceModules, workOf, type SliceWork } from './slices.ts';
import { ownPort } from './start-worker.ts';

/** Does in a worker what its pool orders. A failure is reported, and ends the pool. */
export function serve(port: PoolPort): void {
  const calls = new Map<number, Promise<SliceWork>>();
  let modules: SliceModules | undefined;
  const start = ({ modules: given, variant }: Order & { readonly type: 'start' }): void => {
    modules = new SliceModules((name) => Promise.resolve(given[name]!), variant as Variant);
    port.post({ type: 'ready' }, []);
  };
  const begin = ({ call, task }: Order & { readonly type: 'begin' }): void => {
    const work = workOf(task, modules!).finally(() => {
      if ('key' in task) wipe(task.key);
    });
    // Reported with the first slice.
    work.catch(() => undefined);
    calls.set(call, work);
  };
  const slice = async (order: Order & { readonly type: 'slice' }): Promise<void> => {
    const { call, index, from, length, buffer } = order;
    const work = await calls.get(call)!;
    const part = work.slice(new Uint8Array(buffer, 0, length), from);
    port.post({ type: 'done', call, index, buffer, part }, [buffer]);
  };
  const end = async ({ call }: Order & { readonly type: 'end' }): Promise<void> => {
    const work = calls.get(call);
    calls.delete(call);
    (await work)?.wipe();
  };
  const obey = async (order: Order): Promise<void> => {
    if (order.type === 'start') start(order);
    else if (order.type === 'begin') begin(order);
    else if (order.type === 'slice') await slice(order);
    else await end(order);
  };
  port.onOrder((order) => {
    obey(order).catch((error: unknown) => {
      port.post({ type: 'failed', reason: String(error) }, []);
    });
  });
}

const port = ownPort();
if (port) serve(port);
