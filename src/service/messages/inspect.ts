import { inspect } from '../../format/wire/inspect.ts';
import type { Implementations } from '../../rpc/call.ts';
import { asciiText } from './ascii.ts';

/** Reads what anyone can read: needs no key, no grant and no vault. */
export function inspectMethods(): Pick<Implementations, 'inspect'> {
  return {
    inspect(message) {
      const info = inspect('sealed' in message ? message.sealed : asciiText(message.armored));
      const { version, suite, purpose, headerKeyId, recipients, plaintextBytes } = info;
      return Promise.resolve({
        version,
        suite,
        purpose,
        headerKeyId,
        recipients,
        plaintextBytes,
      });
    },
  };
}
