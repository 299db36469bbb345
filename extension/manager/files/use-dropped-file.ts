import { useEffect, useState } from 'preact/hooks';

/** A file that was dropped on the manager, wherever. */
export interface DroppedFile {
  readonly file: File | undefined;
  /** Whether a file is over the window now. */
  readonly isOver: boolean;
  readonly take: () => void;
}

/**
 * Listens for files that are dropped on the window. Without that the browser would leave the manager
 * and show the file. A control for files takes what is dropped on it by itself.
 *
 * @param onDrop called with each drop
 */
export function useDroppedFile(onDrop: () => void): DroppedFile {
  const [file, setFile] = useState<File>();
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
      setFile(dropped);
      onDrop();
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
  return { file, isOver, take: () => setFile(undefined) };
}

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

const isControl = ({ target }: DragEvent): boolean =>
  target instanceof HTMLInputElement && target.type === 'file';
