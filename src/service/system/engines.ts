import type { Implementations } from '../../rpc/call.ts';
import type { Engines } from './engine-list.ts';

interface Parts {
  readonly engines: Engines;
}

export function engineMethods({ engines }: Parts): Pick<Implementations, 'ui.keepThresholds'> {
  return {
    async 'ui.keepThresholds'({ thresholds }) {
      await engines.keepThresholds(thresholds);
      return {};
    },
  };
}
