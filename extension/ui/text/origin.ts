/** An origin taken apart for display. */
export interface OriginParts {
  /** "https://"; shown small, because the host is what tells sites apart. */
  readonly scheme: string;
  /** In ASCII: internationalised names stay as "xn--…", which no look-alike letter survives. */
  readonly host: string;
  /** ":8080", or empty. */
  readonly port: string;
  /** Whether part of the host stands for non-ASCII letters. */
  readonly punycode: boolean;
}

/** @throws TypeError if it is not the serialisation of an http(s) origin */
export function splitOrigin(origin: string): OriginParts {
  const url = new URL(origin);
  if (url.origin !== origin) throw new TypeError('origin: not in its serialised form');
  return {
    scheme: `${url.protocol}//`,
    host: url.hostname,
    port: url.port && `:${url.port}`,
    punycode: url.hostname.split('.').some((label) => label.startsWith('xn--')),
  };
}

/** For lists: "example.org" for a secure site, anything else as it stands. */
export function shortOrigin(origin: string): string {
  return origin.startsWith('https://') ? origin.slice('https://'.length) : origin;
}
