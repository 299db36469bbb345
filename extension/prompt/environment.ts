import { strictContext } from '../ui/environment/environment.ts';

/** What the consent window has in addition to the environment of every extension page. */
export interface PromptEnvironment {
  /** Identifies the request; it stands in the window's address. */
  readonly promptId: string;
  /** Opens the first run in a tab, where the user creates the vault. */
  readonly openWelcome: () => void;
  readonly closeWindow: () => void;
}

/** Provides the `PromptEnvironment`; the hook throws outside of the provider. */
export const [PromptEnvironmentProvider, usePromptEnvironment] =
  strictContext<PromptEnvironment>('prompt environment');
