import { useEffect, useState } from 'preact/hooks';
import { isGroupFile } from '../../../src/format/groups/group-file.ts';
import { invitationInFile } from '../contacts/invitation.ts';

/** What a dropped file is for: the contacts, the groups, or the screen of files. */
export type DropKind = 'card' | 'group' | 'file';

/** A file that was dropped on the manager, wherever. */
export interface DroppedFile {
  /** The file, if it is of this kind; another object for each drop. */
  readonly fileOf: (kind: DropKind) => File | undefined;
  /** Whether a file is over the window now. */
  readonly isOver: boolean;
  readonly take: () => void;
}

/** A group file has its id or an epoch in its beginning, after a name and what mail adds. */
const BEGINNING_BYTES = 64 * 1024;

/**
 * Listens for files that are dropped on the window. Without that the browser would leave the manager
 * and show the file. A control for files takes what is dropped on it by itself.
 *
 * @param onDrop called after each drop
 */
export function useDroppedFile(onDrop: (kind: DropKind) => void): DroppedFile {
  const [dropped, setDropped] = useState<{ readonly file: File; readonly kind: DropKind }>();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return;
      setOver(!isControl(event));
      if (!isControl(event)) event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFile(event) || isControl(event)) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      void kindOf(file).then((kind) => {
        setDropped({ file, kind });
        onDrop(kind);
      });
    };
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop };
    for (const [type, listener] of Object.entries(listeners)) {
      window.addEventListener(type, listener as EventListener);
    }
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        window.removeEventListener(type, listener as EventListener);
      }
    };
  }, []);
  const fileOf = (kind: DropKind) => (dropped?.kind === kind ? dropped.file : undefined);
  return { fileOf, isOver, take: () => setDropped(undefined) };
}

async function kindOf(file: File): Promise<DropKind> {
  if (await invitationInFile(file)) return 'card';
  try {
    return isGroupFile(await file.slice(0, BEGINNING_BYTES).text()) ? 'group' : 'file';
  } catch {
    return 'file'; // what cannot be read is refused by the form that takes files
  }
}

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

const isControl = ({ target }: DragEvent): boolean =>
  target instanceof HTMLInputElement && target.type === 'file';
