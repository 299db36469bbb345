import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { GUARD_METHODS } from '../../rpc/methods/guard.ts';
import type { Activity } from '../audit/activity.ts';
import { pageCall } from '../calls/caller.ts';
import { argumentChecked, notGranted } from '../errors.ts';
import type { FieldSettings } from './field-settings.ts';
import type { FieldTexts } from './field-texts.ts';
import type { FieldSessions } from '../ports/field-session.ts';

interface Deps {
  readonly fieldSettings: FieldSettings;
  readonly fieldTexts: FieldTexts;
  readonly fieldSessions: FieldSessions;
  readonly activity: Activity;
}

/** For the guard of forms: what a person marked is sealed for them, whatever the page was granted. */
export function guardMethods(deps: Deps): Pick<Implementations, keyof typeof GUARD_METHODS> {
  const { fieldSettings, fieldSessions } = deps;
  return {
    async guardedFields(_params, call) {
      const { alwaysSealed } = await fieldSettings.of(pageCall(call).origin);
      return { fields: [...alwaysSealed] };
    },
    async sealGuarded({ text }, call) {
      return { sealed: await sealed(text, call, deps) };
    },
    async formStopped({ reason }, call) {
      const { caller, origin } = pageCall(call);
      const { tabId, incognito } = caller;
      await fieldSessions.showStopped({ tabId, origin, incognito, reason });
      return {};
    },
  };
}

/** A private window leaves no trace: no header key id for its site, and no entry in the log. */
async function sealed(text: Uint8Array, call: Call, deps: Deps): Promise<Uint8Array> {
  const { fieldSettings, fieldTexts, activity } = deps;
  const { caller, origin } = pageCall(call);
  const { ref, alwaysSealed } = await fieldSettings.of(origin);
  if (alwaysSealed.length === 0) throw notGranted({ capability: 'seal' });
  if (ref === null) throw new SealwrightError('NEEDS_KEY', 'No key is chosen for this site');
  const site = caller.incognito ? null : origin;
  const sealing = fieldTexts.seal(text, { ref, publicKeys: undefined }, site);
  const message = await argumentChecked(sealing);
  const { container } = caller;
  const recorded = { operation: 'sealField', origin, container, ref, bytes: text.length };
  if (!caller.incognito) activity.record(recorded);
  return message;
}
