import { Download } from 'lucide-preact';
import { download } from '../../environment/download.ts';
import { Button } from './button.tsx';

interface SaveButtonProps {
  readonly id: string;
  readonly label: string;
  readonly fileName: string;
  /** As they are when the button is pressed. */
  readonly contents: string | Uint8Array;
}

/** Hands contents over to the browser's downloads. */
export function SaveButton({ id, label, fileName, contents }: SaveButtonProps) {
  const save = () => {
    const part = typeof contents === 'string' ? contents : contents.slice();
    download(fileName, new Blob([part]));
  };
  return (
    <Button id={id} variant="quiet" icon={<Download size={16} aria-hidden="true" />} onClick={save}>
      {label}
    </Button>
  );
}
