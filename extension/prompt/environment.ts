import { strictContext } from '../ui/environment/environment.ts';

/** What the consent window can do beside what every page of ours can. */
export interface PromptEnvironment {
  /** The id in the window's address. */
  readonly promptId: string;
  /** Opens the popup's page in a tab, for a first run. */
  readonly openPopupPage: () => void;
  readonly closeWindow: () => void;
}

export const [PromptEnvironmentProvider, usePromptEnvironment] =
  strictContext<PromptEnvironment>('prompt environment');
