import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { EnvironmentProvider, type Environment } from './environment.ts';
import { applyLanguage } from '../text/i18n.ts';

/**
 * Renders an extension page into its #app element, and collects entropy on it. Renders nothing in a frame, because the framing
 * page could cover it or move it under the pointer. The manifest allows no site to frame our pages;
 * this is a second check.
 */
export function mount(environment: Environment, children: ComponentChildren): void {
  if (window.top !== window) return;
  applyLanguage(document.documentElement, environment.text.language);
  environment.entropy.start(document);
  render(
    <EnvironmentProvider value={environment}>{children}</EnvironmentProvider>,
    document.getElementById('app')!,
  );
}
