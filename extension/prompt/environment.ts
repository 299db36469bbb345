import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What the consent window can do beside what every page of ours can. */
export interface PromptEnvironment {
  /** The id in the window's address. */
  readonly promptId: string;
  /** Opens the popup's page in a tab, for a first run. */
  readonly openPopupPage: () => void;
  readonly closeWindow: () => void;
}

const PromptContext = createContext<PromptEnvironment | null>(null);

export const PromptEnvironmentProvider = PromptContext.Provider;

export function usePromptEnvironment(): PromptEnvironment {
  const environment = useContext(PromptContext);
  if (!environment) throw new Error('a prompt view was rendered outside its environment');
  return environment;
}
