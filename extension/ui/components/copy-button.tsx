import { useEffect, useState } from 'preact/hooks';
import { Check, Copy } from 'lucide-preact';
import { useText } from '../environment.ts';
import { useAnnounce } from './announcer.tsx';
import { Button } from './button.tsx';

const SHOW_COPIED_MS = 2000;

export function CopyButton({ value }: { readonly value: string }) {
  const text = useText();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOW_COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    void navigator.clipboard.writeText(value).then(() => {
      setCopied(true);
      announce(text.t('copied'));
    });
  const Icon = copied ? Check : Copy;
  return (
    <Button variant="quiet" icon={<Icon size={16} aria-hidden="true" />} onClick={copy}>
      {text.t(copied ? 'copied' : 'copy')}
    </Button>
  );
}
