import { useEffect, useRef, useState } from 'preact/hooks';
import { sealedRuns } from '../fields/find/sealed-runs.ts';
import type { OpenedField } from '../../src/rpc/methods/ui-fields.ts';
import { useEnvironment } from '../ui/environment/environment.ts';
import { utf8Bytes } from '../ui/text/plain-text.ts';
import { candidatesIn } from './candidates.ts';
import { useFieldSessionEnvironment } from './environment.ts';

/** The sealed texts in a text, as they are opened: UTF-8, with a line feed at each break. */
export const sealedTextsIn = (content: string): readonly Uint8Array[] =>
  sealedRuns(content).map(({ pieces }) => utf8Bytes(pieces.join('\n')));

/** How much is opened in one step. */
interface Step {
  readonly texts: number;
  readonly bytes: number;
}

/** Opened without a press: few and short, because a page can hold hundreds that are made to be slow. */
export const FIRST_STEP: Step = { texts: 5, bytes: 256 * 1024 };

/** Opened by one press; at least one text, however long. */
export const NEXT_STEP: Step = { texts: 20, bytes: 4 * 2 ** 20 };

/** The end of the texts that one step opens, from `start` on. */
export function stepEnd(texts: readonly Uint8Array[], start: number, step: Step): number {
  let bytes = 0;
  let end = start;
  while (end < texts.length && end - start < step.texts) {
    bytes += texts[end]!.length;
    if (bytes > step.bytes) break;
    end++;
  }
  return end;
}

/** What came of opening one text; neither while it is being opened. */
export interface Opening {
  readonly opened?: OpenedField;
  readonly error?: unknown;
}

/** Some texts, the opened ones first. */
export interface Openings {
  /** Of the texts that were asked for. */
  readonly asked: readonly Opening[];
  /** How many texts were not asked for yet. */
  readonly rest: number;
  /** Whether nothing that was asked for is still to come. */
  readonly isSettled: boolean;
  /** Opens the next ones. To be called at a press. */
  readonly more: () => void;
}

/**
 * Opens texts one after the other: the first ones by itself, more at each press. Stops when the
 * window closes.
 *
 * @param texts the same array at each rendering
 * @param isPressed whether the user asked for these texts by a press already
 */
export function useOpenings(texts: readonly Uint8Array[], isPressed: boolean): Openings {
  const { ui } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const [end, setEnd] = useState(() =>
    isPressed ? pressedEnd(texts, 0) : stepEnd(texts, 0, FIRST_STEP),
  );
  const [done, setDone] = useState<readonly Opening[]>([]);
  const count = useRef(0);
  useEffect(() => {
    const stop = new AbortController();
    const openAll = async () => {
      while (count.current < end) {
        const found = texts[count.current]!;
        const sealed = { sessionId, found, candidates: candidatesIn(found) };
        const opening = await ui.call('ui.openField', sealed, stop.signal).then(
          (opened): Opening => ({ opened }),
          (error: unknown): Opening => ({ error }),
        );
        if (stop.signal.aborted) return;
        count.current++;
        setDone((before) => [...before, opening]);
      }
    };
    void openAll();
    return () => stop.abort();
  }, [ui, sessionId, texts, end]);
  return {
    asked: texts.slice(0, end).map((_, place) => done[place] ?? {}),
    rest: texts.length - end,
    isSettled: done.length >= end,
    more: () => setEnd((before) => pressedEnd(texts, before)),
  };
}

function pressedEnd(texts: readonly Uint8Array[], start: number): number {
  const end = stepEnd(texts, start, NEXT_STEP);
  return Math.max(end, Math.min(start + 1, texts.length));
}
