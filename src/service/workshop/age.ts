import type { Age } from '../../keys/ring/age.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { Workshop } from '../../rpc/workshop.ts';

/**
 * How long a file may take to open. Its header chooses the work: scrypt with up to 1 GiB (a minute of a slow
 * processor), and any number of recipients, each of which is tried with every identity.
 */
const OPEN_MS = 5 * 60_000;

/** age in the workshop: its library reads headers that an attacker may have written. */
export function workshopAge(workshop: Workshop): Age {
  return {
    seal: (contents, recipients) =>
      workshop.call('files', 'age.seal', {
        secrets: { contents },
        params: { recipients: [...recipients] },
      }),
    async open(file, { identities, passphrase }, signal) {
      const secrets = {
        identities: [...identities],
        ...(passphrase !== undefined && { passphrase }),
      };
      const deadline = AbortSignal.timeout(OPEN_MS);
      const options = { signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
      try {
        const opening = workshop.call('files', 'age.open', { secrets, params: { file } }, options);
        return (await opening) ?? undefined;
      } catch (error) {
        const isBad = error instanceof TypeError || error === deadline.reason;
        throw isBad ? new VaultError('BAD_BACKUP', { cause: error }) : error;
      }
    },
    recipientsOf: (identities) =>
      workshop.call('files', 'age.recipientsOf', {
        secrets: { identities: [...identities] },
        params: {},
      }),
  };
}
