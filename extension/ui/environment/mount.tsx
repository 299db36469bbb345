import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { EnvironmentProvider, type Environment } from './environment.ts';
import { applyLanguage } from '../text/i18n.ts';

/**
 * Puts a page of ours on the screen, unless the page is in a frame: whatever frames it could cover
 * it or move it under the pointer. No manifest entry lets a site do that; this is the second lock.
 */
export function mount(environment: Environment, children: ComponentChildren): void {
  if (window.top !== window) return;
  applyLanguage(document.documentElement, environment.text.language);
  render(
    <EnvironmentProvider value={environment}>{children}</EnvironmentProvider>,
    document.getElementById('app')!,
  );
}
