import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  EnvironmentProvider,
  TextProvider,
  type Environment,
  type PageEnvironment,
} from './environment.ts';
import { applyLanguage, type Text } from '../text/i18n.ts';
import {
  applyTheme,
  asPreferences,
  copiedPreferences,
  copyPreferences,
  PREFERENCES_COPY,
  type Preferences,
} from './preferences.ts';

/**
 * Renders an extension page into its #app element, and collects entropy on it. Renders nothing in a
 * frame, because the framing page could cover it or move it under the pointer. The manifest allows no
 * site to frame our pages; this is a second check.
 */
export function mount(environment: PageEnvironment, children: ComponentChildren): void {
  if (window.top !== window) return;
  environment.entropy.start(document);
  const preferences = copiedPreferences();
  applyTheme(document.documentElement, preferences.theme);
  const show = (text: Text) => {
    applyLanguage(document.documentElement, text.language);
    render(
      <Root environment={environment} first={{ text, preferences }}>
        {children}
      </Root>,
      document.getElementById('app')!,
    );
  };
  if (preferences.language === 'auto') show(environment.text);
  else void environment.loadText(preferences.language).then(show, () => show(environment.text));
}

type Shown = Pick<Environment, 'text' | 'preferences'>;

interface RootProps {
  readonly environment: PageEnvironment;
  readonly first: Shown;
  readonly children: ComponentChildren;
}

/** Provides the environment, in the language that is chosen at present. */
function Root({ environment, first, children }: RootProps) {
  const [shown, setShown] = useState(first);
  const latest = useRef(first.preferences);
  const { localValues, loadText } = environment;
  const follow = useCallback(
    async (preferences: Preferences) => {
      if (isSame(preferences, latest.current)) return;
      latest.current = preferences;
      const text = await loadText(preferences.language);
      if (latest.current === preferences) setShown({ text, preferences });
    },
    [loadText],
  );
  const lastChoice = useRef(Promise.resolve());
  // One after the other, and shown when it is stored: a page that is closed at once loses no choice that
  // the user has seen.
  const choose = useCallback(
    (part: Partial<Preferences>) => {
      const choice = lastChoice.current.then(async () => {
        const preferences = { ...latest.current, ...part };
        await localValues.set('preferences', preferences);
        copyPreferences(preferences);
        await follow(preferences);
      });
      lastChoice.current = choice.catch(() => undefined);
      return choice;
    },
    [localValues, follow],
  );
  useEffect(() => {
    const takeCopy = ({ key }: StorageEvent) => {
      if (key === PREFERENCES_COPY) void follow(copiedPreferences());
    };
    const takeStored = (stored: unknown) => {
      const preferences = asPreferences(stored);
      copyPreferences(preferences);
      return follow(preferences);
    };
    window.addEventListener('storage', takeCopy);
    // A background that does not answer leaves what the copy says.
    localValues
      .get('preferences')
      .then(takeStored)
      .catch(() => undefined);
    return () => window.removeEventListener('storage', takeCopy);
  }, [localValues, follow]);
  // Before the browser paints, so that no view is seen in the direction of another language.
  useLayoutEffect(() => {
    applyLanguage(document.documentElement, shown.text.language);
    applyTheme(document.documentElement, shown.preferences.theme);
  }, [shown]);
  const value = useMemo(() => ({ ...environment, ...shown, choose }), [environment, shown, choose]);
  return (
    <EnvironmentProvider value={value}>
      <TextProvider value={shown.text}>{children}</TextProvider>
    </EnvironmentProvider>
  );
}

const isSame = (a: Preferences, b: Preferences): boolean =>
  a.language === b.language && a.theme === b.theme;
