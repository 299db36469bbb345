import type en from '../_locales/en/messages.json';
import { strictContext } from '../../extension/ui/environment/environment.ts';
import type { MessageKey, Text } from '../../extension/ui/text/i18n.ts';

/** The messages of the Lab (lab/_locales), and those of the extension that its page shares. */
export type LabKey = keyof typeof en | MessageKey;

/** The texts of the Lab's page. */
export type LabText = Text<LabKey>;

/** Provides them; the components of the extension's interface read theirs from `TextProvider`. */
export const [LabTextProvider, useLabText] = strictContext<LabText>('texts of the Lab');
