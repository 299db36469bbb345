import type { MessageSender } from '../../src/rpc/methods/ui-contacts.ts';
import { Banner } from '../ui/components/banner.tsx';
import { useText } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';

interface SenderBannerProps {
  /** Of the element; absent where several are shown. */
  readonly id?: string;
  /** Null if the message does not prove who sealed it. */
  readonly sender: MessageSender | null;
  /** Of the user's key that opened the message. */
  readonly keyName: string;
}

/** That a passphrase opened a message, which no key did: whoever knows it could have made the message. */
export function OpenedByWords({ id }: { readonly id?: string }) {
  const text = useText();
  return (
    <Banner tone="info" {...(id === undefined ? {} : { id })} title={text.t('openedByWordsTitle')}>
      <p>{text.t('openedByWords')}</p>
    </Banner>
  );
}

/** Who sealed a message that has recipients, how sure that is, and what the user can do about it. */
export function SenderBanner({ id, sender, keyName }: SenderBannerProps) {
  const text = useText();
  const place = id === undefined ? {} : { id };
  if (sender === null) {
    return (
      <Banner tone="warning" {...place} title={text.t('readerSharedTitle')}>
        <p>{text.t('readerShared', keyName)}</p>
      </Banner>
    );
  }
  const { name, verified } = sender;
  if (name === null) {
    return (
      <p class="muted" {...place}>
        {text.t('senderYou')}
      </p>
    );
  }
  const shown = plainText(name, 80);
  if (verified === null) {
    return (
      <Banner tone="warning" {...place} title={text.t('senderNotCompared', shown)}>
        <p>{text.t('senderNotComparedMore')}</p>
      </Banner>
    );
  }
  const title = text.t('senderCompared', shown, text.date(verified));
  return (
    <Banner tone="good" {...place} title={title}>
      <p>{text.t('senderComparedMore')}</p>
    </Banner>
  );
}
