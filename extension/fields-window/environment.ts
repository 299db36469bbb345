import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What this window can do beside what every page of ours can. */
export interface VisitEnvironment {
  /** The id in the window's address. */
  readonly visitId: string;
  readonly closeWindow: () => void;
}

const VisitContext = createContext<VisitEnvironment | null>(null);

export const VisitEnvironmentProvider = VisitContext.Provider;

export function useVisitEnvironment(): VisitEnvironment {
  const environment = useContext(VisitContext);
  if (!environment) throw new Error('a view was rendered outside its environment');
  return environment;
}
