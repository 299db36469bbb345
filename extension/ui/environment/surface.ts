import type { ParamsOf, ResultOf, SurfaceMethod } from '../../../src/rpc/methods/methods.ts';

/*
 * Names for what the surface methods return, derived from the one table of methods. Times are
 * milliseconds since the epoch, durations milliseconds.
 */
export type { SurfaceGrant, SurfaceKey, SurfaceMethod } from '../../../src/rpc/methods/methods.ts';

export type SurfaceState = ResultOf<'ui.state'>;
export type VaultState = SurfaceState['vault'];
export type SurfaceSyncKey = ResultOf<'ui.syncKey'>;
export type SurfaceSite = ResultOf<'ui.site'>;
export type SiteProblem = NonNullable<SurfaceSite['problem']>;
export type SurfaceSiteSummary = ResultOf<'ui.sites'>[number];
export type SurfacePrompt = ResultOf<'ui.prompt'>;
export type PromptAnswer = ParamsOf<'ui.answerPrompt'>;
export type SurfaceActivityPage = ResultOf<'ui.activity'>;
export type SurfaceActivity = SurfaceActivityPage['entries'][number];
export type ActivityQuery = ParamsOf<'ui.activity'>;
export type SiteUsage = ResultOf<'ui.activityUsage'>[number];
export type EntropyState = ResultOf<'ui.entropy'>;

/**
 * What the extension's own pages can ask of the background. The views know nothing else of it:
 * no keys, no storage, no browser API. Rejections are SealwrightErrors with a stable `code`.
 */
export interface Surface {
  /** @param signal an abort rejects with an AbortError, and tells the background to stop */
  call<M extends SurfaceMethod>(
    method: M,
    params: ParamsOf<M>,
    signal?: AbortSignal,
  ): Promise<ResultOf<M>>;
  /** Calls the listener when the background says that something changed. @returns stops that */
  onChange(listener: () => void): () => void;
}
