import { useEffect, useRef, useState } from 'preact/hooks';
import { UnreadableBlobError } from '../../content/bulk/blob-slices.ts';
import type { BlobWork } from '../../content/bulk/blobs.ts';
import { NoFileError } from '../../platform/storage/file-sink.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { useFinishedFiles, type FinishedFile } from './finished-files.ts';

/** Work on a file, which may take minutes. */
export interface FileWork {
  readonly action: Action;
  /** 0 … 1 while the work goes on; undefined before its first part. */
  readonly progress: number | undefined;
  /** Runs the work, unless other work is running. An abort is not an error. */
  readonly run: (work: (hooks: BlobWork) => Promise<void>) => void;
  readonly cancel: () => void;
}

/** Progress and cancel for work on files. It ends with the view: a locked vault shows no view. */
export function useFileWork(): FileWork {
  const action = useAction();
  const [progress, setProgress] = useState<number>();
  const controller = useRef<AbortController>();
  const cancel = () => controller.current?.abort();
  useEffect(() => cancel, []);
  const run = (work: (hooks: BlobWork) => Promise<void>) => {
    if (action.busy) return;
    const { signal } = (controller.current = new AbortController());
    setProgress(undefined);
    // Whole per cents: each part of a file renders otherwise.
    const report: BlobWork['progress'] = (done, total = done) =>
      setProgress(Math.floor((100 * done) / Math.max(total, 1)) / 100);
    action.run(async () => {
      try {
        await work({ signal, progress: report });
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        setProgress(undefined);
      }
    });
  };
  return { action, progress, run, cancel };
}

/** The finished file that a view shows. It is released with the view. */
export interface ShownFile {
  /** Shows the next file, and releases the one before it. */
  readonly replace: (next: FinishedFile | undefined) => void;
  /** To be called when the browser begins to save it. */
  readonly saving: () => void;
}

export function useShownFile(): ShownFile {
  const files = useFinishedFiles();
  const shown = useRef<FinishedFile>();
  const isGone = useRef(false);
  const replace = (next: FinishedFile | undefined) => {
    const before = shown.current;
    shown.current = isGone.current ? undefined : next;
    if (next) files.add(next);
    if (next && isGone.current) files.release(next);
    if (before) files.release(before);
  };
  useEffect(
    () => () => {
      isGone.current = true;
      replace(undefined);
    },
    [],
  );
  const saving = () => {
    if (shown.current) files.saving(shown.current);
  };
  return { replace, saving };
}

const STORAGE_ERRORS: Readonly<Record<string, MessageKey>> = {
  QuotaExceededError: 'fileNoRoom',
  NotReadableError: 'fileUnreadable',
  NotFoundError: 'fileUnreadable',
};

/** The message for a file that cannot be read, or whose result cannot be stored; undefined for other errors. */
export function fileProblem(error: unknown): MessageKey | undefined {
  if (error instanceof NoFileError) return 'fileNeedsNormalWindow';
  if (error instanceof UnreadableBlobError) return 'fileUnreadable';
  return error instanceof DOMException ? STORAGE_ERRORS[error.name] : undefined;
}
