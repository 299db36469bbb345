import { strictContext } from '../ui/environment/environment.ts';

/** What the window about fields has in addition to the environment of every extension page. */
export interface FieldSessionEnvironment {
  /**
   * Identifies the field session (`sessionId` of the ui methods); it stands in the window's address.
   */
  readonly sessionId: string;
  /** Whether the window is about a form that was not sent. */
  readonly isStopped: boolean;
  readonly closeWindow: () => void;
  /** Reloads the open pages of a site. */
  readonly reloadPages: (origin: string) => Promise<void>;
}

/** Provides the `FieldSessionEnvironment`; the hook throws outside of the provider. */
export const [FieldSessionEnvironmentProvider, useFieldSessionEnvironment] =
  strictContext<FieldSessionEnvironment>('field session');
