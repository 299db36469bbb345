import type { ParamsOf, ResultOf, UiMethod } from '../../../src/rpc/methods/methods.ts';
import type { UiGrant, UiKey } from '../../../src/rpc/methods/ui.ts';

/*
 * Names for the parameters and results of the `ui.*` methods, derived from the table of methods.
 * Times are milliseconds since the epoch, durations milliseconds.
 */
export type { UiGrant, UiKey, UiMethod };

/** The state of vault and extension. */
export type UiState = ResultOf<'ui.state'>;
/** 'absent', 'lost', 'locked' or 'unlocked'. */
export type VaultState = UiState['vault'];
/** What a sync key shows for comparing devices. */
export type UiSyncKey = ResultOf<'ui.syncKey'>;
/** The site of a tab. */
export type UiSite = ResultOf<'ui.site'>;
/** Why a site cannot be enabled. */
export type SiteProblem = NonNullable<UiSite['problem']>;
/** An enabled site with its grants. */
export type UiSiteSummary = ResultOf<'ui.sites'>[number];
/** A request of a site, for the consent window. */
export type UiPrompt = ResultOf<'ui.prompt'>;
/** The answer to a request. */
export type PromptAnswer = ParamsOf<'ui.answerPrompt'>;
/** A page of the filtered audit log. */
export type UiActivityPage = ResultOf<'ui.activity'>;
/** An entry of the audit log. */
export type UiActivity = UiActivityPage['entries'][number];
/** The filter and page of the audit log. */
export type ActivityQuery = ParamsOf<'ui.activity'>;
/** Calls and bytes of a site per day. */
export type SiteUsage = ResultOf<'ui.activityUsage'>[number];
/** What the pages store in the background. */
export type LocalValueName = ParamsOf<'ui.pageValue'>['name'];
/** The state of the random generator. */
export type EntropyState = ResultOf<'ui.entropy'>;

/**
 * The extension pages' client of the background. Views reach the background through it alone: they
 * get no keys, no storage and no browser API. Calls reject with a SealwrightError that has a stable
 * `code`.
 */
export interface UiClient {
  /**
   * @param signal aborting it rejects the call with an AbortError and stops the work in the
   *   background
   */
  call<M extends UiMethod>(
    method: M,
    params: ParamsOf<M>,
    signal?: AbortSignal,
  ): Promise<ResultOf<M>>;
  /** Calls the listener after each change in the background. @returns removes the listener */
  onChange(listener: () => void): () => void;
}
