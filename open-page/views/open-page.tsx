import { Banner } from '../../extension/ui/components/banner.tsx';
import type { ChosenLanguage } from '../../extension/ui/environment/preferences.ts';
import type { Derive } from '../derivation.ts';
import { usePageText } from '../page-text.ts';
import { recipientOf } from '../sealing.ts';
import { LanguageChoice } from './language-choice.tsx';
import { OpenForm } from './open-form.tsx';
import { SealForm } from './seal-form.tsx';

/** Where the page cannot work, with the message that says why. */
export type Obstacle = 'pageFramed' | 'pageInsecure';

export interface OpenPageProps {
  readonly obstacle: Obstacle | undefined;
  /** The public key that the page seals to; '' for none. */
  readonly publicKey: string;
  /** Whether it is written into this copy: then no other is taken. */
  readonly isWritten: boolean;
  readonly onPublicKey: (text: string) => void;
  readonly language: ChosenLanguage;
  readonly onLanguage: (language: ChosenLanguage) => void;
  readonly derive: Derive;
  readonly wordList: readonly string[];
  readonly dropPage: (publicKey: string) => string;
}

/** The whole page. */
export function OpenPage(props: OpenPageProps) {
  const { obstacle, language, onLanguage, publicKey } = props;
  const text = usePageText();
  // A page that is opened with a public key is for sealing: the form that opens comes second.
  const seals = publicKey !== '' && recipientOf(publicKey) !== undefined;
  return (
    <>
      <header class="top">
        <span class="top-name">{text.t('extName')}</span>
        <LanguageChoice language={language} onChoose={onLanguage} />
      </header>
      <main class="view">
        <h1>{text.t(seals ? 'pageDropTitle' : 'pageTitle')}</h1>
        <p class="lead">{text.t(seals ? 'pageDropLead' : 'pageLead')}</p>
        <Banner tone="warning" id="never">
          {text.t('pageNever')}
        </Banner>
        {obstacle ? (
          <Banner tone="error" id="obstacle">
            {text.t(obstacle)}
          </Banner>
        ) : (
          <Forms {...props} />
        )}
      </main>
    </>
  );
}

function Forms({ publicKey, isWritten, onPublicKey, derive, wordList, dropPage }: OpenPageProps) {
  const text = usePageText();
  const recipient = publicKey === '' ? undefined : recipientOf(publicKey);
  return (
    <>
      {recipient && (
        <SealForm
          key={publicKey}
          recipient={recipient}
          wordList={wordList}
          dropPage={() => dropPage(publicKey)}
        />
      )}
      {publicKey !== '' && !recipient && (
        <Banner tone="error" id="key-problem">
          {text.t('pageKeyWrong')}
        </Banner>
      )}
      <OpenForm derive={derive} onPublicKey={isWritten ? undefined : onPublicKey} />
    </>
  );
}
