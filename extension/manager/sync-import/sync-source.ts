import { useState } from 'preact/hooks';
import type { ForeignFormat } from '../../ui/text/sync-formats.ts';

/** What a sync key can be imported from. */
export type SourceKind = 'accountKey' | 'syncKey' | 'file';

/** What `ui.importSyncKey` takes. */
export type SyncSource =
  | { readonly accountKey: string }
  | { readonly syncKey: string; readonly account: string }
  | { readonly text: string };

/** The background takes no more characters. */
const MAX_FILE_BYTES = 64 * 1024;

/** The secret while it is typed or chosen: emptied as soon as it has been handed over. */
export interface SyncSourceFields {
  readonly secret: string;
  readonly account: string;
  readonly file: File | undefined;
}

const EMPTY: SyncSourceFields = { secret: '', account: '', file: undefined };

export function useSyncSource() {
  const [format, setFormat] = useState<ForeignFormat>('weave-5');
  const [kind, setKind] = useState<SourceKind>('accountKey');
  const [fields, setFields] = useState(EMPTY);
  const kinds = kindsFor(format);
  return {
    format,
    kinds,
    // Notes takes a scoped key alone, which comes in a file.
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

/** @returns undefined where something is missing @throws RangeError for a file that is no key's */
export async function sourceOf(
  kind: SourceKind,
  { secret, account, file }: SyncSourceFields,
): Promise<SyncSource | undefined> {
  if (kind === 'file') {
    if (file === undefined) return undefined;
    if (file.size > MAX_FILE_BYTES) throw new RangeError('no key is so long');
    return { text: await file.text() };
  }
  const typed = secret.trim();
  if (typed === '') return undefined;
  if (kind === 'accountKey') return { accountKey: typed };
  return account.trim() === '' ? undefined : { syncKey: typed, account: account.trim() };
}
