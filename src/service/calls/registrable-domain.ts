/**
 * The registrable domain of a host, without the public suffix list, which would be out of date by the
 * next release. It limits how often one owner may ask the user, and shows the user the part of a name that
 * someone registered. Grants and keys never depend on it: they belong to whole origins.
 */

/** Below the domain of a country, labels under which others register: co.uk, com.br. */
const SECOND_LEVELS: ReadonlySet<string> = new Set(
  'ac co com edu go gob gouv gov mil ne net nom or org sch'.split(' '),
);

/**
 * Further suffixes: services whose customers each have a subdomain, and second levels of single countries;
 * the best known of the public suffix list.
 */
const SUFFIXES: ReadonlySet<string> = new Set([
  'amazonaws.com',
  'asso.fr',
  'azurewebsites.net',
  'blogspot.com',
  'cloudfront.net',
  'firebaseapp.com',
  'fly.dev',
  'github.io',
  'gitlab.io',
  'herokuapp.com',
  'id.au',
  'ltd.uk',
  'me.uk',
  'myshopify.com',
  'netlify.app',
  'onrender.com',
  'pages.dev',
  'plc.uk',
  'vercel.app',
  'web.app',
  'workers.dev',
]);

/**
 * @param host of a URL: in ASCII, an IP address, or an IPv6 address in brackets
 * @returns "bank.co.uk" of "www.bank.co.uk"; an address, and a host of one label, whole. Customers of a
 *   service that is not listed count as one owner.
 */
export function registrableDomain(host: string): string {
  if (isAddress(host)) return host;
  // A host with a dot at its end is another origin of the same owner.
  const labels = host.replace(/\.$/, '').split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const isCountry = top.length === 2 && SECOND_LEVELS.has(second);
  const isSuffix = isCountry || SUFFIXES.has(`${second}.${top}`);
  return labels.slice(isSuffix ? -3 : -2).join('.');
}

/** Whether a host of a URL is an IP address. */
export function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.startsWith('[');
}
