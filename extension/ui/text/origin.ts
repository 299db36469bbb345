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

/** Letters and digits that are taken for one another, longer ones first. */
const ALIKE = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['5', 's'],
  ['-', ''],
] as const;

/**
 * Whether two origins of different owners have names that a person may take for one another: with letters of other scripts, or
 * the same but for one letter, for letters that look alike, or for the ending. Those of one owner are none, such as
 * app.example.org and example.org.
 */
export function areLookAlikes(one: string, other: string): boolean {
  const [a, b] = [splitOrigin(one), splitOrigin(other)];
  if (a.registered === b.registered) return false;
  if (a.punycode || b.punycode) return true;
  if (a.host.includes(b.registered) || b.host.includes(a.registered)) return true;
  const [first, second] = [skeleton(a.registered), skeleton(b.registered)];
  // Of the shortest names too many are one letter apart.
  const isLong = Math.min(first.length, second.length) > 3;
  return first === second || (isLong && isWithinOneEdit(first, second));
}

/** The name that someone registered, without its ending, as it looks. */
function skeleton(registered: string): string {
  const [label = ''] = registered.split('.');
  return ALIKE.reduce((text, [seen, taken]) => text.replaceAll(seen, taken), label);
}

/** Whether one letter more, less or exchanged, or two neighbours in another order, make one text of the other. */
function isWithinOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const [left, right] = [short.slice(at), long.slice(at)];
  const isSwapped =
    left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return (
    right.slice(1) === left || right.slice(1) === left.slice(1) || (left.length > 1 && isSwapped)
  );
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
