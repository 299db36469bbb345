/*
 * Entry: the Lab's page, of static files. Its worker and its texts lie beside it, and it sends nothing.
 */
import { render } from 'preact';
import manifest from '../../manifest.json';
import { packagedMessages } from '../../extension/platform/windows/chosen-words.ts';
import { TextProvider } from '../../extension/ui/environment/environment.ts';
import { folderOf } from '../../extension/ui/environment/preferences.ts';
import { applyLanguage, formattingLanguage, Text } from '../../extension/ui/text/i18n.ts';
import { messageReader } from '../../extension/ui/text/message-reader.ts';
import { LabTextProvider, type LabKey } from './lab-text.ts';
import { LabView } from './lab-view.tsx';

async function start(): Promise<void> {
  const messages = await packagedMessages(folderOf(navigator.languages), (path) => path);
  const getMessage = messageReader(messages);
  const text = new Text<LabKey>(
    getMessage,
    formattingLanguage(getMessage('localeTag', []), navigator.language),
  );
  applyLanguage(document.documentElement, text.language);
  render(
    <TextProvider value={text}>
      <LabTextProvider value={text}>
        <main>
          <LabView startWorker={() => new Worker('lab-worker.js')} version={manifest.version} />
        </main>
      </LabTextProvider>
    </TextProvider>,
    document.getElementById('app')!,
  );
}

void start();
