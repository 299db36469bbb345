import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Keyboard } from 'lucide-preact';
import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment, type Shortcut } from '../ui/environment/environment.ts';
import type { MessageKey } from '../ui/text/i18n.ts';

/** The commands of manifest.json. */
const COMMANDS: Readonly<Record<string, MessageKey>> = {
  _execute_action: 'shortcutOpen',
  lock: 'lockNow',
  'write-sealed': 'writeSealed',
  'open-sealed': 'openSealed',
};

/** The commands with their keys, and a button to the browser's page that changes them; nothing where it has no commands. */
export function Shortcuts() {
  const { text, shortcuts, openShortcutSettings } = useEnvironment();
  const [all, setAll] = useState<readonly Shortcut[] | undefined>(undefined);
  useEffect(() => {
    const load = () => void shortcuts().then(setAll);
    load();
    window.addEventListener('focus', load);
    return () => window.removeEventListener('focus', load);
  }, [shortcuts]);
  if (all?.length === 0) return null;
  // Each has its line before the browser has answered: nothing below moves then.
  const names = Object.keys(COMMANDS);
  const known = all?.filter(({ command }) => names.includes(command));
  const shown = known ?? names.map((command) => ({ command, keys: '\u00a0' }));
  return (
    <section class="stack" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{text.t('shortcuts')}</h2>
      <dl class="facts" id="shortcuts">
        {shown.map(({ command, keys }) => (
          <Fragment key={command}>
            <dt>{text.t(COMMANDS[command]!)}</dt>
            <dd>{keys === '' ? text.t('shortcutNone') : <kbd dir="ltr">{keys}</kbd>}</dd>
          </Fragment>
        ))}
      </dl>
      <div class="actions">
        <Button
          id="change-shortcuts"
          icon={<Keyboard size={18} aria-hidden="true" />}
          onClick={openShortcutSettings}
        >
          {text.t('shortcutsChange')}
        </Button>
      </div>
    </section>
  );
}
