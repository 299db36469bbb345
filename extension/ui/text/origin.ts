/** The parts of an origin, for display. */
export interface OriginParts {
  /** "https://". */
  readonly scheme: string;
  /** In ASCII: internationalised names stay as "xn--…", so that look-alike letters are visible. */
  readonly host: string;
  /** The end of the host that its owner registered, as far as it shows without a list of suffixes. */
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
  return {
    scheme: `${url.protocol}//`,
    host: url.hostname,
    registered: registeredPart(url.hostname),
    port: url.port && `:${url.port}`,
    punycode: url.hostname.split('.').some((label) => label.startsWith('xn--')),
  };
}

/** Names below which anyone gets a site of their own; the best known of the public suffix list. */
const HOSTING: ReadonlySet<string> = new Set([
  'amazonaws.com',
  'azurewebsites.net',
  'blogspot.com',
  'cloudfront.net',
  'firebaseapp.com',
  'fly.dev',
  'github.io',
  'gitlab.io',
  'herokuapp.com',
  'netlify.app',
  'onrender.com',
  'pages.dev',
  'vercel.app',
  'web.app',
  'workers.dev',
]);

/**
 * The domain and what is registered below it: "bank.co.uk" of "www.bank.co.uk". Below countries, a
 * second label of up to three letters is taken for the registry's own. Where that is wrong, more of the
 * host is emphasised than was registered.
 */
function registeredPart(host: string): string {
  const labels = host.split('.');
  const isAddress = host.startsWith('[') || /^\d+$/.test(labels.at(-1)!);
  if (isAddress) return host;
  const [second = '', top = ''] = labels.slice(-2);
  const isShared = HOSTING.has(`${second}.${top}`) || (top.length === 2 && second.length <= 3);
  return labels.slice(isShared ? -3 : -2).join('.');
}

/** For lists: "example.org" for https://example.org, other origins unchanged. */
export function shortOrigin(origin: string): string {
  return origin.startsWith('https://') ? origin.slice('https://'.length) : origin;
}
