/*
 * How the registers of entries are read: which value is shown where two devices have written at once. It is the same
 * value on all devices, and the others stay until a device writes the register again.
 */
import { NO_DETAILS } from '../annotations/key-details.ts';
import { APP_LABEL, KEY_ROOT } from '../ring/key-records.ts';
import { canonicalText } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { LiveEntry, Version } from './shared-state.ts';

/** Whether a key is of a foreign backup, and since when the vault has it. */
export interface Standing {
  readonly created: number;
  readonly guest: boolean;
}

/** The registers of marked fields, in front of what names the field. */
export const MARK = 'mark';

/** How a register is read. */
interface RegisterRule {
  /** The value of a register that no device has written. */
  readonly initial?: Json;
  /** Which value wins where devices have written at once; else that of the greatest device id does. */
  readonly wins?: (value: Json) => boolean;
}

const REGISTERS: Readonly<Record<string, RegisterRule>> = {
  label: {},
  name: {},
  note: { initial: NO_DETAILS.note },
  tone: { initial: NO_DETAILS.tone },
  archived: { initial: NO_DETAILS.archived },
  // The user's own key stays one, whatever came from a file on another device.
  standing: { wins: (value) => !(value as unknown as Standing).guest },
  // A doubt that was noted on one device counts against a comparison on another.
  verified: { initial: null, wins: (value) => value === null },
  ref: { initial: null },
  newestSet: {},
  [MARK]: { initial: false, wins: (value) => value === true },
};

const APP_LABEL_RULE: RegisterRule = { initial: APP_LABEL };

function ruleOf(entry: string, register: string): RegisterRule {
  return entry === KEY_ROOT ? APP_LABEL_RULE : REGISTERS[register.split(' ', 1)[0]!]!;
}

/** The value of a register that no device has written; undefined where each entry has one written. */
export const initialValue = (entry: string, register: string): Json | undefined =>
  ruleOf(entry, register).initial;

/** The value of a register where devices have written at once: the same on all. */
function shownValue(entry: string, register: string, versions: readonly Version[]): Json {
  const { wins } = ruleOf(entry, register);
  const winning = wins ? versions.filter(({ value }) => wins(value)) : [];
  const orderOf = ({ by, value }: Version): string => `${by} ${canonicalText(value)}`;
  const candidates = winning.length > 0 ? winning : versions;
  return candidates.reduce((a, b) => (orderOf(a) < orderOf(b) ? b : a)).value;
}

/** What the registers of an entry that were written show. */
export function valuesOf(name: string, { registers }: LiveEntry): Record<string, Json> {
  const shown = Object.entries(registers).map(([register, versions]) => {
    return [register, shownValue(name, register, versions)];
  });
  return Object.fromEntries(shown) as Record<string, Json>;
}
