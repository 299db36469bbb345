import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { kindHas } from '../../rpc/key-kinds.ts';
import { followFields, type FieldSettings } from './field-settings.ts';
import { coveredByAny, patternOf, type Sites } from '../ports/sites.ts';
import { requirePattern } from '../status/ui.ts';

interface Deps {
  readonly fieldSettings: FieldSettings;
  readonly keyRing: KeyRing;
  readonly sites: Sites;
}

type SettingsMethods = 'ui.fieldSettings' | 'ui.alwaysSeal' | 'ui.offerKey' | 'ui.setMarks';

/** The methods that read and change a site's field settings. */
export function uiFieldSettingsMethods(deps: Deps): Pick<Implementations, SettingsMethods> {
  const { fieldSettings, sites } = deps;
  return {
    async 'ui.fieldSettings'({ origin, pattern }) {
      const { ref, alwaysSealed } = await fieldSettings.of(origin);
      const marks = await sites.hasMarks(pattern);
      return { marks, ref: await knownKey(ref, deps), alwaysSealed: [...alwaysSealed] };
    },
    async 'ui.alwaysSeal'({ origin, field, on }) {
      requireOrigin(origin);
      if (on) await requireEnabled(origin, sites);
      await fieldSettings.alwaysSeal(origin, field, on);
      await followFields(patternOf(origin), deps);
      return {};
    },
    async 'ui.offerKey'({ origin, ref }) {
      requireOrigin(origin);
      if (ref !== null && (await knownKey(ref, deps)) === null) {
        throw new SealwrightError('INVALID_ARGUMENT', 'ref: no such key to seal with');
      }
      await fieldSettings.offerKey(origin, ref);
      return {};
    },
    async 'ui.setMarks'({ pattern, on }) {
      requirePattern(pattern);
      await sites.setMarks(pattern, on);
      return {};
    },
  };
}

function requireOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new SealwrightError('INVALID_ARGUMENT', 'origin: expected scheme://host');
}

async function requireEnabled(origin: string, sites: Sites): Promise<void> {
  const enabled = await sites.enabled();
  if (coveredByAny(enabled, origin)) return;
  throw new SealwrightError('NOT_GRANTED', 'Fields are always sealed on enabled sites alone');
}

/** Null for a key that was deleted since. */
async function knownKey(ref: string | null, { keyRing }: Deps): Promise<string | null> {
  const keys = await keyRing.list();
  return keys.some((key) => key.ref === ref && kindHas(key.kind, 'isForFields')) ? ref : null;
}
