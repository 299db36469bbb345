import { SEALED_TEXT, SEALED_WITH_WORDS } from './fake-files.ts';
import { needsKey, SealwrightError } from '../../../../src/rpc/errors.ts';
import { needsGroup } from '../../../../src/service/errors.ts';
import type { ParamsOf, ResultOf } from '../../../../src/rpc/methods/methods.ts';
import type {
  FieldInsertOutcome,
  FieldSettings,
  UiFieldSession,
  OpenedField,
} from '../../../../src/rpc/methods/ui-fields.ts';

/** The field session and the field settings of a fake background. */
export interface FieldsWorld {
  session: UiFieldSession | null;
  insertOutcome: FieldInsertOutcome;
  fieldSettings: FieldSettings;
  /** What each found text opens to. A text that is not listed fails with itself as error code. */
  opened: Readonly<Record<string, OpenedField>>;
}

const NOW = Date.now();

const utf8 = (text: string) => new TextEncoder().encode(text);

export const writeSession: UiFieldSession = {
  kind: 'write',
  origin: 'https://mail.example.org',
  blockedFrame: null,
  field: 'there',
  text: utf8(''),
  limit: null,
  found: [],
  editable: false,
  inPlace: false,
  ref: null,
  always: { field: { tag: 'textarea', by: 'name', value: 'message' }, on: false },
  enabling: null,
  never: null,
  reason: null,
};

/** On a site that is not enabled, whose field could always be sealed. */
export const offSession: UiFieldSession = {
  ...writeSession,
  kind: 'seal',
  text: utf8('The key is under the third flower pot.'),
  always: null,
  enabling: {
    pattern: 'https://mail.example.org/*',
    field: { tag: 'textarea', by: 'name', value: 'message', label: 'Message' },
  },
};

/** The field is in a frame of a site that is not enabled. */
export const frameSession: UiFieldSession = {
  ...writeSession,
  field: 'none',
  blockedFrame: { origin: 'https://editor.example.net', pattern: 'https://editor.example.net/*' },
  always: null,
};

export const sealSession: UiFieldSession = {
  ...writeSession,
  kind: 'seal',
  text: utf8('Dear Robin,\nthe key is under the third flower pot.'),
};

export const stoppedSession: UiFieldSession = {
  ...writeSession,
  kind: 'stopped',
  field: 'gone',
  always: null,
  reason: 'locked',
};

export const openSession: UiFieldSession = {
  ...writeSession,
  kind: 'open',
  field: 'none',
  found: ['own', 'shared', 'hidden', 'NEEDS_KEY', 'AUTH_FAILED', 'UNSUPPORTED'].map(utf8),
};

/** Texts for groups that do not open. */
export const groupsSession: UiFieldSession = {
  ...openSession,
  found: ['group', 'epoch', 'member'].map(utf8),
};

/** A text that six words open. */
export const wordsSession: UiFieldSession = {
  ...openSession,
  found: [utf8(SEALED_WITH_WORDS)],
};

/** From a contact that was compared, from one that was not, from the user, and from somebody; then the first three, signed. */
export const sendersSession: UiFieldSession = {
  ...openSession,
  found: ['compared', 'notCompared', 'mine', 'shared', 'signed', 'signedMine', 'signedUnknown'].map(
    utf8,
  ),
};

/** As a form gave a field back sealed, in which its user wrote more. */
const INNER = `sw1.${'9VNXTQEBBgLwjJ2x-_K4'.repeat(12)}`;

/** The one sealed text of a field. */
export const editSession: UiFieldSession = {
  ...openSession,
  field: 'there',
  found: [utf8('own')],
  editable: true,
};

const opened = (text: string, differences: Partial<OpenedField> = {}): OpenedField => ({
  text: utf8(text),
  key: { kind: 'sealing', label: 'Family photos', ref: 'k1' },
  origin: 'https://mail.example.org',
  shared: false,
  sender: null,
  signed: null,
  draft: { edited: text, text: utf8('') },
  ...differences,
});

/** Of the vector `signed-text`. */
const SIGNER = 'swp1.Ed3jvM7H86ZqERX0XXIPTcE1w658TiLco4_bHv1qSV_4';
const SIGNED: OpenedField['signed'] = {
  publicKey: SIGNER,
  proof: utf8('{}'),
};

