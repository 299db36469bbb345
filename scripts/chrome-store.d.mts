export interface ChromeStore {
  publish(crx: Uint8Array, percent: number): Promise<unknown>;
  rollout(percent: number): Promise<unknown>;
}

export function chromeStore(
  env: Readonly<Record<string, string | undefined>>,
  fetch: (url: string, init?: RequestInit) => Promise<Response>,
  wait?: (ms: number) => Promise<void>,
): ChromeStore;
