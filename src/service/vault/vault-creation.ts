import { VaultError } from '../../keys/values/errors.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';

/* Names the last call that began to create the vault. */
const STORE_KEY = 'creating vault';

/** How a vault is made, as `Vault.create` takes it. */
interface Creation {
  readonly place?: 'of-a-lost-one' | undefined;
  readonly signal: AbortSignal;
  readonly fill?: (draft: VaultDraft) => Promise<void>;
}

/**
 * Creates the vault once, however often the call is replayed. Its journal would be inside the vault
 * that is not there yet; so the session store remembers which call began, and a replay that finds a
 * vault proves with the passphrase that it is the one this call made.
 *
 * @param call names the call over replays
 * @param how as Vault.create
 * @throws VaultError EXISTS over a vault that another call made; as Vault.create
 */
export async function createVaultOnce(
  { vault, session }: { readonly vault: Vault; readonly session: SessionStore },
  passphrase: string,
  call: string,
  { place, signal, fill }: Creation,
): Promise<void> {
  const isReplay = (await session.get(STORE_KEY)) === call;
  await session.set(STORE_KEY, call);
  try {
    await vault.create(passphrase, place, signal, fill);
  } catch (error) {
    const mayBeOurs = isReplay && error instanceof VaultError && error.code === 'EXISTS';
    if (!mayBeOurs || !(await opens(vault, passphrase, signal))) throw error;
  }
}

async function opens(vault: Vault, passphrase: string, signal: AbortSignal): Promise<boolean> {
  try {
    await vault.unlock(passphrase, signal);
    return true;
  } catch (error) {
    if (error instanceof VaultError && error.code === 'WRONG_PASSPHRASE') return false;
    throw error;
  }
}
