import type en from './_locales/en/messages.json';
import { strictContext } from '../extension/ui/environment/environment.ts';
import type { MessageKey, Text } from '../extension/ui/text/i18n.ts';

/** The page's own messages (open-page/_locales), and those of the extension that shared-messages.json lists. */
export type PageKey = keyof typeof en | MessageKey;

/** The texts of the page. */
export type PageText = Text<PageKey>;

/** Provides the texts; the components of the extension's interface read theirs from `TextProvider`. */
export const [PageTextProvider, usePageText] = strictContext<PageText>('texts of the page');
