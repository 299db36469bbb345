import type { MessageSender, MessageSigned } from '../../src/rpc/methods/ui-contacts.ts';
import { Banner } from '../ui/components/banner.tsx';
import { SaveButton } from '../ui/components/copy-button.tsx';
import { useText } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';

/** That a message is signed, and how the proof of it is saved. */
export interface ShownSignature extends MessageSigned {
  readonly fileName: string;
  /** Whether the message is in the proof. Otherwise it is a file, which goes with it. */
  readonly hasText: boolean;
}

interface SenderBannerProps {
  /** Of the element; absent where several are shown. */
  readonly id?: string;
  /** Null if the message does not prove who sealed it. */
  readonly sender: MessageSender | null;
  /** Null if it is not signed for others to check. */
  readonly signed: ShownSignature | null;
  /** Of the user's key that opened the message. */
  readonly keyName: string;
}

/** Says that a passphrase opened the message: every person who knows it could have made the message. */
export function OpenedByWords({ id }: { readonly id?: string }) {
  const text = useText();
  return (
    <Banner tone="info" {...(id === undefined ? {} : { id })} title={text.t('openedByWordsTitle')}>
      <p>{text.t('openedByWords')}</p>
    </Banner>
  );
}

/**
 * Who sealed a message that has recipients, how sure that is, and what the user can do about it; and whether others can
 * check who wrote it.
 */
export function SenderBanner({ id, sender, signed, keyName }: SenderBannerProps) {
  const text = useText();
  const place = id === undefined ? {} : { id };
  const proof = signed && <Signature sender={sender} signed={signed} />;
  if (sender === null) {
    return (
      <Banner tone="warning" {...place} title={text.t('readerSharedTitle')}>
        <p>{text.t('readerShared', keyName)}</p>
        {proof}
      </Banner>
    );
  }
  const { name, verified } = sender;
  if (name === null) {
    return (
      <div class="stack" {...place}>
        <p class="muted">{text.t('senderYou')}</p>
        {proof}
      </div>
    );
  }
  const shown = plainText(name, 80);
  if (verified === null) {
    return (
      <Banner tone="warning" {...place} title={text.t('senderNotCompared', shown)}>
        <p>{text.t('senderNotComparedMore')}</p>
        {proof}
      </Banner>
    );
  }
  const title = text.t('senderCompared', shown, text.date(verified));
  return (
    <Banner tone="good" {...place} title={title}>
      {!signed && <p>{text.t('senderComparedMore')}</p>}
      {proof}
    </Banner>
  );
}

interface SignatureProps {
  readonly sender: MessageSender | null;
  readonly signed: ShownSignature;
}

/** Who signed, and the proof to give to others. Where the sender is not proven, the key has no name. */
function Signature({ sender, signed }: SignatureProps) {
  const text = useText();
  const { publicKey, proof, fileName, hasText } = signed;
  const words = () => {
    if (sender === null) return text.t('signedUnknown');
    return sender.name === null
      ? text.t('signedYou')
      : text.t('signedBy', plainText(sender.name, 80));
  };
  return (
    <div class="stack signature">
      <p>{words()}</p>
      <code class="signing-key" dir="ltr">
        {publicKey}
      </code>
      <p class="hint">{text.t(hasText ? 'signedHintText' : 'signedHintFile')}</p>
      <div class="actions">
        <SaveButton label={text.t('signedSave')} fileName={fileName} contents={proof} />
      </div>
    </div>
  );
}