const from = (name: string | null, verified: number | null): OpenedField =>
  opened('See you on Sunday', {
    key: { kind: 'sharing', label: 'Messages to me', ref: null },
    origin: null,
    shared: true,
    sender: { name, verified },
  });

export const fieldsWorld = (): FieldsWorld => ({
  session: writeSession,
  insertOutcome: { inserted: true },
  fieldSettings: {
    marks: true,
    ref: 'k1',
    alwaysSealed: [
      { tag: 'textarea', by: 'name', value: 'p', label: 'Post' },
      { tag: 'input', by: 'aria-label', value: 'Subject of the conversation' },
    ],
  },
  opened: {
    own: opened('Dear Robin,\nthe key is under the third flower pot.\n\nمرحبا، كل شيء جاهز.'),
    shared: opened('See you on Sunday', {
      key: { kind: 'sharing', label: 'Messages to me', ref: null },
      origin: null,
      shared: true,
    }),
    compared: from('Amira Haddad', NOW - 3 * 86_400_000),
    notCompared: from('Jörg-Öznur Wolfeschlegelsteinhausen', null),
    mine: from(null, null),
    signed: { ...from('Amira Haddad', NOW - 3 * 86_400_000), signed: SIGNED },
    signedMine: { ...from(null, null), signed: SIGNED },
    signedUnknown: { ...from(null, null), sender: null, signed: SIGNED },
    nested: opened(`The gate code is 4711.\n\n${INNER}`),
    [INNER]: opened('The key is under the third flower pot,'),
    hidden: opened('Pay \u202e001\u202c euros to <b>ACME</b>\u200b'),
  },
});

type FieldMethods =
  | 'ui.beginVisit'
  | 'ui.visit'
  | 'ui.reachFrame'
  | 'ui.keepDraft'
  | 'ui.sealField'
  | 'ui.insertSealed'
  | 'ui.openField'
  | 'ui.showInField'
  | 'ui.fieldSettings'
  | 'ui.alwaysSeal'
  | 'ui.offerKey'
  | 'ui.setMarks';

/** The field methods over a fake background. */
export function fieldsImplementations(world: FieldsWorld): {
  [M in FieldMethods]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.beginVisit': () => ({}),
    'ui.visit': () => {
      if (!world.session) throw new SealwrightError('INVALID_ARGUMENT', 'gone');
      return world.session;
    },
    'ui.reachFrame': () => ({ ...writeSession, always: null }),
    'ui.keepDraft': () => ({ kept: true }),
    'ui.sealField': () => ({ sealed: SEALED_TEXT }),
    'ui.insertSealed': () => world.insertOutcome,
    'ui.showInField': () => ({ shown: true }),
    'ui.fieldSettings': () => world.fieldSettings,
    'ui.alwaysSeal': ({ field, on }) => {
      const { session } = world;
      if (session?.always) world.session = { ...session, always: { field, on } };
      const { alwaysSealed } = world.fieldSettings;
      const others = alwaysSealed.filter((one) => one.value !== field.value);
      world.fieldSettings = {
        ...world.fieldSettings,
        alwaysSealed: on ? [...others, field] : others,
      };
      return {};
    },
    'ui.offerKey': ({ ref }) => {
      world.fieldSettings = { ...world.fieldSettings, ref };
      return {};
    },
    'ui.setMarks': ({ on }) => {
      world.fieldSettings = { ...world.fieldSettings, marks: on };
      return {};
    },
    'ui.openField': ({ found, passphrase }) => {
      const name = new TextDecoder().decode(found);
      const text = world.opened[name];
      if (text) return text;
      if (name === SEALED_WITH_WORDS) {
        throw new SealwrightError(passphrase === undefined ? 'NEEDS_KEY' : 'AUTH_FAILED', 'words');
      }
      if (name === 'NEEDS_KEY') throw needsKey('');
      if (name === 'group') throw needsGroup({ name: null, lacks: 'group' });
      if (name === 'epoch') throw needsGroup({ name: 'Chamber choir', lacks: 'epoch' });
      if (name === 'member') throw needsGroup({ name: 'Chamber choir', lacks: 'member' });
      throw new SealwrightError(name as 'AUTH_FAILED', 'not listed');
    },
  };
}
