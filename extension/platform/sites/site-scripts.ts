import type { Scripting } from 'webextension-polyfill';
import { sameJson } from '../../../src/keys/values/json.ts';
import { patternWithin } from '../../../src/service/ports/sites.ts';

/* Which scripts run in the frames of which sites: pure functions of the permissions and the settings. */

export type Script = Scripting.RegisteredContentScript & { matchOriginAsFallback?: boolean };

export interface World {
  readonly name: string;
  readonly file: string;
  readonly world: 'ISOLATED' | 'MAIN';
  readonly runAt: 'document_start' | 'document_idle';
}

const EARLY = { runAt: 'document_start' } as const;

/** content.ts is listed first. The two scripts find each other in either order of start. */
const ALWAYS: readonly World[] = [
  { name: 'content', file: 'content.js', world: 'ISOLATED', ...EARLY },
  { name: 'page', file: 'page.js', world: 'MAIN', ...EARLY },
];
/** Marks need the text of the page, so they start late. */
const MARKS: World = {
  name: 'marks',
  file: 'marks.js',
  world: 'ISOLATED',
  runAt: 'document_idle',
};
const MOVEMENTS: World = { name: 'movements', file: 'movements.js', world: 'ISOLATED', ...EARLY };
export const GUARDS: readonly World[] = [
  { name: 'guard', file: 'guard.js', world: 'ISOLATED', ...EARLY },
  { name: 'guard-page', file: 'guard-page.js', world: 'MAIN', ...EARLY },
];

/** Scripts that run in the frames of a pattern, except in those of excluded patterns. */
export interface Service {
  readonly pattern: string;
  readonly worlds: readonly World[];
  readonly excluded: readonly string[];
}

/** The user's settings beside the permissions. */
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

/** The scripts of a service that are not registered. */
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

/** The same at every start: made of script and pattern alone. */
const scriptId = (name: string, pattern: string): string => `${name} ${pattern}`;

/** Other properties do not change between versions of a script. */
export function isSame(wanted: Script, registered: Scripting.RegisteredContentScript): boolean {
  const { excludeMatches = [] } = wanted;
  return wanted.id === registered.id && sameJson(excludeMatches, registered.excludeMatches ?? []);
}

/** The patterns that are served, by their content scripts. */
export function patternsOf(scripts: readonly Scripting.RegisteredContentScript[]): string[] {
  const content = scriptId('content', '');
  return scripts
    .filter(({ id }) => id.startsWith(content))
    .map(({ id }) => id.slice(content.length));
}

/** Overlapping registrations would run a frame's scripts twice. */
function isWithinAnother(pattern: string, all: readonly string[]): boolean {
  return all.some((other) => other !== pattern && patternWithin(pattern, other));
}
