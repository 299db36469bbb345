import { equal } from '../../crypto/bytes.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import { hashOf } from '../../keys/values/manifest.ts';
import { isSameField } from '../../keys/annotations/site-fields.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { kindHas } from '../../rpc/key-kinds.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import { MAX_FIELD_BYTES, MAX_FOUND, MAX_FOUND_BYTES } from '../../rpc/methods/ui-fields.ts';
import type { InspectedField } from '../../rpc/methods/ui-fields.ts';
import type { Activity, NewEntry } from '../audit/activity.ts';
import type { Contacts } from '../sharing/contacts.ts';
import { MAX_DRAFT_BYTES, type Drafts } from './drafts.ts';
import { argumentChecked, asCallerError } from '../errors.ts';
import type { FieldSettings } from './field-settings.ts';
import type { FieldTexts, OpenedText } from './field-texts.ts';
import type { LockKeeper } from '../vault/lock-keeper.ts';
import { coveredByAny, patternOf, type Sites } from '../ports/sites.ts';
import { addressProblem } from '../calls/frame-policy.ts';
import type { FieldSession, FieldSessions } from '../ports/field-session.ts';

interface Deps {
  readonly fieldSessions: FieldSessions;
  readonly fieldTexts: FieldTexts;
  readonly drafts: Drafts;
  readonly fieldSettings: FieldSettings;
  readonly sites: Sites;
  readonly lockKeeper: LockKeeper;
  readonly contacts: Contacts;
  readonly keyRing: KeyRing;
  readonly activity: Activity;
}

type FieldMethods =
  | 'ui.beginVisit'
  | 'ui.visit'
  | 'ui.reachFrame'
  | 'ui.keepDraft'
  | 'ui.sealField'
  | 'ui.insertSealed'
  | 'ui.openField'
  | 'ui.showInField';

/** The methods of the window about one field or page. */
export function uiFieldMethods(deps: Deps): Pick<Implementations, FieldMethods> {
  const { fieldSessions, fieldTexts, drafts } = deps;
  return {
    async 'ui.beginVisit'({ tabId, kind }) {
      await fieldSessions.begin({ tabId }, kind);
      return {};
    },
    async 'ui.visit'({ sessionId }) {
      return described(await sessionOf(sessionId, deps), deps);
    },
    async 'ui.reachFrame'({ sessionId }) {
      return reached(await sessionOf(sessionId, deps), deps);
    },
    async 'ui.keepDraft'({ sessionId, text, edited, detached = false }) {
      const { begunOn, incognito } = await sessionOf(sessionId, deps);
      // A private window leaves nothing behind it.
      const kept = !incognito && text.length <= MAX_DRAFT_BYTES;
      const words = new TextDecoder().decode(text);
      if (kept && detached && edited !== undefined) await drafts.detach(begunOn, words, edited);
      else if (kept) await drafts.keep(begunOn, words, edited);
      return { kept };
    },
    async 'ui.sealField'({ sessionId, text, ref, contacts, groups, signer }) {
      const session = await sessionOf(sessionId, deps);
      const publicKeys = contacts && (await deps.contacts.publicKeysOf(contacts));
      const to = { ref, publicKeys, groups };
      const sealing = fieldTexts.seal(text, to, siteOf(session), signer);
      const sealed = await argumentChecked(sealing);
      const { length: bytes } = text;
      recordUse(session, { operation: 'sealField', ref: ref ?? null, bytes }, deps);
      if (signer !== undefined) recordUse(session, { operation: 'sign', ref: signer, bytes }, deps);
      return { sealed };
    },
    async 'ui.insertSealed'({ sessionId, armored }) {
      const session = await sessionOf(sessionId, deps);
      try {
        return await fieldSessions.insert(session, new TextDecoder().decode(armored));
      } finally {
        await fieldSessions.giveBack(session);
      }
    },
    async 'ui.showInField'({ sessionId, found, candidates }, { signal }) {
      const session = await sessionOf(sessionId, deps);
      const { found: held, inPlace } = await described(session, deps);
      const isHeld = inPlace && held.length === 1 && equal(held[0]!, found);
      if (!isHeld) return { shown: false };
      const text = await opened({ found, candidates }, session, signal, deps);
      // The process of the site's page gets it: never a text that was sealed on another site, or for others too.
      if (text.shared || text.origin !== session.origin) return { shown: false };
      const words = new TextDecoder().decode(text.bytes);
      return { shown: await fieldSessions.show(session, words) };
    },
    async 'ui.openField'({ sessionId, ...sealed }, { signal }) {
      const session = await sessionOf(sessionId, deps);
      const { bytes, ref, ...rest } = await opened(sealed, session, signal, deps);
      const key = ref === null ? null : await keyOf(ref, deps);
      const edited = hashOf(sealed.found);
      const text = await draftFor(session, deps, edited);
      return { text: bytes, key, draft: { edited, text }, ...rest };
    },
  };
}

async function sessionOf(sessionId: string, { fieldSessions }: Deps): Promise<FieldSession> {
  const session = await fieldSessions.find(sessionId);
  if (session) return session;
  throw new SealwrightError('INVALID_ARGUMENT', 'sessionId: no such field session');
}

type Described = ResultOf<'ui.visit'>;

