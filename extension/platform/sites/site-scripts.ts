import type { Scripting } from 'webextension-polyfill';
import { sameJson } from '../../../src/keys/json.ts';
import { patternWithin } from '../../../src/service/system/sites.ts';

/* Which scripts belong into the frames of which sites: pure, from what is permitted and chosen. */

export type Script = Scripting.RegisteredContentScript & { matchOriginAsFallback?: boolean };

export interface World {
  readonly name: string;
  readonly file: string;
  readonly world: 'ISOLATED' | 'MAIN';
  readonly runAt: 'document_start' | 'document_idle';
}

const EARLY = { runAt: 'document_start' } as const;

/** content.ts first: it then waits for page.ts's hello, whichever the browser starts first. */
const ALWAYS: readonly World[] = [
  { name: 'content', file: 'content.js', world: 'ISOLATED', ...EARLY },
  { name: 'page', file: 'page.js', world: 'MAIN', ...EARLY },
];
/** They have nothing to do before there is text. */
const MARKS: World = {
  ...{ name: 'marks', file: 'marks.js', world: 'ISOLATED', runAt: 'document_idle' },
};
const MOVEMENTS: World = { name: 'movements', file: 'movements.js', world: 'ISOLATED', ...EARLY };
export const GUARDS: readonly World[] = [
  { name: 'guard', file: 'guard.js', world: 'ISOLATED', ...EARLY },
  { name: 'guard-page', file: 'guard-page.js', world: 'MAIN', ...EARLY },
];

/** Scripts that go together into the frames of a pattern, and into none of what it excludes. */
export interface Service {
  readonly pattern: string;
  readonly worlds: readonly World[];
  readonly excluded: readonly string[];
}

/** What the user chose beside the permissions. */
export interface SiteChoices {
  readonly gathersMovements: boolean;
  /** Patterns on which sealed texts get no marks. */
  readonly withoutMarks: readonly string[];
  /** Patterns whose forms are guarded, as long as they are enabled. */
  readonly guarded: readonly string[];
}

export function servicesOf(permitted: readonly string[], choices: SiteChoices): readonly Service[] {
  const { gathersMovements, withoutMarks } = choices;
  const always = gathersMovements ? [...ALWAYS, MOVEMENTS] : ALWAYS;
  const within = (pattern: string) => withoutMarks.filter((each) => patternWithin(each, pattern));
  const broadest = permitted.filter((pattern) => !isWithinAnother(pattern, permitted));
  const marked = broadest.filter((pattern) => !withoutMarks.includes(pattern));
  const guarded = choices.guarded.filter((pattern) =>
    permitted.some((each) => patternWithin(pattern, each)),
  );
  return [
    ...broadest.map((pattern) => ({ pattern, worlds: always, excluded: [] })),
    ...marked.map((pattern) => ({ pattern, worlds: [MARKS], excluded: within(pattern) })),
    ...guarded.map((pattern) => ({ pattern, worlds: GUARDS, excluded: [] })),
  ];
}

/** What of a service is not among these registrations. */
export function missingIn(standing: readonly string[], { worlds, ...rest }: Service): Service {
  const isMissing = ({ name }: World) => !standing.includes(scriptId(name, rest.pattern));
  return { ...rest, worlds: worlds.filter(isMissing) };
}

export function scriptsFor({ pattern, worlds, excluded }: Service): Script[] {
  return worlds.map(({ name, file, world, runAt }) => ({
    id: scriptId(name, pattern),
    matches: [pattern],
    ...(excluded.length > 0 && { excludeMatches: [...excluded] }),
    js: [file],
    world,
    runAt,
    allFrames: true,
    persistAcrossSessions: true,
  }));
}

/** Follows from script and pattern alone, so it is the same at every start. */
const scriptId = (name: string, pattern: string): string => `${name} ${pattern}`;

/** What else a script has does not change between two versions of it. */
export function isSame(wanted: Script, registered: Scripting.RegisteredContentScript): boolean {
  const { excludeMatches = [] } = wanted;
  return wanted.id === registered.id && sameJson(excludeMatches, registered.excludeMatches ?? []);
}

/** Of the API: other scripts come and go by themselves. */
export function patternsOf(scripts: readonly Scripting.RegisteredContentScript[]): string[] {
  const content = scriptId('content', '');
  return scripts
    .filter(({ id }) => id.startsWith(content))
    .map(({ id }) => id.slice(content.length));
}

/** Two registrations that overlap would run a frame's scripts twice. */
function isWithinAnother(pattern: string, all: readonly string[]): boolean {
  return all.some((other) => other !== pattern && patternWithin(pattern, other));
}
