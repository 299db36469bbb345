import { inspect } from '../../format/wire/inspect.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { OriginWorkshopDeps } from '../calls/origin-workshop.ts';
import { unarmored } from './armored.ts';

/** Reads what anyone can read: needs no key, no grant and no vault. */
export function inspectMethods(deps: OriginWorkshopDeps): Pick<Implementations, 'inspect'> {
  return {
    async inspect(message, call) {
      const sealed =
        'sealed' in message ? message.sealed : await unarmored(message.armored, call, deps);
      const { version, suite, purpose, headerKeyId, recipients, plaintextBytes } = inspect(sealed);
      return { version, suite, purpose, headerKeyId, recipients, plaintextBytes };
    },
  };
}
