import { SealwrightError } from '../../rpc/errors.ts';
import type { Capability } from '../../rpc/methods/method.ts';
import type { GrantRequest } from '../../rpc/methods/methods.ts';
import { CAPABILITIES_OF } from '../grants/grant-rules.ts';
import type { RequestedKey } from '../grants/grant-rules.ts';
import type { NormalizedRequest } from './consent-state.ts';

type Kind = RequestedKey['kind'];

/**
 * A page's request in the one form that is compared, shown and stored.
 * @throws SealwrightError INVALID_ARGUMENT for capabilities that such a key has not got: better than a
 *   prompt for something that then does not work
 */
export function normalizeRequest(request: GrantRequest): NormalizedRequest {
  const { purpose, capabilities, expiresInMs = null, maxUses = null } = request;
  const key = normalizeKey(request.key ?? 'app');
  const possible = CAPABILITIES_OF[key.kind];
  const impossible = capabilities.find((each) => !possible.includes(each));
  if (impossible !== undefined) throw otherKeyNeeded(key.kind, impossible);
  const wanted = possible.filter((each) => capabilities.includes(each));
  return { purpose, key, capabilities: wanted, expiresInMs, maxUses };
}

function otherKeyNeeded(kind: Kind, capability: Capability): SealwrightError {
  const kinds = (Object.keys(CAPABILITIES_OF) as Kind[]).filter((each) =>
    CAPABILITIES_OF[each].includes(capability),
  );
  const keys = kinds.map((each) => (each === 'app' ? '"app"' : `{ kind: "${each}" }`)).join(' or ');
  const has = `${kind === 'app' ? 'an' : 'a'} ${kind} key is for ${CAPABILITIES_OF[kind].join(', ')}`;
  const message = `request.key: expected ${keys} for the capability ${capability}; ${has}`;
  return new SealwrightError('INVALID_ARGUMENT', message);
}

function normalizeKey(key: NonNullable<GrantRequest['key']>): RequestedKey {
  if (key === 'app') return { kind: 'app' };
  const { kind, label = null } = key;
  if (kind !== 'sync') return { kind, label };
  return { kind, label, collections: [...new Set(key.collections)].sort() };
}
