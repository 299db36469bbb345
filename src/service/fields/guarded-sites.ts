import type { FieldSettings } from './field-settings.ts';
import { patternOf, type Sites } from '../system/sites.ts';

export interface GuardedSitesParts {
  readonly fieldSettings: FieldSettings;
  readonly sites: Pick<Sites, 'guard'>;
}

/** A pattern has no port: it is guarded as long as one of its origins has a field that is always sealed. */
export async function followFields(pattern: string, parts: GuardedSitesParts): Promise<void> {
  await parts.sites.guard(pattern, (await guardedPatterns(parts)).has(pattern));
}

/** After a restore, which may have brought such fields: of sites too that are enabled only later. */
export async function guardAll(parts: GuardedSitesParts): Promise<void> {
  for (const pattern of await guardedPatterns(parts)) await parts.sites.guard(pattern, true);
}

async function guardedPatterns({ fieldSettings }: GuardedSitesParts): Promise<ReadonlySet<string>> {
  const marked = (await fieldSettings.all()).filter(({ alwaysSealed }) => alwaysSealed.length > 0);
  return new Set(marked.map(({ origin }) => patternOf(origin)));
}
