/* The vectors of groups, test/format/vectors/groups.json, generated once by scripts/make-group-vectors.ts. */
import { readFileSync } from 'node:fs';

/** What is known of a group, and what follows from it. Byte strings are hex. */
export interface GroupVector {
  readonly id: string;
  readonly comment: string;
  /** "swg1.…" */
  readonly group: string;
  /** Names of `epochs`. */
  readonly epochs: readonly string[];
  /** Admins' keys that were compared. */
  readonly trusted: readonly string[];
  /** A private key of X-Wing. */
  readonly identity: string;
  /** Of epochs that are refused; then nothing else is known. */
  readonly error?: 'BAD_ENVELOPE' | 'NEEDS_KEY';
  /** The epochs to seal to; null where senders wait. */
  readonly newest?: readonly string[] | null;
  /** Fingerprints of all members, sorted. */
  readonly members?: readonly string[];
  /** The keys that the identity opens. */
  readonly keys?: readonly { readonly epoch: string; readonly key: string }[];
}

/** A text that is refused as the first epoch of any group. */
export interface GroupRefusal {
  readonly comment: string;
  readonly epoch: string;
}

/** A message to one epoch. Data key, entry id and salts are counting bytes. */
export interface GroupMessage {
  readonly id: string;
  readonly epoch: string;
  readonly key: string;
  readonly salt: string;
  readonly message: string;
  readonly sealed: string;
}

/** The content of the file. */
export interface GroupVectors {
  readonly epochs: Readonly<Record<string, string>>;
  readonly groups: readonly GroupVector[];
  readonly refused: readonly GroupRefusal[];
  readonly messages: readonly GroupMessage[];
}

export function readGroupVectors(): GroupVectors {
  const file = new URL('../vectors/groups.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as GroupVectors;
}
