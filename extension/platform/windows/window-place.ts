import type { Windows } from 'webextension-polyfill';

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** Below the top of the window beneath, so that its address line stays in sight. */
const FROM_TOP = 80;

/** Over the window the user is looking at, where the browser says which that is. */
export async function placeInFront(
  windows: Pick<Windows.Static, 'getLastFocused'>,
  size: WindowSize,
): Promise<{ left?: number; top?: number }> {
  const front = await windows.getLastFocused().catch(() => undefined);
  const { left, top, width } = front ?? {};
  if (left === undefined || top === undefined || width === undefined) return {};
  const centre = left + (width - size.width) / 2;
  return { left: Math.max(0, Math.round(centre)), top: Math.max(0, top + FROM_TOP) };
}
