import {
  ANNOTATION_TYPES,
  annotationsOf,
  mergeAnnotations,
  recordsOfAnnotations,
} from '../annotations/annotations.ts';
import { APP } from '../ring/key-records.ts';
import type { LineMerge } from '../vault/joined-lines.ts';
import type { VaultRecord } from '../values/record.ts';
import { KEY_TYPES, keySetOf, recordsOf, type KeySet } from './key-set.ts';
import { mergeKeys } from './merge-keys.ts';

/** Merges two lines of one vault as a backup of this vault is merged into it: both are the user's own. */
export const MERGED_LIKE_BACKUPS: LineMerge = {
  types: [...KEY_TYPES, ...ANNOTATION_TYPES],
  merge(own: readonly VaultRecord[], other: readonly VaultRecord[]): VaultRecord[] {
    const [ours, theirs] = [own, other].map((records) => withoutUnusable(keySetOf(records)));
    const keys = mergeKeys(ours!, theirs!).set;
    const isOwn = (ref: string) => ours!.userKeys.has(ref);
    const merged = mergeAnnotations(annotationsOf(own), annotationsOf(other), isOwn);
    return [...recordsOf(keys), ...recordsOfAnnotations(merged.annotations)];
  },
};

/** Without the uses of keys that one of the lines has removed. */
function withoutUnusable(set: KeySet): KeySet {
  const uses = [...set.uses].filter(([, { ref }]) => ref === APP || set.userKeys.has(ref));
  return { ...set, uses: new Map(uses) };
}
