import type { Caller } from '../../rpc/channel.ts';
import { isAddress, registrableDomain } from './registrable-domain.ts';

/*
 * Which frames are served at all, decided from what the browser says about the caller and from
 * nothing that the page can write. Pure, so that the whole table stands in one test.
 */

/** A page as caller, as the browser describes it. */
export type PageCaller = Extract<Caller, { kind: 'page' }>;

/** Where a grant holds: a frame's origin, under a top-level page, in a cookie container. */
export interface Scope {
  readonly origin: string;
  readonly topOrigin: string;
  readonly container: string | null;
}

/** Whether a frame is served, and if not, the words of its UNSUPPORTED: no grant would help. */
export type FrameVerdict =
  { readonly served: true } | { readonly served: false; readonly reason: string };

const SERVED: FrameVerdict = { served: true };
const refused = (reason: string): FrameVerdict => ({ served: false, reason });
const IN_A_TAB = 'open the app in a tab of its own';

/** Rules in order: an origin that names a site, a secure context all the way up, the top's own site. */
export function judgeFrame(caller: PageCaller): FrameVerdict {
  const frame = tupleOrigin(caller.origin);
  const top = tupleOrigin(caller.topOrigin);
  if (!frame || !top) {
    return refused(`Sealwright does not serve sandboxed or opaque frames: ${IN_A_TAB}`);
  }
  if (!isSecure(frame) || !isSecure(top)) {
    return refused(
      'Sealwright serves secure contexts only (https or localhost), with all frames around',
    );
  }
  if (!isSameSite(frame, top)) {
    return refused(`Sealwright does not serve frames of another site than the page: ${IN_A_TAB}`);
  }
  return SERVED;
}

/** The scope whose grants apply to a caller. */
export function scopeOf(caller: PageCaller): Scope {
  return { origin: caller.origin, topOrigin: caller.topOrigin, container: caller.container };
}

/** Of a scope, what the audit log names. */
export function siteOf({ origin, container }: Scope): Omit<Scope, 'topOrigin'> {
  return { origin, container };
}

/**
 * The owner of an origin, by whom questions to the user are limited: its registrable domain. On this
 * machine each port is a program, and so an owner, of its own.
 */
export function ownerOf(origin: string): string {
  const { hostname, port } = new URL(origin);
  const domain = registrableDomain(hostname);
  return isLoopback(hostname) ? `${domain}:${port}` : domain;
}

/** Whether both are one scope: the same origin, top-level origin and container. */
export function sameScope(a: Scope, b: Scope): boolean {
  return a.origin === b.origin && a.topOrigin === b.topOrigin && a.container === b.container;
}

/** What is wrong with a page's address, in the words of `ui.site`; null when it can be enabled. */
export function addressProblem(
  url: string,
): null | 'insecure' | 'opaque' | 'browser-page' | 'file' {
  if (!URL.canParse(url)) return 'browser-page';
  const address = new URL(url);
  if (address.protocol === 'file:') return 'file';
  if (address.protocol === 'data:' || address.protocol === 'blob:') return 'opaque';
  if (!tupleOrigin(address.origin)) return 'browser-page';
  return isSecure(address) ? null : 'insecure';
}

/** An http(s) origin in its canonical ASCII serialisation, or nothing. */
function tupleOrigin(origin: string): URL | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.origin === origin ? url : undefined;
}

/** Secure Contexts, section 3.1: https, or a loopback host, whose traffic never leaves the machine. */
function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/**
 * Same site without a list of public suffixes: the same host, or one host a subdomain of the
 * other. Siblings (a.example.com in b.example.com) count as another site: too strict now and
 * then, but a stale suffix list would be too lax for strangers on one shared suffix.
 */
function isSameSite(frame: URL, top: URL): boolean {
  if (frame.protocol !== top.protocol) return false;
  return (
    frame.hostname === top.hostname ||
    isSubdomain(frame.hostname, top.hostname) ||
    isSubdomain(top.hostname, frame.hostname)
  );
}

/** A parent needs a dot of its own: `com` and `localhost` are no site's parent. IP addresses have no parents. */
function isSubdomain(host: string, parent: string): boolean {
  return !isAddress(host) && parent.includes('.') && host.endsWith(`.${parent}`);
}

/** What was judged of a frame, for as long as its line lives: a caller is a fact that does not change. */
export class FrameVerdicts {
  readonly #known = new WeakMap<PageCaller, FrameVerdict>();

  of(caller: PageCaller): FrameVerdict {
    const known = this.#known.get(caller);
    if (known) return known;
    const verdict = judgeFrame(caller);
    this.#known.set(caller, verdict);
    return verdict;
  }
}
