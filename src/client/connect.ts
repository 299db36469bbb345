import { findSealwright } from './discovery.ts';
import type { FindOptions } from './discovery.ts';
import { checkOptions, SealwrightClientError } from './errors.ts';
import type { Grant, GrantRequest, Sealwright } from './page-api.ts';

/** How to find Sealwright, and which features it must have. */
export interface ConnectOptions extends FindOptions {
  /** Names of ProviderInfo.features that the app requires, such as "sync". */
  readonly features?: readonly string[] | undefined;
}

/** Sealwright with the grants that the user gave. */
export interface Connection {
  readonly sealwright: Sealwright;
  readonly grants: readonly Grant[];
  /** Id of the granted key, for `key` in the options of calls. */
  readonly key: string;
}

/**
 * Finds Sealwright and requests the grants that the app needs. If existing grants cover the request,
 * the user is not asked. If the vault is locked, the extension's window asks the user to unlock it
 * first. Call it in a click handler.
 *
 * @example
 *   const { sealwright } = await connectSealwright({
 *     purpose: 'Keep your notes private on our server.',
 *     capabilities: ['seal', 'open'],
 *   });
 *
 * @throws SealwrightClientError ABSENT (not installed or not enabled), UNSUPPORTED (too old)
 * @throws SealwrightError USER_REJECTED and the other errors of `Sealwright.connect`
 */
export async function connectSealwright(
  request: GrantRequest,
  options: ConnectOptions = {},
): Promise<Connection> {
  checkOptions(options, 'waitMs', 'signal', 'target', 'features');
  const { features = [], ...finding } = options;
  const { signal } = finding;
  const sealwright = await findSealwright(finding);
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
