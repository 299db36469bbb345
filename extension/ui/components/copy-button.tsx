import { useEffect, useState } from 'preact/hooks';
import { Check, Copy, Download } from 'lucide-preact';
import { useText } from '../environment/environment.ts';
import { useAnnounce } from './announcer.tsx';
import { Button } from './buttons/button.tsx';
import { download } from '../environment/download.ts';

const SHOW_COPIED_MS = 2000;

interface CopyButtonProps {
  readonly value: string;
  readonly label: string;
  /** Primary where copying is the next step. */
  readonly variant?: 'primary' | 'quiet';
  /** For secret values: whether a click may copy yet (extension/ui/hooks/arming.ts). */
  readonly mayAct?: (event: Event) => boolean;
}

/** Copies `value` to the clipboard, and says so for two seconds. */
export function CopyButton(props: CopyButtonProps) {
  const { value, label, variant = 'quiet', mayAct = () => true } = props;
  const text = useText();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOW_COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (event: Event) => {
    if (!mayAct(event)) return;
    void navigator.clipboard.writeText(value).then(() => {
      setCopied(true);
      announce(text.t('copied'));
    });
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button variant={variant} icon={<Icon size={16} aria-hidden="true" />} onClick={copy}>
      {copied ? text.t('copied') : label}
    </Button>
  );
}

interface SaveButtonProps {
  /** Absent where several are shown. */
  readonly id?: string;
  readonly label: string;
  readonly fileName: string;
  /** Read when the button is pressed. */
  readonly contents: string | Uint8Array | Blob;
  readonly onSave?: (() => void) | undefined;
}

/** Saves `contents` as a file among the browser's downloads. */
export function SaveButton({ id, label, fileName, contents, onSave }: SaveButtonProps) {
  const save = () => {
    onSave?.();
    if (contents instanceof Blob) download(fileName, contents);
    else download(fileName, new Blob([contents as BlobPart]));
  };
  return (
    <Button id={id} variant="quiet" icon={<Download size={16} aria-hidden="true" />} onClick={save}>
      {label}
    </Button>
  );
}
