/* What the user of a test is asked, and answers. */
import type { Capability } from '../../src/client/page-api.ts';

/** What a prompt asks the user. */
export interface TestPrompt {
  /** Of the page that asks. */
  readonly origin: string;
  /** The page's own words. */
  readonly purpose: string;
  readonly capabilities: readonly Capability[];
  /** The key that the page asks for; the user picks one of its kind unless it is the app's own. */
  readonly key: 'app' | { readonly kind: string; readonly label?: string };
  /** The user's keys of that kind. */
  readonly keys: readonly { readonly ref: string; readonly label: string }[];
  /** Whether the page asks for a new generation of a key, and not for a grant. */
  readonly rotates: boolean;
  /** How long and for how many uses the page asks; null: without limit. */
  readonly expiresInMs: number | null;
  readonly maxUses: number | null;
  /** How many messages the page may open in an hour; null: without limit. */
  readonly maxPerHour: number | null;
  /** How many it asks to open once beside those; null: none. */
  readonly bulk: { readonly records: number } | null;
}

/** What the user answers to a prompt. They may narrow what the page asks for. */
export interface TestAnswer {
  readonly allow: boolean;
  /** One of `keys`. Where the page asks for a kind of key and neither this nor the next is given: the first or a new one. */
  readonly ref?: string | undefined;
  /** Makes a new key of that name. */
  readonly newKeyLabel?: string | undefined;
  readonly expiresInMs?: number | undefined;
  readonly maxUses?: number | undefined;
  readonly maxPerHour?: number | undefined;
}

/** 'close': the user closes the prompt's window. */
export type TestAnswers =
  | 'allow'
  | 'deny'
  | 'close'
  | ((prompt: TestPrompt) => TestAnswer | 'allow' | 'deny' | 'close' | Promise<TestAnswer>);
