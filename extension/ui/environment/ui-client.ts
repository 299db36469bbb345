import type { ParamsOf, ResultOf, UiMethod } from '../../../src/rpc/methods/methods.ts';
import type { UiGrant, UiKey } from '../../../src/rpc/methods/ui.ts';

/*
 * Names for the parameters and results of the `ui.*` methods, derived from the table of methods.
 * Times are milliseconds since the epoch, durations milliseconds.
 */
export type { UiGrant, UiKey, UiMethod };

export type UiState = ResultOf<'ui.state'>;
export type VaultState = UiState['vault'];
export type UiSyncKey = ResultOf<'ui.syncKey'>;
export type UiSite = ResultOf<'ui.site'>;
export type SiteProblem = NonNullable<UiSite['problem']>;
export type UiSiteSummary = ResultOf<'ui.sites'>[number];
export type UiPrompt = ResultOf<'ui.prompt'>;
export type PromptAnswer = ParamsOf<'ui.answerPrompt'>;
export type UiActivityPage = ResultOf<'ui.activity'>;
export type UiActivity = UiActivityPage['entries'][number];
export type ActivityQuery = ParamsOf<'ui.activity'>;
export type SiteUsage = ResultOf<'ui.activityUsage'>[number];
export type EntropyState = ResultOf<'ui.entropy'>;

/**
 * The extension pages' client of the background. Views reach the background through it alone: they
 * get no keys, no storage and no browser API. Calls reject with a SealwrightError that has a stable
 * `code`.
 */
export interface UiClient {
  /** @param signal aborting it rejects the call with an AbortError and stops the work in the background */
  call<M extends UiMethod>(
    method: M,
    params: ParamsOf<M>,
    signal?: AbortSignal,
  ): Promise<ResultOf<M>>;
  /** Calls the listener after each change in the background. @returns removes the listener */
  onChange(listener: () => void): () => void;
}
