import { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import { featuresOf } from '../../../src/rpc/methods/method.ts';
import { freeze } from '../../../src/rpc/primordials.ts';

/**
 * What a page can rely on: the methods and groups of methods that the table's rows serve, and the
 * one method that needs no call.
 */
const FEATURES = freeze([...featuresOf(CONTENT_METHODS), 'sealedLength']);

/** A seal: a disc with a keyhole. */
const ICON =
  'data:image/svg+xml,' +
  '%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E' +
  '%3Ccircle cx="16" cy="16" r="15" fill="%238a1c2b"/%3E' +
  '%3Cpath fill="%23fff" d="M16 8a5 5 0 0 0-2.5 9.3L12 24h8l-1.5-6.7A5 5 0 0 0 16 8z"/%3E' +
  '%3C/svg%3E';

export interface Info {
  readonly uuid: string;
  readonly name: string;
  readonly rdns: string;
  readonly icon: string;
  readonly version: string;
  readonly api: string;
  readonly features: readonly string[];
}

export const RDNS = 'org.sealwright';

/** @param uuid new for each page load: it distinguishes providers, and cannot identify a user */
export function providerInfo(uuid: string): Info {
  return freeze({
    uuid,
    name: 'Sealwright',
    rdns: RDNS,
    icon: ICON,
    version: VERSION,
    api: API_VERSION,
    features: FEATURES,
  });
}

/** The version in manifest.json, which a page's script cannot read. A test compares the two. */
export const VERSION = '0.1.0';

/** The version of src/client/page-api.ts. */
export const API_VERSION = '1.0.0';
