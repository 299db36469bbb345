import type { Runtime } from 'webextension-polyfill';

/** Once in the life of an installation; not when it is updated, nor when the browser is. */
export function onInstall(
  { onInstalled }: Pick<Runtime.Static, 'onInstalled'>,
  listener: () => void,
): void {
  onInstalled.addListener(({ reason }) => {
    if (reason === 'install') listener();
  });
}
