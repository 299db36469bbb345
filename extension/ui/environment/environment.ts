import type { NewPasskey, PasskeyCredential } from '../../platform/lock/passkeys.ts';
import type { Text } from '../text/i18n.ts';
import type { Picture } from '../picture/picture.ts';
import type { UiClient } from './ui-client.ts';
import { createContext, type Context } from 'preact';
import { useContext } from 'preact/hooks';

/** Small texts that outlive a closed popup, but not the browser. Never a passphrase. */
export interface Drafts {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

/** What is kept over restarts and is not secret: the last self-test. */
export interface LocalValues {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
}

/** The browser's passkeys (extension/platform/lock/passkeys.ts). Both methods throw PasskeyError. */
export interface Passkeys {
  make(name: string, known: readonly PasskeyCredential[]): Promise<NewPasskey>;
  evaluate(known: readonly PasskeyCredential[]): Promise<Uint8Array>;
}

/** In a popup the browser's own dialog is cut off, or closes the popup: there a tab has to do it. */
export type PasskeyAccess = Passkeys | 'in-a-tab' | null;

/** A dedicated worker, as far as the views use one. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  terminate(): void;
}

/** Everything that a view may touch outside itself; the entry makes it, tests make another. */
export interface Environment {
  readonly ui: UiClient;
  readonly text: Text;
  readonly drafts: Drafts;
  readonly localValues: LocalValues;
  /** The picture that tells our windows from imitations. */
  readonly picture: () => Promise<Picture>;
  /** Null where the browser gives extensions none. */
  readonly passkeys: () => Promise<PasskeyAccess>;
  /** The tab that the popup was opened over; null when there is none. */
  readonly tabId: () => Promise<number | null>;
  /** Asks the browser for access to a site. Has to be called straight from a click. */
  readonly requestSite: (pattern: string) => Promise<boolean>;
  /** Opens the popup's page in a tab, where it stays open; null when it is in one already. */
  readonly openInTab: (() => void) | null;
  /** Opens the manager, at one of its screens, in a tab. */
  readonly openManager: (screen: string) => void;
  readonly startSelfTestWorker: () => WorkerLike;
}

export const [EnvironmentProvider, useEnvironment] = strictContext<Environment>('environment');

export const useText = (): Text => useEnvironment().text;

/**
 * A context without a default: its hook throws where no provider stands above.
 *
 * @param name what is missing then, for the error
 */
export function strictContext<T extends object>(
  name: string,
): readonly [provider: Context<T | null>['Provider'], hook: () => T] {
  const context = createContext<T | null>(null);
  const useStrictly = () => {
    const value = useContext(context);
    if (!value) throw new Error(`a view was rendered outside its ${name}`);
    return value;
  };
  return [context.Provider, useStrictly];
}
