import { SYSTEM_TIMERS, type Timers } from '../../../src/rpc/timers.ts';
import { SAVING_MS } from '../../ui/environment/download.ts';
import { strictContext } from '../../ui/environment/environment.ts';

/** The finished contents. `discard` removes them where they are on disk. */
export interface FinishedFile {
  readonly blob: Blob;
  readonly discard: () => Promise<void>;
}

interface Uses {
  isShown: boolean;
  /** Of the time in which the browser saves it; undefined: it saves nothing. */
  saving: unknown;
}

/**
 * Owns the finished files of this page, whose contents may be on disk in clear: longer than the view that
 * shows them, until the browser has saved them, and no longer than the vault is open. The background
 * removes what is left when the page ends (temporary-files.ts).
 */
export class FinishedFiles {
  readonly #timers: Timers;
  readonly #uses = new Map<FinishedFile, Uses>();
  #isEnded = false;

  constructor(timers = SYSTEM_TIMERS) {
    this.#timers = timers;
  }

  /** Takes over a file that a view shows. After the end it is removed at once. */
  add(file: FinishedFile): void {
    this.#uses.set(file, { isShown: true, saving: undefined });
    if (this.#isEnded) this.#remove(file);
  }

  /** To be called when the browser begins to save a file. */
  saving(file: FinishedFile): void {
    const uses = this.#uses.get(file);
    if (!uses) return;
    this.#timers.stop(uses.saving);
    uses.saving = this.#timers.start(() => {
      uses.saving = undefined;
      this.#removeUnused(file);
    }, SAVING_MS);
  }

  /** No view shows the file any more: it is removed when the browser has had time to save it. */
  release(file: FinishedFile): void {
    const uses = this.#uses.get(file);
    if (uses) uses.isShown = false;
    this.#removeUnused(file);
  }

  /** The vault is locked: all files are removed, those too that the browser is saving. */
  end(): void {
    this.#isEnded = true;
    for (const file of [...this.#uses.keys()]) this.#remove(file);
  }

  #removeUnused(file: FinishedFile): void {
    const uses = this.#uses.get(file);
    if (uses && !uses.isShown && uses.saving === undefined) this.#remove(file);
  }

  /** A file that cannot be removed, because something reads it, is tried again. */
  #remove(file: FinishedFile): void {
    this.#timers.stop(this.#uses.get(file)?.saving);
    this.#uses.delete(file);
    file.discard().catch(() => {
      this.#uses.set(file, { isShown: false, saving: undefined });
      this.saving(file);
    });
  }
}

/** Provides the page's files; the hook throws outside of the provider. */
export const [FinishedFilesProvider, useFinishedFiles] =
  strictContext<FinishedFiles>('finished files');
