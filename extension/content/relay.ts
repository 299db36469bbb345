import type { Call, ImplementationsOf } from '../../src/rpc/call.ts';
import type { MethodClient } from '../../src/rpc/method-client.ts';
import type { NameIn } from '../../src/rpc/method.ts';
import { PAGE_METHODS } from '../../src/rpc/page-methods.ts';

type PageMethods = typeof PAGE_METHODS;
type PageMethod = NameIn<PageMethods>;

/**
 * The methods of a page, each answered by asking the background. The page's messages have been
 * validated once when they get here; its request ids and whatever it says of itself stay behind.
 */
export function relayedMethods(client: MethodClient<PageMethods>): ImplementationsOf<PageMethods> {
  const names = Object.keys(PAGE_METHODS) as PageMethod[];
  const entries = names.map((name) => [name, relayed(client, name)]);
  return Object.fromEntries(entries) as ImplementationsOf<PageMethods>;
}

function relayed(client: MethodClient<PageMethods>, name: PageMethod) {
  return (params: never, call: Call): Promise<unknown> => {
    const onProgress = ({ bytes, total }: { bytes: number; total?: number }): void =>
      call.progress(bytes, total);
    const started = client.start(name, params, { onProgress });
    call.signal.addEventListener('abort', () => started.abort());
    return started.result;
  };
}
