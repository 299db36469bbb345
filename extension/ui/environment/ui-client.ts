import type { ParamsOf, ResultOf, UiMethod } from '../../../src/rpc/methods/methods.ts';

/*
 * Names for what the surface methods return, derived from the one table of methods. Times are
 * milliseconds since the epoch, durations milliseconds.
 */
export type {
  SurfaceGrant,
  SurfaceKey,
  UiMethod as SurfaceMethod,
} from '../../../src/rpc/methods/methods.ts';

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
 * What the extension's own pages can ask of the background. The views know nothing else of it:
 * no keys, no storage, no browser API. Rejections are SealwrightErrors with a stable `code`.
 */
export interface Ui {
  /** @param signal an abort rejects with an AbortError, and tells the background to stop */
  call<M extends UiMethod>(
    method: M,
    params: ParamsOf<M>,
    signal?: AbortSignal,
  ): Promise<ResultOf<M>>;
  /** Calls the listener when the background says that something changed. @returns stops that */
  onChange(listener: () => void): () => void;
}