async function described(session: FieldSession, deps: Deps): Promise<Described> {
  const looked = await deps.fieldSessions.look(session);
  const known = { ...shown(session, looked), ...(await settled(session, looked, deps)) };
  const description = { ...known, inPlace: known.inPlace && known.always?.on === true };
  return session.kind === 'write'
    ? { ...description, text: await draftFor(session, deps) }
    : description;
}

/** A field needs the permission until it is written; texts to be read are in the answer. */
async function reached(before: FieldSession, deps: Deps): Promise<Described> {
  if (before.blockedFrame === null) {
    throw new SealwrightError('INVALID_ARGUMENT', 'sessionId: no frame needs a permission');
  }
  const session = await deps.fieldSessions.reach(before);
  let description: Described | undefined;
  try {
    description = await described(session, deps);
    // The permission to read the frame is given back at once, so its field cannot be written later.
    if (session.kind === 'open') return { ...description, editable: false, inPlace: false };
    return description;
  } finally {
    const isToWrite = session.kind !== 'open' && description?.field === 'there';
    if (!isToWrite) await deps.fieldSessions.giveBack(session);
  }
}

/** What was being written for the site; nothing while the vault is locked, or of a private window. */
async function draftFor(
  { begunOn, incognito }: FieldSession,
  deps: Deps,
  edited?: string,
): Promise<Uint8Array> {
  const isTold = !incognito && (await deps.lockKeeper.isUnlocked());
  return new TextEncoder().encode(isTold ? await deps.drafts.of(begunOn, edited) : '');
}

type Settled = Pick<Described, 'ref' | 'always' | 'enabling' | 'never'>;

const UNSETTLED: Settled = { ref: null, always: null, enabling: null, never: null };

/** What is settled about the site, as far as an open vault tells. */
async function settled(
  { origin }: FieldSession,
  looked: InspectedField | undefined,
  { fieldSettings, sites, lockKeeper }: Deps,
): Promise<Settled> {
  if (origin === null || !(await lockKeeper.isUnlocked())) return UNSETTLED;
  const { ref, alwaysSealed } = await fieldSettings.of(origin);
  if (looked?.field !== 'there') return { ...UNSETTLED, ref };
  const { name: field, unmarkable: never } = looked;
  if (!coveredByAny(await sites.enabled(), origin)) {
    const isLacking = field !== null && addressProblem(origin) === null;
    return {
      ...UNSETTLED,
      ref,
      enabling: isLacking ? { pattern: patternOf(origin), field } : null,
    };
  }
  if (!field) return { ...UNSETTLED, ref, never };
  const on = alwaysSealed.some((one) => isSameField(one, field));
  return { ...UNSETTLED, ref, always: { field, on } };
}

function shown(
  { kind, origin, blockedFrame, reason }: FieldSession,
  looked: InspectedField | undefined,
): Omit<Described, keyof Settled> {
  const frame =
    blockedFrame === null ? null : { origin: blockedFrame, pattern: patternOf(blockedFrame) };
  const about = { kind, origin, blockedFrame: frame, reason: reason ?? null };
  if (!looked) {
    const nothing = { text: new Uint8Array(0), limit: null, found: [] };
    return { ...about, field: 'gone', ...nothing, editable: false, inPlace: false };
  }
  const { field, text, limit, found, editable = false, inPlace = false } = looked;
  const isOnly = field === 'there' && found.length === 1;
  // Dashes may stand in them, where a page made them of hyphens.
  const texts = found.map((pieces) => new TextEncoder().encode(pieces.join('\n')));
  return {
    ...about,
    field,
    limit,
    editable: editable && isOnly,
    inPlace: inPlace && isOnly,
    text: boundedText(text),
    found: texts.filter(({ length }) => length <= MAX_FOUND_BYTES).slice(0, MAX_FOUND),
  };
}

/** @throws SealwrightError TOO_LARGE: what cannot be sealed whole is not sealed in part */
function boundedText(text: string): Uint8Array {
  // Halves of surrogate pairs, which no bytes have, become U+FFFD.
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_FIELD_BYTES) return bytes;
  throw new SealwrightError('TOO_LARGE', 'The field holds too much text');
}

async function keyOf(ref: string, { keyRing }: Deps) {
  const { kind, label } = await keyRing.describe(ref, 'null');
  return { kind, label, ref: kindHas(kind, 'isForFields') ? ref : null };
}

async function opened(
  { found, candidates, passphrase }: Omit<ParamsOf<'ui.openField'>, 'sessionId'>,
  session: FieldSession,
  signal: AbortSignal,
  deps: Deps,
): Promise<OpenedText> {
  const operation = passphrase === undefined ? 'openField' : 'openWithPassphrase';
  const use = { operation, bytes: found.length };
  try {
    const text = await deps.fieldTexts.open(candidates, session.origin, signal, passphrase);
    recordUse(session, { ...use, ref: text.ref }, deps);
    return text;
  } catch (error) {
    const callerError = asCallerError(error);
    const wasTried = callerError instanceof SealwrightError && callerError.code === 'AUTH_FAILED';
    if (wasTried) recordUse(session, { ...use, result: callerError.code }, deps);
    throw callerError;
  }
}

/** A field session of a private window leaves no trace: no entry, and no header key id for its site. */
function recordUse(session: FieldSession, recorded: NewEntry, { activity }: Deps): void {
  if (!session.incognito) activity.record({ ...recorded, origin: session.origin });
}

function siteOf({ incognito, origin }: FieldSession): string | null {
  return incognito ? null : origin;
}
