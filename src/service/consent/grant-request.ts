import { SealwrightError } from '../../rpc/errors.ts';
import type { GrantRequest } from '../../rpc/methods/methods.ts';
import { CAPABILITIES_OF, type RequestedKey } from '../grants/grant-rules.ts';
import type { NormalizedRequest } from './consent-state.ts';

/**
 * A page's request in the one form that is compared, shown and stored.
 * @throws SealwrightError UNSUPPORTED for capabilities that such a key has not got: better than a
 *   prompt for something that then does not work
 */
export function normalizeRequest(request: GrantRequest): NormalizedRequest {
  const { purpose, capabilities, expiresInMs = null, maxUses = null } = request;
  const key = normalizeKey(request.key ?? 'app');
  const possible = CAPABILITIES_OF[key.kind];
  const wanted = possible.filter((each) => capabilities.includes(each));
  if (wanted.length < new Set(capabilities).size) {
    const kind = key.kind === 'app' ? 'An app key' : `A ${key.kind} key`;
    throw new SealwrightError('UNSUPPORTED', `${kind} is for ${possible.join(', ')}`);
  }
  return { purpose, key, capabilities: wanted, expiresInMs, maxUses };
}

function normalizeKey(key: NonNullable<GrantRequest['key']>): RequestedKey {
  if (key === 'app') return { kind: 'app' };
  const { kind, label = null } = key;
  if (kind !== 'sync') return { kind, label };
  return { kind, label, collections: [...new Set(key.collections)].sort() };
}
