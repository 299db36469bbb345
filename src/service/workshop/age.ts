import type { Age, AgeSecrets } from '../../keys/ring/age.ts';
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
    sealHead: (recipients) =>
      workshop.call('files', 'age.sealHead', {
        secrets: {},
        params: { recipients: [...recipients] },
      }),
    open: (file, given, caller) =>
      inTime(caller, (signal) => {
        const input = { secrets: secretsOf(given), params: { file } };
        return workshop.call('files', 'age.open', input, { signal });
      }),
    openHead: (head, given, caller) =>
      inTime(caller, (signal) => {
        const input = { secrets: secretsOf(given), params: { head } };
        return workshop.call('files', 'age.openHead', input, { signal });
      }),
    recipientsOf: (identities) =>
      workshop.call('files', 'age.recipientsOf', {
        secrets: { identities: [...identities] },
        params: {},
      }),
  };
}

const secretsOf = ({ identities, seeds = [], passphrase }: AgeSecrets) => ({
  identities: [...identities],
  seeds: [...seeds],
  ...(passphrase !== undefined && { passphrase }),
});

async function inTime(
  caller: AbortSignal | undefined,
  open: (signal: AbortSignal) => Promise<Uint8Array | null>,
): Promise<Uint8Array | undefined> {
  const deadline = AbortSignal.timeout(OPEN_MS);
  try {
    return (await open(caller ? AbortSignal.any([caller, deadline]) : deadline)) ?? undefined;
  } catch (error) {
    const isBad = error instanceof TypeError || error === deadline.reason;
    throw isBad ? new VaultError('BAD_BACKUP', { cause: error }) : error;
  }
}
