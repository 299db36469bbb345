import { findSealwright } from './discovery.ts';
import type { FindOptions } from './discovery.ts';
import { SealwrightClientError } from './errors.ts';
import type { Grant, GrantRequest, Sealwright } from './page-api.ts';

export interface ConnectOptions extends FindOptions {
  /** Names of ProviderInfo.features that the app cannot do without, such as "sync". */
  readonly features?: readonly string[];
}

export interface Connection {
  readonly sealwright: Sealwright;
  readonly grants: readonly Grant[];
  /** Of the key that was granted: what `key` of every call's options takes. */
  readonly key: string;
}

/**
 * The one door: finds Sealwright, and asks the user for what the app needs. Where a grant covers it
 * already nobody is asked, and where the vault is locked the extension's own window has the user
 * unlock it first. Call it in answer to a click.
 *
 * @example
 *   const { sealwright } = await connectSealwright({
 *     purpose: 'Keep your notes private on our server.',
 *     capabilities: ['seal', 'open'],
 *   });
 *
 * @throws SealwrightClientError ABSENT (not installed or not enabled), UNSUPPORTED (too old)
 * @throws SealwrightError USER_REJECTED and what else `connect` of the contract says
 */
export async function connectSealwright(
  request: GrantRequest,
  options: ConnectOptions = {},
): Promise<Connection> {
  const { signal, features = [] } = options;
  const sealwright = await findSealwright(options);
  const missing = features.filter((name) => !sealwright.info.features.includes(name));
  if (missing.length > 0) throw outdated(sealwright.info.version, missing);
  const grants = await sealwright.connect(request, signal && { signal });
  return { sealwright, grants, key: grants[0]!.keyId };
}

function outdated(version: string, missing: readonly string[]): SealwrightClientError {
  return new SealwrightClientError(
    'UNSUPPORTED',
    `Sealwright ${version} cannot do this yet (${missing.join(', ')}). Update the extension.`,
  );
}
