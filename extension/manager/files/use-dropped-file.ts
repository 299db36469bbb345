import { useEffect, useState } from 'preact/hooks';
import { invitationInFile } from '../contacts/invitation.ts';

/** A file that was dropped on the manager, wherever. */
export interface DroppedFile {
  readonly file: File | undefined;
  /** Whether it is a contact card; any other is one for the screen of files. */
  readonly isCard: boolean;
  /** Whether a file is over the window now. */
  readonly isOver: boolean;
  readonly take: () => void;
}

const NOTHING: { readonly file: File | undefined; readonly isCard: boolean } = {
  file: undefined,
  isCard: false,
};

/**
 * Listens for files that are dropped on the window. Without that the browser would leave the manager
 * and show the file. A control for files takes what is dropped on it by itself.
 *
 * @param onDrop called with each drop, and whether it is a contact card
 */
export function useDroppedFile(onDrop: (isCard: boolean) => void): DroppedFile {
  const [{ file, isCard }, setDropped] = useState(NOTHING);
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
      const dropped = event.dataTransfer?.files[0];
      if (!dropped) return;
      void invitationInFile(dropped).then((invitation) => {
        const isAny = invitation !== undefined;
        setDropped({ file: dropped, isCard: isAny });
        onDrop(isAny);
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
  return { file, isCard, isOver, take: () => setDropped(NOTHING) };
}

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

const isControl = ({ target }: DragEvent): boolean =>
  target instanceof HTMLInputElement && target.type === 'file';
