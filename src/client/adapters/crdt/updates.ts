/*
 * Documents of libraries for shared editing (CRDTs) are sets of updates: their order and repetitions do not matter,
 * so a server that replays or reorders sealed updates changes nothing. Each update is bound to its document and
 * kind. What does not open is kept and reported, and the rest is applied.
 */
import { jsonOf } from '../json.ts';
import { checkOptions, checkProvider, codeOf } from '../../errors.ts';
import type { OwnBytes } from '../../page-types.ts';
import { sealedMessages } from '../messages.ts';
import type { MessageSealer, Sealed, SealedMessages } from '../messages.ts';

/** What a sealed update is: a change, a whole state, or what a user points at. */
export type UpdateKind = 'update' | 'snapshot' | 'awareness';

/** The sealed updates of one document, as a server or a database has them. Their order does not matter. */
export interface StoredDocument {
  /** Whole states. Two devices may make one at the same time. */
  readonly snapshots?: readonly Sealed[];
  readonly updates?: readonly Sealed[];
}

/** An update that was not applied. */
export interface QuarantinedUpdate {
  readonly kind: UpdateKind;
  /** NEEDS_KEY, AUTH_FAILED (changed, or of another document), BAD_ENVELOPE, BAD_RECORD (not an update) … */
  readonly code: string;
  /** As it was stored. Keep it: it may open once its key is on this device. */
  readonly sealed: Sealed;
}

/** Options of the adapters for shared documents. */
export interface SealedDocumentOptions {
  /** The document's id in your app. Its updates open as those of this document alone. */
  readonly document: string;
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
  /** Called for every update that is not applied. */
  readonly onQuarantine?: ((update: QuarantinedUpdate) => void) | undefined;
}

/** Updates that opened and that the library can read, and the others. */
export interface OpenedUpdates<T> {
  readonly opened: readonly {
    readonly sealed: Sealed;
    readonly kind: UpdateKind;
    readonly value: T;
  }[];
  readonly quarantined: readonly QuarantinedUpdate[];
}

/** Seals and opens the updates of one document. */
export class SealedUpdates {
  readonly #messages: Readonly<Record<UpdateKind, SealedMessages>>;
  readonly #onQuarantine: SealedDocumentOptions['onQuarantine'];

  /** @param library names the format of the updates, which are bound to it */
  constructor(sealwright: MessageSealer, library: string, options: SealedDocumentOptions) {
    checkProvider(sealwright, 'sealMany', 'openMany');
    checkOptions(options, 'document', 'key', 'onQuarantine');
    const { document, key, onQuarantine } = options;
    if (typeof document !== 'string' || document === '') {
      throw new TypeError('document must be the id of the document, a text');
    }
    const messages = (kind: UpdateKind) =>
      sealedMessages(sealwright, jsonOf(['sealwright/adapters', library, document, kind]), key);
    this.#messages = {
      update: messages('update'),
      snapshot: messages('snapshot'),
      awareness: messages('awareness'),
    };
    this.#onQuarantine = onQuarantine;
  }

  seal(kind: UpdateKind, update: Uint8Array): Promise<Sealed> {
    return this.#messages[kind].seal(update as Sealed);
  }

  /**
   * Opens all updates of a document.
   *
   * @param read takes the library's value from an update. An error means that it cannot be read
   * @throws errors of the whole call: locked, not granted …
   */
  async open<T>(
    { snapshots = [], updates = [] }: StoredDocument,
    read: (update: Uint8Array, kind: UpdateKind) => T,
  ): Promise<OpenedUpdates<T>> {
    const all = [
      ...snapshots.map((sealed) => ({ kind: 'snapshot' as const, sealed })),
      ...updates.map((sealed) => ({ kind: 'update' as const, sealed })),
    ];
    const results = await Promise.all(
      all.map(({ kind, sealed }) => this.tryOpen(kind, sealed, read)),
    );
    const quarantined: QuarantinedUpdate[] = [];
    const opened = results.flatMap((result, i) => {
      const { kind, sealed } = all[i]!;
      if ('value' in result) return [{ kind, sealed, value: result.value }];
      const update = { kind, sealed, code: result.code };
      quarantined.push(update);
      this.#onQuarantine?.(update);
      return [];
    });
    return { opened, quarantined };
  }

  /** Opens one update. @returns its value, or the code of why there is none */
  async tryOpen<T>(
    kind: UpdateKind,
    sealed: Sealed,
    read: (update: Uint8Array, kind: UpdateKind) => T,
  ): Promise<{ readonly value: T } | { readonly code: string }> {
    const result = await this.#messages[kind].tryOpen(sealed);
    if (!result.ok) return { code: codeOf(result.error) ?? 'INTERNAL' };
    try {
      return { value: read(result.value, kind) };
    } catch {
      return { code: 'BAD_RECORD' };
    }
  }

  /** One update. @throws SealwrightError if it does not open */
  async openOne(kind: UpdateKind, sealed: Sealed): Promise<OwnBytes> {
    const result = await this.#messages[kind].tryOpen(sealed);
    if (result.ok) return result.value;
    throw result.error;
  }
}

/** What is stored after the updates that opened were merged into one snapshot: the others are kept. */
export function compacted(
  snapshot: Sealed,
  kept: readonly { readonly kind: UpdateKind; readonly sealed: Sealed }[],
): Required<StoredDocument> {
  const of = (wanted: UpdateKind) =>
    kept.filter(({ kind }) => kind === wanted).map(({ sealed }) => sealed);
  return { snapshots: [...of('snapshot'), snapshot], updates: of('update') };
}
