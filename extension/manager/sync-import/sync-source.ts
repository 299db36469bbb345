import { useState } from 'preact/hooks';
import type { ForeignFormat } from '../../ui/text/sync-formats.ts';

/** From what a sync key can be imported. */
export type SourceKind = 'accountKey' | 'syncKey' | 'file';

/** The `source` of `ui.importSyncKey`. */
export type SyncSource =
  | { readonly accountKey: string }
  | { readonly syncKey: string; readonly account: string }
  | { readonly text: string };

/** The background refuses longer files. */
const MAX_FILE_BYTES = 64 * 1024;

/** The values of the fields. They are emptied after the import. */
export interface SyncSourceFields {
  readonly secret: string;
  readonly account: string;
  readonly file: File | undefined;
}

const EMPTY: SyncSourceFields = { secret: '', account: '', file: undefined };

/** State of format, kind of source and fields. */
export function useSyncSource() {
  const [format, setFormat] = useState<ForeignFormat>('weave-5');
  const [kind, setKind] = useState<SourceKind>('accountKey');
  const [fields, setFields] = useState(EMPTY);
  const kinds = kindsFor(format);
  return {
    format,
    kinds,
    // Notes takes a scoped key only, which is a file.
    kind: kinds.includes(kind) ? kind : 'file',
    fields,
    setFormat,
    setKind,
    change: (part: Partial<SyncSourceFields>) => setFields({ ...fields, ...part }),
    clear: () => setFields(EMPTY),
  };
}

function kindsFor(format: ForeignFormat): readonly SourceKind[] {
  return format === 'notes' ? ['file'] : ['accountKey', 'syncKey', 'file'];
}

/**
 * The source for the call.
 *
 * @returns undefined if a field is empty
 * @throws RangeError for a file that is too long
 */
export async function sourceOf(
  kind: SourceKind,
  { secret, account, file }: SyncSourceFields,
): Promise<SyncSource | undefined> {
  if (kind === 'file') {
    if (file === undefined) return undefined;
    if (file.size > MAX_FILE_BYTES) throw new RangeError('file: too long for a key');
    return { text: await file.text() };
  }
  const typed = secret.trim();
  if (typed === '') return undefined;
  if (kind === 'accountKey') return { accountKey: typed };
  return account.trim() === '' ? undefined : { syncKey: typed, account: account.trim() };
}
