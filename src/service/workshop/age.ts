import type { Age } from '../../keys/ring/age.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { Workshop } from '../../rpc/workshop.ts';

/** age in the workshop: its library reads headers that an attacker may have written. */
export function workshopAge(workshop: Workshop): Age {
  return {
    seal: (contents, recipients) =>
      workshop.call('files', 'age.seal', {
        secrets: { contents },
        params: { recipients: [...recipients] },
      }),
    async open(file, { identities, passphrase }) {
      const secrets = {
        identities: [...identities],
        ...(passphrase !== undefined && { passphrase }),
      };
      try {
        const opening = workshop.call('files', 'age.open', { secrets, params: { file } });
        return (await opening) ?? undefined;
      } catch (error) {
        throw error instanceof TypeError ? new VaultError('BAD_BACKUP', { cause: error }) : error;
      }
    },
    recipientsOf: (identities) =>
      workshop.call('files', 'age.recipientsOf', {
        secrets: { identities: [...identities] },
        params: {},
      }),
  };
}
