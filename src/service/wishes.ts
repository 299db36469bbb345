import { SealwrightError } from '../rpc/errors.ts';
import type { GrantRequest } from '../rpc/methods.ts';
import { CAPABILITIES, type KeyWish } from './grant-decisions.ts';
import type { Wish } from './consent-state.ts';

/**
 * A page's request in the one form that is compared, shown and stored.
 * @throws SealwrightError UNSUPPORTED for kinds of keys and capabilities of later releases: better
 *   than a prompt for something that then does not work
 */
export function wishOf(request: GrantRequest): Wish {
  const { purpose, key = 'app', capabilities, expiresInMs = null, maxUses = null } = request;
  const wanted = CAPABILITIES.filter((each) => capabilities.includes(each));
  if (wanted.length < new Set(capabilities).size) {
    throw new SealwrightError('UNSUPPORTED', `Grants are for ${CAPABILITIES.join(', ')}`);
  }
  return { purpose, key: keyWish(key), capabilities: wanted, expiresInMs, maxUses };
}

function keyWish(key: NonNullable<GrantRequest['key']>): KeyWish {
  if (key === 'app') return { kind: 'app' };
  if (key.kind === 'sealing') return { kind: 'sealing', label: key.label ?? null };
  throw new SealwrightError('UNSUPPORTED', `Keys for ${key.kind} come in a later release`);
}
