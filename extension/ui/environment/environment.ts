import type { PageEntropy } from '../../platform/entropy/page-entropy.ts';
import type { NewPasskey, PasskeyCredential } from '../../platform/lock/passkeys.ts';
import type { Workshop } from '../../../src/rpc/workshop.ts';
import type { Text } from '../text/i18n.ts';
import type { Picture } from '../picture/picture.ts';
import type { Language, Preferences } from './preferences.ts';
import type { LocalValueName, UiClient } from './ui-client.ts';
import { createContext, type Context } from 'preact';
import { useContext } from 'preact/hooks';

/** Drafts of text fields: they survive a closed popup but not the browser. Never a passphrase. */
export interface Drafts {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Values that survive restarts and are not secret, such as the last self-test and the picture. */
export interface LocalValues {
  get(name: LocalValueName): Promise<unknown>;
  set(name: LocalValueName, value: unknown): Promise<void>;
}

/**
 * The browser's passkeys (extension/platform/lock/passkeys.ts). All methods throw PasskeyError.
 */
export interface Passkeys {
  make(name: string, known: readonly PasskeyCredential[]): Promise<NewPasskey>;
  evaluate(known: readonly PasskeyCredential[]): Promise<Uint8Array>;
  evaluateForCircle(): Promise<Uint8Array>;
}

/**
 * 'in-a-tab': passkeys work in a tab only, because a popup is too small for the browser's dialog or
 * is closed by it. Null: the browser gives extensions no passkeys.
 */
export type PasskeyAccess = Passkeys | 'in-a-tab' | null;

/** A command of the extension, and its keys as the browser writes them; '' for none. */
export interface Shortcut {
  readonly command: string;
  readonly keys: string;
}

/** What the browser stores for the extension. */
export interface StorageUse {
  readonly bytes: number;
  /** Whether the browser has promised not to clear it when the device is full. */
  readonly isKept: boolean;
}

/** An environment before the page has read what the user chose. */
export type PageEnvironment = Omit<Environment, 'preferences' | 'choose'>;

/**
 * Everything outside of themselves that views use. Entries pass the browser's, tests pass a fake.
 */
export interface Environment {
  readonly ui: UiClient;
  readonly text: Text;
  readonly drafts: Drafts;
  readonly localValues: LocalValues;
  /** The installation's picture, which distinguishes our windows from imitations. */
  readonly picture: () => Promise<Picture>;
  /** Which passkeys the page can use. */
  readonly passkeys: () => Promise<PasskeyAccess>;
  /** The tab that the popup is about; null if there is none. */
  readonly tabId: () => Promise<number | null>;
  /** Asks the browser for access to a site. Has to be called directly in the handler of a click. */
  readonly requestSite: (pattern: string) => Promise<boolean>;
  /** Asks the browser to let sealed keys leave this device through its sync. Likewise directly in the handler of a click. */
  readonly requestSync: () => Promise<boolean>;
  /** Shows the manager as it was left, in a tab, where it stays open; null in a tab. */
  readonly openInTab: (() => void) | null;
  /** Shows one screen of the manager, in the tab that it has already, else in a new one. */
  readonly openManager: (screen: string) => void;
  /**
   * Empties the browser's memory of this session, with the key of an open vault in it. It needs no
   * background, and tells no page.
   */
  readonly forgetSession: () => Promise<void>;
  /** The self-test's, whose measurements this page must not disturb. */
  readonly workshop: Workshop;
  /** What this page gives the random generator. `mount` starts it. */
  readonly entropy: PageEntropy;
  /** The texts in a language of the package. */
  readonly loadText: (language: Language) => Promise<Text>;
  /** The language and colours that are chosen. */
  readonly preferences: Preferences;
  /** Stores another choice and shows it, in all open pages. */
  readonly choose: (part: Partial<Preferences>) => Promise<void>;
  readonly storageUse: () => Promise<StorageUse>;
  /** A file of the package, as it is installed. Rejects for one that cannot be read. */
  readonly ownFile: (path: string) => Promise<Uint8Array>;
  readonly shortcuts: () => Promise<readonly Shortcut[]>;
  /** Opens the page of the browser on which the keys of commands are chosen. */
  readonly openShortcutSettings: () => void;
}

/** Provides the `Environment`; the hook throws outside of the provider. */
export const [EnvironmentProvider, useEnvironment] = strictContext<Environment>('environment');

/** Provides the texts, also to pages that have nothing else of the environment. */
export const [TextProvider, useText] = strictContext<Text>('texts');

/**
 * Creates a context without a default: its hook throws outside of its provider.
 *
 * @param name what the context holds, for the error
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
