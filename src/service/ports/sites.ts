/**
 * The contract for the sites that the user has enabled: a site is a match pattern
 * (`https://example.com/*`), enabled means that the browser has given the permission and that the
 * page and content scripts are registered for it. `extension/platform/sites/sites.ts` implements it.
 */
export interface Sites {
  /** The enabled patterns: those of the browser's permission store, but for what was only lent. */
  enabled(): Promise<readonly string[]>;
  /**
   * Registers the scripts and serves the tabs already open.
   * @returns false where the browser has no permission: it is asked after a click, by our own pages
   */
  enable(pattern: string): Promise<boolean>;
  /** Gives the permission back and unregisters the scripts. */
  disable(pattern: string): Promise<void>;
  /** The address of a tab's top page, where the browser lets us see it. */
  tabAddress(tabId: number): Promise<string | undefined>;
  /** Whether a second script gathers pointer movements on enabled sites: not until the user says so. */
  gathersMovements(): Promise<boolean>;
  /** Registers that script and serves the tabs already open; or unregisters it and ends it there. */
  gatherMovements(on: boolean): Promise<void>;
  /** Whether sealed texts on pages of an enabled pattern get marks: unless the user took them away. */
  hasMarks(pattern: string): Promise<boolean>;
  setMarks(pattern: string, on: boolean): Promise<void>;
  /**
   * Has forms on a pattern guarded, as long as it is enabled; or no more. Guards that are in open tabs
   * begin anew, and so learn what has changed.
   */
  guard(pattern: string, on: boolean): Promise<void>;
}

/** The pattern that enables an origin. Patterns have no port, so all ports of a host go together. */
export function patternOf(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}

interface Pattern {
  readonly schemes: readonly string[];
  /** `*` for any host, `*.host` for a host and its subdomains. */
  readonly host: string;
}

/** A pattern that a user can enable: http or https or both (`*`), every path. */
function parsed(pattern: string): Pattern | undefined {
  if (pattern === '<all_urls>') return { schemes: ['http:', 'https:'], host: '*' };
  const parts = /^(\*|https?):\/\/(\*|(?:\*\.)?[^/*:?#@\s]+)\/\*$/.exec(pattern);
  if (!parts) return undefined;
  const [, scheme, host] = parts as unknown as [string, string, string];
  return { schemes: scheme === '*' ? ['http:', 'https:'] : [`${scheme}:`], host };
}

/** Whether a user can enable this pattern. */
export function isSitePattern(pattern: string): boolean {
  return parsed(pattern) !== undefined;
}

/** Whether a pattern covers an origin; false for an invalid pattern or origin. */
export function patternCovers(pattern: string, origin: string): boolean {
  const broad = parsed(pattern);
  if (!broad || !URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return broad.schemes.includes(protocol) && hostWithin(hostname, broad.host);
}

/** Whether one of the patterns covers the origin. */
export function coveredByAny(patterns: readonly string[], origin: string): boolean {
  return patterns.some((pattern) => patternCovers(pattern, origin));
}

/** Whether every address of `inner` is one of `outer` too. */
export function patternWithin(inner: string, outer: string): boolean {
  const narrow = parsed(inner);
  const broad = parsed(outer);
  if (!narrow || !broad) return false;
  const schemesWithin = narrow.schemes.every((scheme) => broad.schemes.includes(scheme));
  return schemesWithin && hostWithin(narrow.host, broad.host);
}

function hostWithin(host: string, pattern: string): boolean {
  if (pattern === '*' || host === pattern) return true;
  if (!pattern.startsWith('*.')) return false;
  const parent = pattern.slice('*.'.length);
  return host === parent || host.endsWith(`.${parent}`);
}
