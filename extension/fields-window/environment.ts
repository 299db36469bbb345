import { strictContext } from '../ui/environment/environment.ts';

/** What this window can do beside what every page of ours can. */
export interface VisitEnvironment {
  /** The id in the window's address. */
  readonly visitId: string;
  /** It is about a form that was not sent. */
  readonly isStopped: boolean;
  readonly closeWindow: () => void;
}

export const [VisitEnvironmentProvider, useVisitEnvironment] =
  strictContext<VisitEnvironment>('visit');
