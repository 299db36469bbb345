import type { Text } from './i18n.ts';
import { registrableDomain } from '../../../src/service/calls/registrable-domain.ts';

/** The parts of an origin, for display. */
export interface OriginParts {
  /** "https://". */
  readonly scheme: string;
  /** In ASCII: internationalised names stay as "xn--…", so that look-alike letters are visible. */
  readonly host: string;
  /** The end of the host that its owner registered (src/service/calls/registrable-domain.ts). */
  readonly registered: string;
  /** ":8080", or ''. */
  readonly port: string;
  /** Whether a label of the host encodes non-ASCII characters. */
  readonly punycode: boolean;
}

/** Splits an origin. @throws TypeError if it is not the serialisation of an http(s) origin */
export function splitOrigin(origin: string): OriginParts {
  const url = new URL(origin);
  if (url.origin !== origin) throw new TypeError('origin: not in its serialised form');
  const ending = url.hostname.endsWith('.') ? '.' : '';
  return {
    scheme: `${url.protocol}//`,
    host: url.hostname,
    registered: `${registrableDomain(url.hostname)}${ending}`,
    port: url.port && `:${url.port}`,
    punycode: url.hostname.split('.').some((label) => label.startsWith('xn--')),
  };
}

/** For lists: "example.org" for https://example.org, other origins unchanged. */
export function shortOrigin(origin: string): string {
  return origin.startsWith('https://') ? origin.slice('https://'.length) : origin;
}

/**
 * The host of an enabled site whose permission is wider than what its address shows: the browser's
 * patterns have no port. Undefined for https on its usual port, where others are rare.
 */
export function everyPortOf(origin: string, text: Text): string | undefined {
  const { scheme, host, port } = splitOrigin(origin);
  return scheme === 'http://' || port !== '' ? text.t('everyPort', host) : undefined;
}
