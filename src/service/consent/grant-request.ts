import { SealwrightError } from '../../rpc/errors.ts';
import { capabilitiesOf, SITE_KEY_KINDS } from '../../rpc/key-kinds.ts';
import type { Capability, SiteKeyKind } from '../../rpc/key-kinds.ts';
import type { GrantRequest } from '../../rpc/methods/methods.ts';
import type { RequestedKey } from '../grants/grant-rules.ts';
import type { NormalizedRequest } from './consent-state.ts';

/**
 * A page's request in the one form that is compared, shown and stored.
 * @throws SealwrightError INVALID_ARGUMENT for capabilities that such a key has not got: better than a
 *   prompt for something that then does not work
 */
export function normalizeRequest(request: GrantRequest): NormalizedRequest {
  const { purpose, capabilities, expiresInMs = null, maxUses = null } = request;
  const { maxPerHour = null, bulk } = request;
  const key = normalizeKey(request.key ?? 'app');
  const possible = capabilitiesOf(key.kind);
  const impossible = capabilities.find((each) => !possible.includes(each));
  if (impossible !== undefined) throw otherKeyNeeded(key.kind, impossible);
  const wanted = possible.filter((each) => capabilities.includes(each));
  return {
    purpose,
    key,
    capabilities: wanted,
    expiresInMs,
    maxUses,
    maxPerHour,
    bulk: bulk?.records ?? null,
  };
}

function otherKeyNeeded(kind: SiteKeyKind, capability: Capability): SealwrightError {
  const kinds = SITE_KEY_KINDS.filter((each) => capabilitiesOf(each).includes(capability));
  const keys = kinds.map((each) => (each === 'app' ? '"app"' : `{ kind: "${each}" }`)).join(' or ');
  const has = `${kind === 'app' ? 'an' : 'a'} ${kind} key is for ${capabilitiesOf(kind).join(', ')}`;
  const message = `request.key: expected ${keys} for the capability ${capability}; ${has}`;
  return new SealwrightError('INVALID_ARGUMENT', message);
}

function normalizeKey(key: NonNullable<GrantRequest['key']>): RequestedKey {
  if (key === 'app') return { kind: 'app' };
  const { kind, label = null } = key;
  if (!('collections' in key)) return { kind, label };
  return { kind, label, collections: [...new Set(key.collections)].sort() };
}
