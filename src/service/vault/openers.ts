import { wipe } from '../../crypto/bytes.ts';
import { NEW_KEY_PAIR } from '../../format/wire/recipient-table.ts';
import { codePair, memberOf, passkeyPair, wipePair } from '../../keys/circle/members.ts';
import type { Member, MemberPair } from '../../keys/circle/members.ts';
import { keepOpenerIn, openersIn } from '../../keys/circle/openers.ts';
import { parseRecoveryCode } from '../../keys/unlock/recovery-code.ts';
import { nameOfSlot } from '../../keys/unlock/slots.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import { isUnsupported } from '../errors.ts';
import type { Sharing } from '../sharing/sharing.ts';

/** What the openers of a vault are made with. */
export interface OpenersParts {
  readonly vault: Vault;
  readonly sharing: Pick<Sharing, 'kem'>;
}

/**
 * A recovery code as a member.
 *
 * @returns undefined for a text that is no code, and where the platform has no Ed25519: such a browser is in no circle
 */
export async function codeMember(
  code: string,
  { sharing }: Pick<OpenersParts, 'sharing'>,
): Promise<Member | undefined> {
  const pair = pairOfCode(code);
  return pair && memberUnlessUnsupported(pair, sharing);
}

/** The pairs of a recovery code, which the caller wipes; undefined for a text that is no code. */
export function pairOfCode(code: string): MemberPair | undefined {
  const secret = parseRecoveryCode(code);
  if (!secret) return undefined;
  try {
    return codePair(secret);
  } finally {
    wipe(secret);
  }
}

/**
 * A passkey as a member.
 *
 * @param output of its PRF for the input that depends on no vault, 32 bytes or more, which the caller wipes
 * @returns undefined where the platform has no Ed25519
 * @throws RangeError for an output that is short or all zero
 */
export async function passkeyMember(
  output: Uint8Array,
  { sharing }: Pick<OpenersParts, 'sharing'>,
): Promise<Member | undefined> {
  return memberUnlessUnsupported(passkeyPair(output), sharing);
}

async function memberUnlessUnsupported(
  pair: MemberPair,
  sharing: OpenersParts['sharing'],
): Promise<Member | undefined> {
  try {
    return await memberOf(pair, '', await sharing.kem(NEW_KEY_PAIR));
  } catch (error) {
    if (isUnsupported(error)) return undefined;
    throw error;
  } finally {
    wipePair(pair);
  }
}

/**
 * A recovery code has opened the vault: one that was made before vaults kept openers becomes known. What fails leaves it
 * unknown, which the manager tells; the vault is open all the same.
 */
export async function noteEnteredCode(code: string, parts: OpenersParts): Promise<void> {
  await note(code, parts).catch(() => undefined);
}

async function note(code: string, parts: OpenersParts): Promise<void> {
  const { vault } = parts;
  const member = await codeMember(code, parts);
  if (!member) return;
  await vault.reauthenticate({ recoveryCode: code }, async ({ slot }) => {
    const name = nameOfSlot(slot);
    await vault.commit(async (draft) => {
      const isKnown = (await openersIn(draft)).some((each) => each.slot === name);
      if (!isKnown && draft.slotNames.includes(name)) await keepOpenerIn(draft, name, member);
    });
  });
}
