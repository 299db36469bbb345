import { useEffect, useState } from 'preact/hooks';
import { DeviceFolder } from '../../platform/storage/device-folder.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { exchangeByFolder, type Exchanged } from './file-exchange.ts';

const NAME_CHARACTERS = 120;

/** The folder that was chosen before; null for none, undefined until that is known. */
export type KeptFolder = DeviceFolder | null | undefined;

/** The folder that was chosen before. */
export function useKeptFolder(): KeptFolder {
  const [kept, setKept] = useState<KeptFolder>();
  useEffect(() => {
    void DeviceFolder.kept().then((folder) => setKept(folder ?? null));
  }, []);
  return kept;
}

interface DeviceFolderProps {
  readonly kept: DeviceFolder | null;
  readonly onExchanged: (exchanged: Exchanged) => Promise<void>;
}

/**
 * Exchanges by the folder when the manager is opened on another screen, and when the person comes back to it, while the
 * permission holds. What it finds, the screen of devices tells.
 */
export function useFolderExchange(isShown: boolean): void {
  const { ui } = useEnvironment();
  useEffect(() => {
    if (isShown) return undefined;
    const exchange = async () => {
      const folder = await DeviceFolder.kept();
      if (folder && (await folder.isOpen())) await exchangeByFolder(ui, folder);
    };
    // What fails is told where the folder is shown, which tries it again.
    const start = () => void exchange().catch(() => undefined);
    start();
    window.addEventListener('focus', start);
    return () => window.removeEventListener('focus', start);
  }, [ui, isShown]);
}

/**
 * The folder that another program carries, where the browser lets a page keep one. Its files are exchanged when this part of the
 * screen appears while the permission holds, and at a press.
 */
export function DeviceFolderPart({ kept, onExchanged }: DeviceFolderProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const [folder, setFolder] = useState(kept);
  const [problem, setProblem] = useState<MessageKey>();
  const exchange = async (within: DeviceFolder) => {
    setProblem(undefined);
    try {
      const exchanged = await exchangeByFolder(ui, within);
      if (exchanged) await onExchanged(exchanged);
      else setProblem('deviceFilesTooLarge');
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      setProblem('deviceFolderFails');
    }
  };
  // Once: what changes on this page later is exchanged at a press.
  useEffect(() => {
    if (!kept) return;
    action.run(async () => {
      if (await kept.isOpen()) await exchange(kept);
    });
  }, []);
  if (!DeviceFolder.isSupported()) return null;
  const choose = () =>
    action.run(async () => {
      const chosen = await DeviceFolder.choose();
      if (!chosen) return;
      await chosen.keep();
      setFolder(chosen);
      await exchange(chosen);
    });
  const exchangeNow = () =>
    action.run(async () => {
      if (await folder!.open()) await exchange(folder!);
      else setProblem('deviceFolderFails');
    });
  const forget = () =>
    action.run(async () => {
      await DeviceFolder.forget();
      setFolder(null);
      setProblem(undefined);
    });
  return (
    <>
      {folder && (
        <p id="device-folder-name">
          {text.t('deviceFolderIs', plainText(folder.name, NAME_CHARACTERS))}
        </p>
      )}
      <div class="actions">
        {folder && (
          <Button id="device-folder-now" busy={action.busy} onClick={exchangeNow}>
            {text.t('deviceFolderNow')}
          </Button>
        )}
        <Button id="device-folder-choose" busy={action.busy} onClick={choose}>
          {text.t('deviceFolderChoose')}
        </Button>
        {folder && (
          <Button id="device-folder-forget" variant="quiet" busy={action.busy} onClick={forget}>
            {text.t('deviceFolderForget')}
          </Button>
        )}
      </div>
      {problem && (
        <Banner tone="warning" id="device-folder-problem">
          <p>{text.t(problem)}</p>
        </Banner>
      )}
      <ErrorBanner error={action.error} />
    </>
  );
}
